import { useCallback, useEffect, useState } from 'react';
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
import { dayEventsAnswer } from '#market/auctions/rules/dayEventsAnswer.ts';
import type { ChartTimeframe } from '#market/bars/rules/bars.ts';
import type { ChartMark } from '#market/bars/rules/chart.ts';
import type { Stock } from '#market/rules/stock.ts';
import { request } from '#web/api/client.ts';
import { readerOf } from '#web/api/readerOf.ts';
import { meta } from '#web/live/market.ts';
import { marketEra } from '#web/live/marketEra.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import { listenToAlerts } from '#subjects/alerts/web/shared/alertStream.ts';
import { searchAnswer } from '#subjects/announcements/answers/news.ts';
import type { Headline } from '#subjects/announcements/web/shared/api.ts';
import { ownCallTurns } from '#subjects/calls/web/shared/ownCallTurns.ts';
import { isDated } from '../axisTime.ts';
import type { ChartedCall } from '#market/bars/rules/stockExtras.ts';
import type { Logic } from '#subjects/conditions/rules/condition.ts';
import { object } from '#lib/contract/objects.ts';
import { logic } from '#subjects/conditions/answers/logic.ts';

// Of these answers a chart reads only what it draws: one that lacks the rest is drawn too.
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

/** An own call that is not over. */
type OwnCall = ChartedCall & {
  symbol: string;
  source: string | null;
  /** Epoch ms; null if it isn't known. */
  postedAt: number | null;
};

/** `GET /api/calls/mine`, which gives the newest first: those that are not over, the oldest first. */
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

/** An alert, as far as a chart shows it. */
type ChartedAlert = {
  id: number;
  name: string | null;
  logic: Logic | null;
  isActive: boolean;
  hasFired: boolean;
};

/** `GET /api/alerts?symbol=`. */
const readChartedAlerts = (body: unknown): ChartedAlert[] =>
  readerOf(alerts)(body).alerts.map((alert) => ({
    id: alert.id,
    name: alert.name,
    logic: alert.logic_json,
    isActive: alert.active,
    hasFired: alert.last_triggered_at !== null,
  }));

/** `GET /api/alerts/:id/triggers` as marks, by the market's clock: those of this source of prices. */
const readTriggerMarks =
  (name: string | null, source: string | null) =>
  (body: unknown): ChartMark[] =>
    readerOf(triggers)(body).triggers.flatMap((trigger): ChartMark[] => {
      const time = trigger.marketTime ?? trigger.timestamp;
      const isOther = trigger.source !== null && source !== null && trigger.source !== source;
      return time === null || isOther ? [] : [{ kind: 'trigger', time, text: name ?? 'An alert fired' }];
    });

/**
 * What a request answered, for what a chart can do without: what does not come is not shown. An answer stays while the next
 * one is on its way, unless `of` is another.
 * @param of what the answer is about, such as a symbol; null asks for nothing @param again asks again when it changes
 */
function useAnswer<T>(of: string | null, again: string, fetch: (of: string) => Promise<T>): T | null {
  const { data, isCurrent } = useLoaded(
    // The chart itself says when the server is away.
    () => fetch(of ?? ''),
    'What stands on the chart could not be loaded.',
    { of, again },
  );
  return isCurrent ? data : null;
}

/** As many as the server gives at once. */
const MAX_HEADLINES = 50;
/** Alerts of a symbol whose triggers are asked for, those that fired. */
const MAX_FIRED = 5;

/** How a stock's day went. */
type DayEvents = Known<typeof dayEventsAnswer>;

/** How a stock's day went. @throws ApiError with the server's sentence */
const fetchDayEvents = (symbol: string): Promise<DayEvents> =>
  request('GET /api/data/day-events', { query: { symbol }, read: readerOf(dayEventsAnswer) });

/** The newest announcements of a stock, those of earlier days too; for who is signed in. */
async function fetchHeadlines(symbol: string): Promise<Headline[]> {
  const query = { symbol, limit: MAX_HEADLINES };
  return (await request('GET /api/data/news/search', { query, read: readerOf(searchAnswer) })).announcements;
}

/** The signed-in user's calls that are not over. */
const fetchOpenCalls = async (): Promise<OwnCall[]> => readOpenCalls(await request('GET /api/calls/mine'));

/** The signed-in user's alerts on a stock and when they fired on this source of prices. */
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

/** From the bars to their picture. */
const PICTURE_MS = 50;

/**
 * The code once its bars are drawn, null before: what stands on them comes after them, as asked for at once it would
 * delay the picture.
 */
function useCharted(code: string, hasBars: boolean): string | null {
  const [charted, setCharted] = useState<string | null>(null);
  useEffect(() => {
    if (!hasBars) return;
    const timer = setTimeout(() => setCharted(code), PICTURE_MS);
    return () => clearTimeout(timer);
  }, [code, hasBars]);
  return charted === code ? code : null;
}

/** What the server told of a stock and of what its reader has there; null for what it did not. */
export function useAnswers(code: string, stock: Stock | null, tf: ChartTimeframe, hasBars: boolean) {
  const market = useCharted(code, hasBars);
  const own = session.value.isAuthenticated ? market : null;
  const source = meta.value?.feed?.name ?? null;
  const era = marketEra.value ?? '';
  const status = stock?.status ?? '';
  // Of one that is not listed the server knows no day.
  const events = useAnswer(stock === null ? null : market, `${era} ${status}`, fetchDayEvents);
  const told = useAnswer(own, `${isDated(tf)} ${era}`, fetchHeadlines);
  const calls = useAnswer(own, `${era} ${ownCallTurns.value}`, fetchOpenCalls);
  const fetchAlerts = useCallback((symbol: string) => fetchAlertMarks(symbol, source), [source]);
  const alertTurns = useAlertTurns(code);
  const alerts = useAnswer(own, `${era} ${alertTurns}`, fetchAlerts);
  return { source, events, told, calls, alerts };
}

export type Answers = ReturnType<typeof useAnswers>;

/** Counts what the alert stream tells of a stock's alerts: each time, what is drawn of them may be other. */
function useAlertTurns(code: string): number {
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
