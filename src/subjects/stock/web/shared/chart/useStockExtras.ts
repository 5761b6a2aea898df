import { MINUTE_MS } from '#lib/units.ts';
import { useMemo, useCallback, useEffect, useState } from 'react';
import type { BarColumns, ChartTimeframe, TimeSpan } from '#market/bars/rules/bars.ts';
import type { ChartExtras, ChartLevel, ChartMark } from '#market/bars/rules/chart.ts';
import {
  adjustedCall,
  auctionMarks,
  callLevels,
  type ChartedCall,
  haltShades,
  newsMarks,
  vwapPath,
} from '#market/bars/rules/stockExtras.ts';
import { alertLevels } from '#subjects/alerts/rules/alertText.ts';
import { type Adjustment, factorAfter } from '#market/rules/splitAdjustment.ts';
import type { Stock } from '#market/rules/stock.ts';
import { marketNow, meta } from '#web/live/market.ts';
import type { Logic } from '#subjects/conditions/rules/condition.ts';
import { axisDay, isDated } from './chartSlots.ts';
import {
  type Known,
  boolean,
  choice,
  count,
  epochMs,
  list,
  number,
  or,
  text,
  words,
} from '#lib/contract/fields.ts';
import { dayEventsAnswer } from '#market/auctions/rules/auction.ts';
import { readerOf, request } from '#web/api/client.ts';
import { marketEpoch } from '#web/live/marketEpoch.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import { listenToAlerts } from '#subjects/alerts/web/shared/alertStream.ts';
import { searchAnswer } from '#subjects/announcements/answers/news.ts';
import type { Headline } from '#subjects/announcements/web/shared/newsRequests.ts';
import { ownCallTurns } from '#subjects/calls/web/shared/callSignals.ts';
import { object } from '#lib/contract/objects.ts';
import { logic } from '#subjects/conditions/answers/logic.ts';

// Reads only the members that a chart draws, so that answers without the others can be read too.
const mine = object({
  calls: list(
    object(
      {
        symbol: text,
        status: choice(['pending', 'open']),
        source: text,
        submittedAt: epochMs,
        fillPrice: number,
        entryPrice: number,
        targetPrice: number,
        stopLossType: text,
        stopLevel: number,
        stopLoss: number,
      },
      ['symbol', 'status'],
    ),
  ),
});
const alerts = object({
  alerts: list(
    object(
      { id: count, name: words, logic_json: logic, active: or(boolean, true), last_triggered_at: epochMs },
      ['id'],
    ),
  ),
});
const triggers = object({
  triggers: list(object({ marketTime: epochMs, timestamp: epochMs, source: text })),
});

type OwnCall = ChartedCall & {
  symbol: string;
  source: string | null;
  postedAt: number | null;
};

/** Reads open calls, oldest first. `GET /api/calls/mine` answers newest first. */
const readOpenCalls = (body: unknown): OwnCall[] =>
  readerOf(mine)(body)
    .calls.map(
      ({ symbol, source, submittedAt, fillPrice, entryPrice, targetPrice, stopLossType, ...stop }) => ({
        symbol,
        source,
        postedAt: submittedAt,
        entryPrice: fillPrice ?? entryPrice,
        targetPrice,
        stopLevel: stop.stopLevel ?? (stopLossType === 'HARD' ? stop.stopLoss : null),
      }),
    )
    .toReversed();

type ChartedAlert = {
  id: number;
  name: string | null;
  logic: Logic | null;
  isActive: boolean;
  hasFired: boolean;
};

const readChartedAlerts = (body: unknown): ChartedAlert[] =>
  readerOf(alerts)(body).alerts.map((alert) => ({
    id: alert.id,
    name: alert.name,
    logic: alert.logic_json,
    isActive: alert.active,
    hasFired: alert.last_triggered_at !== null,
  }));

/** Reads triggers as marks, in market time; only those of this source of prices. */
const readTriggerMarks =
  (name: string | null, source: string | null) =>
  (body: unknown): ChartMark[] =>
    readerOf(triggers)(body).triggers.flatMap((trigger): ChartMark[] => {
      const time = trigger.marketTime ?? trigger.timestamp;
      const isOther = trigger.source !== null && source !== null && trigger.source !== source;
      return time === null || isOther ? [] : [{ kind: 'trigger', time, text: name ?? 'An alert fired' }];
    });

/**
 * An answer that the chart can do without, so failures are ignored. It stays while the next one loads, unless `of`
 * changes.
 * @param of subject such as a symbol; null requests nothing
 * @param again requests again when it changes
 */
function useAnswer<T>(of: string | null, again: string, fetch: (of: string) => Promise<T>): T | null {
  const { data, isCurrent } = useLoaded(
    // The chart itself reports an unreachable server.
    () => fetch(of ?? ''),
    'The marks on the chart could not be loaded.',
    { of, again },
  );
  return isCurrent ? data : null;
}

/** The server's maximum per request. */
const MAX_HEADLINES = 50;
const MAX_FIRED = 5;

const fetchDayEvents = (symbol: string): Promise<Known<typeof dayEventsAnswer>> =>
  request('GET /api/data/day-events', { query: { symbol }, read: readerOf(dayEventsAnswer) });

/** Fetches the newest announcements of a stock, including earlier days; requires a login. */
async function fetchHeadlines(symbol: string): Promise<Headline[]> {
  const query = { symbol, limit: MAX_HEADLINES };
  return (await request('GET /api/data/news/search', { query, read: readerOf(searchAnswer) })).announcements;
}

const fetchOpenCalls = async (): Promise<OwnCall[]> => readOpenCalls(await request('GET /api/calls/mine'));

async function fetchAlertMarks(
  symbol: string,
  source: string | null,
): Promise<{ alerts: ChartedAlert[]; marks: ChartMark[] }> {
  const alerts = readChartedAlerts(await request('GET /api/alerts', { query: { symbol } }));
  const fired = alerts.filter(({ hasFired }) => hasFired).slice(0, MAX_FIRED);
  const marks = await Promise.all(
    fired.map(async ({ id, name }) =>
      readTriggerMarks(name, source)(await request('GET /api/alerts/:id/triggers', { params: { id } })),
    ),
  );
  return { alerts, marks: marks.flat() };
}

const PICTURE_MS = 50;

/** The code once its bars are drawn, otherwise null. Marks load later, because they would delay the picture. */
function useCharted(code: string, hasBars: boolean): string | null {
  const [charted, setCharted] = useState<string | null>(null);
  useEffect(() => {
    if (!hasBars) return;
    const timer = setTimeout(() => setCharted(code), PICTURE_MS);
    return () => clearTimeout(timer);
  }, [code, hasBars]);
  return charted === code ? code : null;
}

function useAnswers(code: string, stock: Stock | null, tf: ChartTimeframe, hasBars: boolean) {
  const market = useCharted(code, hasBars);
  const own = session.value.isAuthenticated ? market : null;
  const source = meta.value?.feed?.name ?? null;
  const epoch = marketEpoch.value ?? '';
  const status = stock?.status ?? '';
  // The server has no day of a stock that is not listed.
  const events = useAnswer(stock === null ? null : market, `${epoch} ${status}`, fetchDayEvents);
  const headlines = useAnswer(own, `${isDated(tf)} ${epoch}`, fetchHeadlines);
  const calls = useAnswer(own, `${epoch} ${ownCallTurns.value}`, fetchOpenCalls);
  const fetchAlerts = useCallback((symbol: string) => fetchAlertMarks(symbol, source), [source]);
  const alertTurns = useAlertTurns(code);
  const alerts = useAnswer(own, `${epoch} ${alertTurns}`, fetchAlerts);
  return { source, events, headlines, calls, alerts };
}

type Answers = ReturnType<typeof useAnswers>;

/** Counts changes of the alerts on a stock, in any window. */
export function useAlertTurns(code: string): number {
  const [turns, setTurns] = useState(0);
  useEffect(
    () =>
      listenToAlerts((event) => {
        const symbol = event.type === 'triggered' ? event.trigger.symbol : event.symbol;
        if (symbol === null || symbol === code) setTurns((before) => before + 1);
      }),
    [code],
  );
  return turns;
}

const NO_MARKS: readonly ChartMark[] = [];

type ShownBars = {
  bars: BarColumns;
  unknown: readonly TimeSpan[];
  hasMore: boolean;
  knownSince: number | null;
  adjustments: readonly Adjustment[];
};

function useMarks(
  { headlines, events, alerts }: Answers,
  news: Stock['news'] | undefined,
  tf: ChartTimeframe,
) {
  return useMemo(() => {
    const recent = Object.values(news ?? {}).flatMap(({ announcements }) => Object.values(announcements));
    return [
      ...newsMarks([...(headlines ?? []), ...recent]),
      ...(isDated(tf) ? NO_MARKS : auctionMarks(events?.auctions ?? [])),
      ...(alerts?.marks ?? NO_MARKS),
    ];
  }, [news, headlines, events, alerts, tf]);
}

function useShades({ events }: Answers) {
  const minute = events !== null && isOver(events.statuses) ? 0 : Math.floor(marketNow() / MINUTE_MS);
  return useMemo(
    () => (events === null ? [] : haltShades(events.statuses, minute * MINUTE_MS)),
    [events, minute],
  );
}

/** @param prices of the market; null for no level */
function useLevels(
  code: string,
  { source, calls, alerts }: Answers,
  { close, vwap }: { close: number | null; vwap: number | null },
  adjustments: readonly Adjustment[],
) {
  return useMemo(() => {
    const mine = (calls ?? []).filter(
      (call) => call.symbol === code && (call.source === null || source === null || call.source === source),
    );
    const logics = (alerts?.alerts ?? []).flatMap(({ logic, isActive }): Logic[] =>
      logic !== null && isActive ? [logic] : [],
    );
    const ofMarket: ChartLevel[] = [
      ...(close === null ? [] : [{ kind: 'previousClose' as const, title: 'P. Close', price: close }]),
      ...(vwap === null ? [] : [{ kind: 'vwap' as const, title: 'VWAP', price: vwap }]),
    ];
    const inPricesOfNow = mine.map((call) =>
      adjustedCall(call, factorAfter(adjustments, call.postedAt ?? 0)),
    );
    return [...ofMarket, ...callLevels(inPricesOfNow), ...alertLevels(logics)];
  }, [calls, alerts, close, vwap, code, source, adjustments]);
}

export function useStockExtras(
  code: string,
  stock: Stock | null,
  tf: ChartTimeframe,
  shown: ShownBars,
): ChartExtras {
  const hasBars = shown.bars.time.length > 0;
  const answers = useAnswers(code, stock, tf, hasBars);
  const marks = useMarks(answers, stock?.news, tf);
  const shades = useShades(answers);
  const path = useMemo(() => vwapPath(shown, tf, stock?.vwap ?? null, axisDay), [shown, tf, stock?.vwap]);
  const hasPath = path !== null && hasBars && path.time.at(-1) === shown.bars.time.at(-1);
  const ofMarket = {
    // On dated charts, the previous bar shows the previous close.
    close: isDated(tf) ? null : (stock?.close ?? null),
    vwap: hasPath || isDated(tf) ? null : (stock?.vwap ?? null),
  };
  const levels = useLevels(code, answers, ofMarket, shown.adjustments);
  const paths = useMemo(() => (path === null ? [] : [path]), [path]);
  return useMemo(() => ({ marks, shades, levels, paths }), [marks, shades, levels, paths]);
}

/** Whether no halt is running; a running one grows by a minute every minute. */
const isOver = (statuses: readonly { status: string }[]): boolean =>
  haltShades(
    statuses.slice(-1).map(({ status }) => ({ status, time: 0 })),
    MINUTE_MS,
  ).length === 0;
