import { lazy, type ReactNode, Suspense, useMemo } from 'react';
import {
  formatAlike,
  formatHeld,
  formatMoment,
  formatResult,
  heldDays,
  formatCallPrice,
} from '#subjects/calls/rules/callFormat.ts';
import { formatChange, pocketedText, resultText } from '#subjects/calls/rules/resultText.ts';
import { livePrice } from '#market/rules/livePrice.ts';
import { TIMEFRAME_NAMES } from '#subjects/stock/web/shared/chart/chartTexts.tsx';
import { withStyles } from '#web/shared/lateStyles.ts';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { type Life, useCallStock, useLivePath, useLife } from './useLife.ts';
import { FetchedBody } from '../parts/FetchedBody.tsx';
import type { Reached } from '#subjects/calls/rules/types.ts';
import type { ChartData, ChartLevel, ChartMark, ChartPath } from '#market/bars/rules/chart.ts';
import { type Adjustment, adjustedPrice, factorAfter } from '#market/rules/splitAdjustment.ts';

const priced = (price: number | null): { price?: number } => (price === null ? {} : { price });

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
  return at === null ? [] : [{ kind, time: Date.parse(at), text, ...priced(price) }];
}

/** What happened to a call, in the order in which it did. */
export function lifeMarks({ call }: Life): ChartMark[] {
  const isBuy = call.callType === 'buy';
  const by = call.submittedBy.display;
  const ended = call.status === 'cancelled' ? 'Cancelled' : 'Closed';
  return [
    ...momentMark('entry', `Posted by ${by}`, call.submittedAt, call.priceAtSubmission),
    ...reachedMark('entry', isBuy ? 'Filled' : 'First trade after the posting', call.entryTrade),
    ...reachedMark('level', 'Target reached', call.targetReached),
    ...reachedMark('level', 'Stop reached', call.stopReached),
    ...momentMark('exit', `${ended} by ${by}`, call.closedAt, call.priceAtClose),
    ...reachedMark('exit', 'First trade after the end', call.exitTrade),
    ...call.corrections.flatMap(({ at, by: who, reason }) =>
      momentMark('correction', `Corrected by ${who.display}: ${reason}`, at, null),
    ),
  ].sort((a, b) => a.time - b.time);
}

function lifeLevels({ call, stop, path }: Life): ChartLevel[] {
  const factor = factorAfter(path?.adjustments ?? [], Date.parse(call.submittedAt ?? ''));
  const level = (kind: ChartLevel['kind'], title: string, price: number | null): ChartLevel[] =>
    price === null ? [] : [{ kind, title, price: adjustedPrice(price, factor) }];
  const isHard = call.stopLossType === 'HARD';
  return [
    ...level('entry', 'Entry', call.entryPrice),
    ...level('target', 'Target', call.targetPrice),
    // A trailing stop is drawn as the line that it was.
    ...level('stop', 'Stop', isHard ? call.stopLoss : stop === null ? call.stopLevel : null),
  ];
}

/** A mark as a chart says it, where no column has the price. */
const inWords = (mark: ChartMark): ChartMark =>
  mark.price === undefined ? mark : { ...mark, text: `${mark.text}, ${formatCallPrice(mark.price)}` };

/** A mark where the adjusted bars have its price. */
const adjusted = (mark: ChartMark, adjustments: readonly Adjustment[]): ChartMark =>
  mark.price === undefined
    ? mark
    : { ...mark, price: adjustedPrice(mark.price, factorAfter(adjustments, mark.time)) };

/** The line of a trailing stop; of an open call it goes on to the newest bar, which the stream brings. */
function stopPaths({ call, stop, path }: Life, newest: number): ChartPath[] {
  const adjustments = path?.adjustments ?? [];
  // Worked out from adjusted bars, it is none of the call's own stop.
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

/** What the chart draws of a call; null where no prices are known. */
export function lifeChart(life: Life): ChartData | null {
  const { path } = life;
  if (path === null) return null;
  return {
    ...path,
    hasMore: false,
    marks: lifeMarks(life).map((mark) => adjusted(inWords(mark), path.adjustments)),
    levels: lifeLevels(life),
    paths: stopPaths(life, path.bars.time.at(-1) ?? 0),
  };
}

const PriceChart = lazy(async () => ({
  default: (await withStyles(import('#subjects/stock/web/shared/chart/PriceChart.tsx'))).PriceChart,
}));

/** A call from its posting to its end: the prices with what happened on them, both results, and corrections. */
export function LifeView({ life }: { life: Life }): ReactNode {
  const { call, whyNoPath, stop } = life;
  const live = useCallStock(call);
  const path = useLivePath(life, live !== null);
  const data = useMemo(() => lifeChart({ ...life, path }), [life, path]);
  return (
    <div className="call-life stack gap-2 table-text break-words">
      {data !== null && path !== null ? (
        <Suspense fallback={<SkeletonRows rows={6} />}>
          <PriceChart
            label={`Price path of ${call.symbol}, ${TIMEFRAME_NAMES[path.tf].long}`}
            data={data}
            height={260}
            fitsAll
          />
        </Suspense>
      ) : (
        <p className="empty-state box muted">{whyNoPath ?? 'No prices are known for this call.'}</p>
      )}
      {path?.tf === 'D' && (
        <p className="muted small">Daily bars: minute bars are kept for nine days, and this call is older.</p>
      )}
      {stop?.from === 'bars' && (
        <p className="muted small">
          The stop line is worked out from the highs of the bars, as its own steps were not recorded.
        </p>
      )}
      <Results life={life} last={livePrice(live ?? undefined)} />
      <Events life={life} />
      <Corrections life={life} />
    </div>
  );
}

/** What the recorded prices say of a call, each as a name and its text. */
function verifiedRows(call: Life['call']): [string, string][] {
  const { verified, stopReached, trackingPaused } = call;
  const paused: [string, string][] = trackingPaused ? [['Not followed', trackingPaused]] : [];
  if (!verified) return paused;
  const { entryPrice, exitPrice, bestPercent, worstPercent, daysOpen } = verified;
  const where = stopReached === null ? '' : ', where the stop was reached';
  return [
    ['Counted from, to', `${formatAlike(entryPrice, exitPrice).join(' to ')}${where}`],
    ['Best and worst on the way', `${formatResult(bestPercent)}, ${formatResult(worstPercent)}`],
    ['Held', formatHeld(heldDays(call) ?? daysOpen)],
    ...paused,
  ];
}

/** What the submitter says, and what the recorded prices say. @param last the live price, AUD */
function Results({ life: { call }, last }: { life: Life; last: number | null }): ReactNode {
  const { verified, awaitingTrade, status, isInReview } = call;
  const rows: [string, string][] = [
    ['Pocketed, as claimed', pocketedText(call)],
    ['Verified result', resultText(call, last)],
    ['Market over the same time', formatResult(call.marketPercent)],
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
          <p className="muted small">No verified result: there was no trade to count from.</p>
        )}
    </dl>
  );
}

function Events({ life }: { life: Life }): ReactNode {
  const marks = lifeMarks(life).filter(({ kind }) => kind !== 'correction');
  const prices = formatAlike(...marks.map(({ price }) => price));
  return (
    <table className="data-table fit">
      <caption className="visually-hidden">What happened to the call</caption>
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

function Corrections({ life: { call } }: { life: Life }): ReactNode {
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

/** The life of a call within a table or a dialog. */
export function LoadedLife({ publicId }: { publicId: string }): ReactNode {
  const { state, retry } = useLife(publicId);
  return (
    <FetchedBody state={state} retry={retry}>
      {(life) => <LifeView life={life} />}
    </FetchedBody>
  );
}
