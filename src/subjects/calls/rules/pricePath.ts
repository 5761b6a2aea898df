import { MINUTE_MS, DAY_MS } from '#lib/units.ts';
import { appendBar, noBars } from '#market/bars/rules/barsAnswer.ts';
import type { Bar, BarColumns, ChartTimeframe, TimeSpan } from '#market/bars/rules/bars.ts';
import { type DataGap, clipSpans, missingBars } from '#market/bars/rules/coverage.ts';
import { type PriceHistory, MAX_PATH_BARS } from './types.ts';

/** A stock's session figures at one moment. Prices in AUD, volume in shares. */
export type Quote = {
  /** Sydney date by the market's clock, YYYY-MM-DD. */
  date: string;
  open: number | null;
  high: number | null;
  low: number | null;
  last: number | null;
  volume: number | null;
  close: number | null;
};

/** Prices traded between two quotes. `open` is set only if the session's first trade is among them. */
export type TradedPrices = { open?: number; high?: number; low?: number; last?: number };

const isHigher = (now: number | null, before: number | null): now is number =>
  now !== null && (before === null || now > before);

const isLower = (now: number | null, before: number | null): now is number =>
  now !== null && (before === null || now < before);

/** The session restarted or was corrected, so its range cannot reveal newer trades. */
const hasShrunk = (before: Quote, now: Quote): boolean =>
  (before.high !== null && (now.high === null || now.high < before.high)) ||
  (before.low !== null && (now.low === null || now.low > before.low)) ||
  (before.volume !== null && now.volume !== null && now.volume < before.volume);

/** Whether a new date's quote has that date's trades, not the previous day's figures. */
const isNewSession = (before: Quote, now: Quote, isOfDate: boolean): boolean =>
  now.volume !== 0 &&
  !(now.volume === null && before.volume !== null) &&
  (isOfDate ||
    now.open !== before.open ||
    now.high !== before.high ||
    now.low !== before.low ||
    now.volume !== before.volume);

/**
 * Whether the new date's whole session is between the two quotes.
 * @param isOfDate whether the later quote's own time is on its date
 */
export const isOpened = (before: Quote, now: Quote, isOfDate: boolean): boolean =>
  now.date !== before.date && isNewSession(before, now, isOfDate);

export const isSameTrading = (before: Quote, now: Quote): boolean =>
  now.open === before.open &&
  now.high === before.high &&
  now.low === before.low &&
  now.last === before.last &&
  now.volume === before.volume;

/** Whether open and range are still the previous day's, so that only the last price is new. */
const hasOldRange = (before: Quote, now: Quote): boolean =>
  now.open === before.open && now.high === before.high && now.low === before.low;

const lastAlone = ({ last }: Quote): TradedPrices | null => (last === null ? null : { last });

function lastOf(before: Quote, now: Quote): TradedPrices | null {
  if (now.last === null) return null;
  const grew = now.volume !== null && before.volume !== null && now.volume > before.volume;
  return grew || now.last !== before.last ? { last: now.last } : null;
}

/**
 * Derives the trades between two quotes from the session's range: a new high was traded even if `last` never showed
 * it. So neither coalesced ticks nor a restart lose an important trade.
 * @param isOfDate whether the later quote's own time is on its date
 * @returns null if nothing traded
 */
export function tradedBetween(before: Quote, now: Quote, isOfDate = false): TradedPrices | null {
  if (isOpened(before, now, isOfDate)) {
    return hasOldRange(before, now) && !isOfDate ? lastAlone(now) : wholeSession(now);
  }
  if (hasShrunk(before, now)) return now.last !== before.last ? lastOf(before, now) : null;
  const traded: TradedPrices = { ...lastOf(before, now) };
  if (before.high === null && before.low === null && before.volume === null && now.open !== null) {
    traded.open = now.open;
  }
  if (isHigher(now.high, before.high)) traded.high = now.high;
  if (isLower(now.low, before.low)) traded.low = now.low;
  return hasAny(traded) ? traded : null;
}

const hasAny = (traded: TradedPrices): boolean =>
  traded.last !== undefined || traded.high !== undefined || traded.low !== undefined;

function wholeSession(now: Quote): TradedPrices | null {
  const traded: TradedPrices = {};
  if (now.open !== null) traded.open = now.open;
  if (now.high !== null) traded.high = now.high;
  if (now.low !== null) traded.low = now.low;
  if (now.last !== null) traded.last = now.last;
  return hasAny(traded) ? traded : null;
}

/** A bar with its start, epoch ms: its minute, or midnight UTC of its Sydney date. */
export type TimedBar = { time: number } & Bar;

/** Timeframes, shortest first. Sydney's offset is whole hours, so hours start with those of UTC. */
const INTRADAY = [
  ['1', MINUTE_MS],
  ['5', 5 * MINUTE_MS],
  ['15', 15 * MINUTE_MS],
  ['60', 60 * MINUTE_MS],
] as const satisfies readonly (readonly [ChartTimeframe, number])[];

function join(bars: readonly TimedBar[], size: number): TimedBar[] {
  const joined: TimedBar[] = [];
  for (const bar of bars) {
    const time = Math.floor(bar.time / size) * size;
    const last = joined.at(-1);
    if (last?.time !== time) {
      joined.push({ ...bar, time });
      continue;
    }
    last.high = Math.max(last.high, bar.high);
    last.low = Math.min(last.low, bar.low);
    last.close = bar.close;
    last.volume += bar.volume;
  }
  return joined;
}

function columnsOf(bars: readonly TimedBar[]): BarColumns {
  const columns = noBars();
  for (const bar of bars) appendBar(columns, bar.time, bar);
  return columns;
}

const sinceOf = (first: TimedBar | undefined, posted: number, tolerance: number): number | null =>
  first === undefined || first.time - posted < tolerance ? null : first.time;

/**
 * A price history of minutes, in the shortest timeframe with at most 500 bars.
 * @param minutes one-minute bars, oldest first
 * @param span from the posting to the end inclusive, epoch ms
 * @param knownSince the start of the source's stored minutes, epoch ms
 * @param gaps price outages
 * @returns null without a bar in the span
 */
export function minuteHistory(
  minutes: readonly TimedBar[],
  span: TimeSpan,
  knownSince: number,
  gaps: readonly DataGap[] = [],
): PriceHistory | null {
  const inside = minutes.filter(({ time }) => time > span.from - MINUTE_MS && time <= span.until);
  if (inside.length === 0) return null;
  for (const [tf, size] of INTRADAY) {
    const bars = join(inside, size);
    if (bars.length > MAX_PATH_BARS && tf !== '60') continue;
    return {
      tf,
      bars: columnsOf(bars.slice(-MAX_PATH_BARS)),
      unknown: clipSpans(missingBars(tf, gaps), { ...span, from: Math.max(span.from, knownSince) }),
      knownSince: knownSince > span.from ? knownSince : null,
      adjustments: [],
    };
  }
  return null;
}

/**
 * A price history of days, at most the last 500.
 * @param days bars at midnight UTC of their Sydney date, oldest first
 * @param dates of the posting and of the end, at midnight UTC, epoch ms
 * @param gaps price outages
 * @returns null without a bar between the dates
 */
export function dayHistory(
  days: readonly TimedBar[],
  dates: TimeSpan,
  gaps: readonly DataGap[] = [],
): PriceHistory | null {
  const inside = days.filter(({ time }) => time >= dates.from && time <= dates.until).slice(-MAX_PATH_BARS);
  if (inside.length === 0) return null;
  return {
    tf: 'D',
    bars: columnsOf(inside),
    unknown: clipSpans(missingBars('D', gaps), { from: dates.from, until: dates.until + DAY_MS }),
    // Around Easter and Christmas there are up to four days without trading.
    knownSince: sinceOf(inside[0], dates.from, 5 * DAY_MS),
    adjustments: [],
  };
}

/** The course of a market's clock: at `wallAt` it showed `marketAt`, and from there it ran at `speed`. Epoch ms. */
export type ClockCourse = { wallAt: number; marketAt: number; speed: number };

/** Clocks that differ by less than this are in step; ms of the wall clock. */
const TOLERANCE_MS = 1000;

/**
 * The market's clock at a time of the wall clock. Before the first known course the two are assumed equal.
 * @param courses by `wallAt`, ascending; empty for a market on the wall clock
 */
export function marketTimeAt(courses: readonly ClockCourse[], wall: number): number {
  const course = courses.findLast(({ wallAt }) => wallAt <= wall);
  if (course) return Math.round(course.marketAt + (wall - course.wallAt) * course.speed);
  const [first] = courses;
  return first ? first.marketAt - (first.wallAt - wall) : wall;
}

/** Allowed difference of a market's clock from its course, ms of that clock. */
const tolerance = (speed: number): number => TOLERANCE_MS * Math.max(1, speed);

/** Whether a market's clock went back between two times of the wall clock, as when a simulated day restarts. */
export const wentBack = (courses: readonly ClockCourse[], from: number, until: number): boolean =>
  courses.some(({ wallAt, marketAt }) => {
    if (wallAt <= from || wallAt > until) return false;
    const before = courses.findLast((other) => other.wallAt < wallAt);
    return marketAt < marketTimeAt(courses, wallAt - 1) - tolerance(before?.speed ?? 1);
  });

/**
 * The courses that start at a reading of both clocks; empty if the last course continues.
 * @param seen the previous reading of the same run. A clock that slowed down since then starts a new course there; by
 * its old course it would seem to have gone back.
 */
export function newCourses(
  courses: readonly ClockCourse[],
  seen: ClockCourse | null,
  reading: ClockCourse,
): ClockCourse[] {
  const last = courses.at(-1) ?? { wallAt: reading.wallAt, marketAt: reading.wallAt, speed: 1 };
  const expected = last.marketAt + (reading.wallAt - last.wallAt) * last.speed;
  const isSame = Math.abs(reading.marketAt - expected) <= tolerance(reading.speed);
  if (isSame && last.speed === reading.speed) return [];
  const passed = seen === null ? 0 : reading.wallAt - seen.wallAt;
  if (seen === null || passed <= 0 || reading.marketAt < seen.marketAt || reading.marketAt >= expected) {
    return [reading];
  }
  return [{ ...seen, speed: (reading.marketAt - seen.marketAt) / passed }, reading];
}
