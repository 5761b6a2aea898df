import { lazy, type ReactNode, Suspense, useMemo, useCallback, useEffect, useState } from 'react';
import {
  formatAlike,
  formatHeld,
  formatResult,
  heldDays,
  formatCallPrice,
} from '#subjects/calls/rules/callFormat.ts';
import { formatMoment } from '#texts/format.ts';
import { statusOf } from '../../rules/callStatus.ts';
import { againstMarket } from '../../rules/side.ts';
import { formatChange, pocketedText, resultText } from '../../rules/resultText.ts';
import { livePrice } from '#market/rules/stockState.ts';
import { TIMEFRAME_NAMES } from '#subjects/stock/web/shared/chart/chartTexts.tsx';
import { withStyles } from '#web/shared/lateStyles.ts';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { FetchedBody, type Fetched, useFetched } from '../parts/pageParts.tsx';
import type { Reached, PriceHistory } from '../../rules/types.ts';
import type { ChartData, ChartLevel, ChartMark, ChartPath } from '#market/bars/rules/chart.ts';
import { type Adjustment, adjustedPrice, factorAfter } from '#market/rules/splitAdjustment.ts';
import { quoteTime, useNewEpoch } from '#web/live/marketEpoch.ts';
import { useReloads } from '#web/shared/useLoaded.ts';
import { timelineAnswer } from '../../answers/call.ts';
import type { Known } from '#lib/contract/fields.ts';
import { readerOf, request } from '#web/api/client.ts';
import { effect, untracked } from '@preact/signals-react';
import { createBarExtender, type LiveBars } from '#market/bars/rules/extendBars.ts';
import type { Stock } from '#market/rules/stock.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';
import { meta, stocks } from '#web/live/market.ts';
import { useWatch } from '#web/live/useWatch.tsx';

export type Timeline = Known<typeof timelineAnswer>;

/** @throws ApiError; 404 if the caller cannot see such a call */
const fetchLife = (publicId: string): Promise<Timeline> =>
  request('GET /api/calls/:publicId', { params: { publicId }, read: readerOf(timelineAnswer) });

/** Reload interval of a running call, ms; its price follows the stream. */
const RENEW_MS = 30_000;

/** Whether the call can still change. */
const goesOn = ({ status, awaitingTrade }: Timeline['call']): boolean =>
  status === 'pending' || status === 'open' || awaitingTrade !== null;

/** Loads a call, and reloads it while it runs. */
export function useLife(publicId: string): { state: Fetched<Timeline>; retry(): void } {
  const { state, retry, refresh, renew } = useFetched(
    useCallback(() => fetchLife(publicId), [publicId]),
    'The price history could not be loaded. Try again.',
  );
  useNewEpoch(refresh);
  useReloads(state.kind === 'known' && goesOn(state.data.call), renew, RENEW_MS);
  return { state, retry };
}

/** The live stock of a running call; null for other calls, and for calls on another source. */
export function useCallStock(call: Timeline['call'] | null): Stock | null {
  const running = meta.value?.feed?.name ?? null;
  const isLive = call !== null && goesOn(call) && running !== null && call.source === running;
  useWatch({ codes: isLive ? [call.symbol] : [] });
  return isLive ? (stocks.value.get(call.symbol) ?? null) : null;
}

/** Starts live bars at the stock's current price, because the stored prices end seconds before the stream. */
function begin({ tf, bars }: PriceHistory, { last, high, low, volume }: Stock): LiveBars {
  const close = bars.close.at(-1);
  if (close === undefined || last === null || high === null || low === null) {
    return { tf, columns: bars, quote: null };
  }
  return { tf, columns: bars, quote: { date: sydneyDate(quoteTime()), last: close, high, low, volume } };
}

/** The price history of a call, extended live while it runs. @param hasStock whether its stock is live */
function useLiveHistory({ call, path }: Timeline, hasStock: boolean): PriceHistory | null {
  const isLive = hasStock && call.trackingPaused === null;
  const [grown, setGrown] = useState<{ of: PriceHistory; path: PriceHistory } | null>(null);
  const { symbol } = call;
  useEffect(() => {
    if (!isLive || path === null) return;
    const extend = createBarExtender();
    let live: LiveBars | null = null;
    return effect(() => {
      const stock = stocks.value.get(symbol);
      if (stock === undefined) return;
      const before = live ?? untracked(() => begin(path, stock));
      live = extend(before, stock, untracked(quoteTime));
      if (live.columns !== before.columns) setGrown({ of: path, path: { ...path, bars: live.columns } });
    });
  }, [isLive, path, symbol]);
  return path !== null && grown?.of === path ? grown.path : path;
}

function reachedMark(kind: ChartMark['kind'], what: string, reached: Reached | null): ChartMark[] {
  if (reached === null) return [];
  return [{ kind, time: Date.parse(reached.at), price: reached.price, text: what }];
}

function momentMark(
  kind: ChartMark['kind'],
  text: string,
  at: string | null,
  price: number | null,
): ChartMark[] {
  return at === null ? [] : [{ kind, time: Date.parse(at), text, ...(price === null ? {} : { price }) }];
}

/** Events of a call, oldest first. */
export function timelineMarks({ call }: Timeline): ChartMark[] {
  const isBuy = call.callType === 'buy';
  const by = call.submittedBy.display;
  const ended = call.status === 'cancelled' ? 'Cancelled' : 'Closed';
  return [
    ...momentMark('entry', `Posted by ${by}`, call.submittedAt, call.priceAtSubmission),
    ...reachedMark('entry', isBuy ? 'Filled' : 'First trade after posting', call.entryTrade),
    ...reachedMark('level', 'Target reached', call.targetReached),
    ...reachedMark('level', 'Stop reached', call.stopReached),
    ...momentMark('exit', `${ended} by ${by}`, call.closedAt, call.priceAtClose),
    ...reachedMark('exit', 'First trade after the end', call.exitTrade),
    ...call.corrections.flatMap(({ at, by: who, reason }) =>
      momentMark('correction', `Corrected by ${who.display}: ${reason}`, at, null),
    ),
  ].sort((a, b) => a.time - b.time);
}

function timelineLevels({ call, stop, path }: Timeline): ChartLevel[] {
  const factor = factorAfter(path?.adjustments ?? [], Date.parse(call.submittedAt ?? ''));
  const level = (kind: ChartLevel['kind'], title: string, price: number | null): ChartLevel[] =>
    price === null ? [] : [{ kind, title, price: adjustedPrice(price, factor) }];
  const isHard = call.stopLossType === 'HARD';
  return [
    ...level('entry', 'Entry', call.entryPrice),
    ...level('target', 'Target', call.targetPrice),
    // A trailing stop is drawn as a path.
    ...level('stop', 'Stop', isHard ? call.stopLoss : stop === null ? call.stopLevel : null),
  ];
}

/** Adds the price to a mark's text, because a chart has no column for it. */
const inWords = (mark: ChartMark): ChartMark =>
  mark.price === undefined ? mark : { ...mark, text: `${mark.text}, ${formatCallPrice(mark.price)}` };

/** Moves a mark to its price in adjusted bars. */
const adjusted = (mark: ChartMark, adjustments: readonly Adjustment[]): ChartMark =>
  mark.price === undefined
    ? mark
    : { ...mark, price: adjustedPrice(mark.price, factorAfter(adjustments, mark.time)) };

/** The line of a trailing stop. For an open call it extends to the newest bar, which the stream adds. */
function stopPaths({ call, stop, path }: Timeline, newest: number): ChartPath[] {
  const adjustments = path?.adjustments ?? [];
  // A stop computed from adjusted bars differs from the call's own stop.
  if (stop === null || (stop.from === 'bars' && adjustments.length > 0)) return [];
  const price = stop.price.map((at, index) =>
    adjustedPrice(at, factorAfter(adjustments, stop.time[index] ?? 0)),
  );
  const last = price.at(-1);
  if (last === undefined) return [];
  const goesOn = call.status === 'open' && call.stopReached === null && newest > (stop.time.at(-1) ?? 0);
  const time = goesOn ? [...stop.time, newest] : stop.time;
  return [{ kind: 'stop', title: 'Stop', time, price: goesOn ? [...price, last] : price }];
}

/** The chart of a call; null if no prices are known. */
export function timelineChart(timeline: Timeline): ChartData | null {
  const { path } = timeline;
  if (path === null) return null;
  return {
    ...path,
    hasMore: false,
    marks: timelineMarks(timeline).map((mark) => adjusted(inWords(mark), path.adjustments)),
    levels: timelineLevels(timeline),
    paths: stopPaths(timeline, path.bars.time.at(-1) ?? 0),
  };
}

const PriceChart = lazy(async () => ({
  default: (await withStyles(import('#subjects/stock/web/shared/chart/PriceChart.tsx'))).PriceChart,
}));

export function TimelineView({ timeline }: { timeline: Timeline }): ReactNode {
  const { call, whyNoPath, stop } = timeline;
  const live = useCallStock(call);
  const path = useLiveHistory(timeline, live !== null);
  const data = useMemo(() => timelineChart({ ...timeline, path }), [timeline, path]);
  return (
    <div className="call-life stack gap-2 table-text break-words">
      {data !== null && path !== null ? (
        <Suspense fallback={<SkeletonRows rows={6} />}>
          <PriceChart
            label={`Price history of ${call.symbol}, ${TIMEFRAME_NAMES[path.tf].long}`}
            data={data}
            height={260}
            fitsAll
          />
        </Suspense>
      ) : (
        <p className="empty-state box muted">{whyNoPath ?? 'There are no prices for this call.'}</p>
      )}
      {path?.tf === 'D' && (
        <p className="muted small">Daily bars: minute bars are kept for nine days, and this call is older.</p>
      )}
      {stop?.from === 'bars' && (
        <p className="muted small">
          The stop line is derived from the bars because its own steps were not recorded.
        </p>
      )}
      <Results timeline={timeline} last={livePrice(live ?? undefined)} />
      <Events timeline={timeline} />
      <Corrections timeline={timeline} />
    </div>
  );
}

function verifiedRows(call: Timeline['call']): [string, string][] {
  const { verified, stopReached, trackingPaused } = call;
  const paused: [string, string][] = trackingPaused ? [['Not followed', trackingPaused]] : [];
  if (!verified) return paused;
  const { entryPrice, exitPrice, bestPercent, worstPercent, daysOpen } = verified;
  const where = stopReached === null ? '' : ', where the stop was reached';
  return [
    ['Measured from, to', `${formatAlike(entryPrice, exitPrice).join(' to ')}${where}`],
    ['Best and worst', `${formatResult(bestPercent)}, ${formatResult(worstPercent)}`],
    ['Held', formatHeld(heldDays(call) ?? daysOpen)],
    ...paused,
  ];
}

/** The shown result against the market's own move; null if either is unknown. @param last the live price, AUD */
function shownAgainstMarket(call: Timeline['call'], last: number | null): number | null {
  const percent = statusOf(call, last)?.percent ?? call.verified?.percent ?? null;
  return percent === null || call.marketPercent === null
    ? null
    : againstMarket(call, percent, call.marketPercent);
}

/** @param last the live price, AUD */
function Results({ timeline: { call }, last }: { timeline: Timeline; last: number | null }): ReactNode {
  const { verified, awaitingTrade, status, isInReview } = call;
  const rows: [string, string][] = [
    ['Pocketed, as claimed', pocketedText(call)],
    ['Verified result', resultText(call, last)],
    ['Market over the same time', formatResult(call.marketPercent)],
    ['Against the market', formatResult(shownAgainstMarket(call, last))],
    ...verifiedRows(call),
  ];
  return (
    <dl className="figures">
      {rows.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
      {verified === null &&
        !awaitingTrade &&
        !isInReview &&
        (status === 'closed' || status === 'cancelled') && (
          <p className="muted small">No verified result: there was no trade to measure from.</p>
        )}
    </dl>
  );
}

function Events({ timeline }: { timeline: Timeline }): ReactNode {
  const marks = timelineMarks(timeline).filter(({ kind }) => kind !== 'correction');
  const prices = formatAlike(...marks.map(({ price }) => price));
  return (
    <table className="data-table fit">
      <caption className="visually-hidden">Timeline of the call</caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">When</th>
          <th scope="col">What</th>
          <th scope="col">Price</th>
        </tr>
      </thead>
      <tbody>
        {marks.map(({ time, text }, index) => (
          <tr key={`${time} ${text}`}>
            <td>{formatMoment(time)}</td>
            <td>{text}</td>
            <td className="is-number">{prices[index]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Corrections({ timeline: { call } }: { timeline: Timeline }): ReactNode {
  if (call.corrections.length === 0) return null;
  return (
    <section>
      <h3>Corrections</h3>
      <ul className="bullets">
        {call.corrections.map(({ at, by, reason, changes }) => (
          <li key={`${at} ${reason}`}>
            <p>{reason}</p>
            <p>{changes.map(formatChange).join('; ')}</p>
            <p className="muted small">
              {by.display}, {formatMoment(at)}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function LoadedLife({ publicId }: { publicId: string }): ReactNode {
  const { state, retry } = useLife(publicId);
  return (
    <FetchedBody state={state} retry={retry}>
      {(timeline) => <TimelineView timeline={timeline} />}
    </FetchedBody>
  );
}
