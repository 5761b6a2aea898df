import { dayPath, minutePath, type TimedBar } from '#subjects/calls/rules/callPath.ts';
import { type CallPath, NO_PATH } from '#subjects/calls/rules/life.ts';
import { fromSydney, sydneyDate } from '#market/rules/sydneyTime.ts';
import { isTradingDay } from '#market/rules/tradingDay.ts';
import type { PastBars } from '#market/bars/pastBars.ts';
import { drawable } from '#market/bars/rules/quoteBars.ts';
import type { Market } from '#market/types.ts';
import type { MarketSource } from '#sources/quotes/source.ts';

/** A path, or a sentence saying why there is none. */
export type FoundPath = { path: CallPath; whyNoPath: null } | { path: null; whyNoPath: string };

export type PathDeps = {
  past: PastBars;
  market: Pick<Market, 'get'>;
  /** The one that runs. */
  source: Pick<MarketSource, 'name' | 'clock'>;
};

/** A stretch of a stock's time, by the market's clock; epoch ms. */
export type Stretch = { symbol: string; from: number; until: number };

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** So long the minutes of a stock are kept, in days and in trading days. */
const KEPT_DAYS = 9;
const KEPT_TRADING_DAYS = 6;
/** Days asked for: a little more than are drawn. */
const MAX_DAYS = 510;

/** Midnight UTC of the Sydney date of a moment: what days are keyed by. */
const dateTime = (time: number): number => Date.parse(`${sydneyDate(time)}T00:00:00Z`);

/** Reads a generator to its end. */
function drained<T>(steps: Generator<unknown, T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** The stock's running minute or day is not among the finished ones: its last price stands for it. */
function withLast(bars: TimedBar[], time: number, last: number | null): TimedBar[] {
  const newest = bars.at(-1);
  if (last === null || (newest && newest.time >= time)) return bars;
  return [...bars, { time, open: last, high: last, low: last, close: last, volume: 0 }];
}

function minutesOf({ past, market, source }: PathDeps, { symbol, from, until }: Stretch): CallPath | null {
  const now = source.clock.now();
  if (!past.hasMinutes || now - from > KEPT_DAYS * DAY_MS) return null;
  const midnights = new Map<number, number>();
  const timeOf = (key: number): number => {
    const day = Math.floor(key / 1440);
    const midnight =
      midnights.get(day) ?? fromSydney(new Date(day * DAY_MS).toISOString().slice(0, 10), 0, 0);
    midnights.set(day, midnight);
    return midnight + (key % 1440) * MINUTE_MS;
  };
  const count = Math.min(KEPT_TRADING_DAYS, Math.ceil((now - from) / DAY_MS) + 1);
  const rows = drained(past.minutes(symbol, count));
  const bars = rows.map(({ key, ...bar }): TimedBar => ({ time: timeOf(key), ...bar }));
  const since = bars[0]?.time ?? now;
  // A day is known from its first trade on.
  const knownSince = since - from < DAY_MS && sydneyDate(since) === sydneyDate(from) ? from : since;
  const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  const blind = past.blind();
  // The last price that was seen is none of a minute in which none came.
  const isSeen = (blind.at(-1)?.until ?? 0) < minute;
  const isRunning = now - until < MINUTE_MS && isSeen;
  const last = isRunning && bars.length > 0 ? (market.get(symbol)?.last ?? null) : null;
  return minutePath(withLast(bars, minute, last), { from, until }, knownSince, blind);
}

function daysOf({ past, market, source }: PathDeps, { symbol, from, until }: Stretch): CallPath | null {
  const today = dateTime(source.clock.now());
  const count = Math.min(MAX_DAYS, Math.ceil((today - dateTime(from)) / DAY_MS) + 1);
  const days = past.days(symbol, count).map(drawable);
  const bars = days.map(({ key, ...bar }): TimedBar => ({ time: key * DAY_MS, ...bar }));
  const stock = market.get(symbol);
  // On other days a stock may still show the last session's figures.
  const isShown = isTradingDay(sydneyDate(source.clock.now())) && dateTime(until) === today;
  if (isShown && stock?.last && stock.open !== null && (bars.at(-1)?.time ?? 0) < today) {
    const { open, last } = stock;
    const high = Math.max(stock.high ?? last, open, last);
    const low = Math.min(stock.low ?? last, open, last);
    bars.push({ time: today, open, high, low, close: last, volume: stock.volume ?? 0 });
  }
  return dayPath(bars, { from: dateTime(from), until: dateTime(until) }, past.blind());
}

/**
 * The prices of a stock over a stretch of time, as far as the running source knows them: in minutes while they are kept, in
 * days for what began earlier.
 */
export function findPath(deps: PathDeps, stretch: Stretch): FoundPath {
  if (stretch.until < stretch.from) return { path: null, whyNoPath: NO_PATH.brokenClock };
  const path = minutesOf(deps, stretch) ?? daysOf(deps, stretch);
  if (path !== null) return { path, whyNoPath: null };
  const now = deps.source.clock.now();
  const isNew = now - stretch.from < DAY_MS;
  return { path: null, whyNoPath: isNew ? NO_PATH.notYet : NO_PATH.unknown };
}
