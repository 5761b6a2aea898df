import type { History } from '../../sources/quotes/history.ts';
import type { TimeframeBar } from '../indicators/types.ts';
import { dayBucket, type FrameKey, minuteBucket, minutesOf } from '../../domain/charts/buckets.ts';
import type { StockBars } from './currentDay.ts';
import { dateOf, dayOf, dayOfKey } from '../../domain/market/localTime.ts';
import { type BarRow, rowOf } from './rows.ts';

/** A bar and the key of its bucket: its first minute, or its first day. */
export type Bucketed = { bucket: number; bar: TimeframeBar };

/** Days before the kept ones, by timeframe. */
const EARLIER_DAYS: Readonly<Record<string, number>> = { '60': 10, '120': 10, '240': 20, W: 504, M: 1260 };

/** How many days before the kept ones a frame is computed from, where the source's history reaches back that far. */
export const earlierDayCount = (frame: FrameKey): number => EARLIER_DAYS[frame] ?? 0;

export const merge = (a: TimeframeBar, b: Omit<TimeframeBar, 'day'>): TimeframeBar => ({
  day: a.day,
  open: a.open,
  high: Math.max(a.high, b.high),
  low: Math.min(a.low, b.low),
  close: b.close,
  volume: a.volume + b.volume,
});

export type Joiner = {
  add(row: BarRow): void;
  last(): Bucketed | null;
};

/**
 * Joins the rows of each bucket into a bar. Calls `visit` with every finished bar; `last` gives the one still open. It
 * makes one object a bar, not one a row: filling a column walks millions of rows.
 */
export function createJoiner(frame: FrameKey, visit: (bucketed: Bucketed) => void): Joiner {
  const minutes = minutesOf(frame);
  let bucket = Number.NaN;
  let day = 0;
  let open = 0;
  let high = 0;
  let low = 0;
  let close = 0;
  let volume = 0;
  const last = (): Bucketed | null =>
    Number.isNaN(bucket) ? null : { bucket, bar: { day, open, high, low, close, volume } };
  return {
    last,
    add(row) {
      const next = minutes === null ? dayBucket(frame, row.key) : minuteBucket(minutes, row.key);
      if (bucket === next) {
        close = row.close;
        high = Math.max(high, row.high);
        low = Math.min(low, row.low);
        volume += row.volume;
        return;
      }
      const finished = last();
      if (finished) visit(finished);
      bucket = next;
      day = minutes === null ? next : dayOfKey(row.key);
      ({ open, high, low, close, volume } = row);
    },
  };
}

/** Where earlier bars come from, and how instants become minute keys. */
export type Past = { history: History; keyAt: (time: number) => number };

function earlierDays(stockBars: StockBars, { history }: Past, count: number): BarRow[] {
  const first = stockBars.days.at(0)?.key;
  const missing = count - stockBars.days.length();
  if (first === undefined || missing <= 0) return [];
  return history.daily(stockBars.code, dateOf(first - 1), missing).map((bar) => rowOf(bar, dayOf(bar.date)));
}

/** Minutes of the days before the kept ones, one date a step. Only days with a daily bar have any. */
function* earlierMinutes(
  stockBars: StockBars,
  { history, keyAt }: Past,
  count: number,
): Generator<undefined, BarRow[]> {
  const first = stockBars.minutes.at(0)?.key;
  const until = first === undefined ? stockBars.days.length() : stockBars.days.indexFrom(dayOfKey(first));
  const rows: BarRow[] = [];
  for (let index = Math.max(0, until - count); index < until; index += 1) {
    const day = stockBars.days.at(index);
    if (!day) continue;
    for (const bar of history.minutes(stockBars.code, dateOf(day.key)))
      rows.push(rowOf(bar, keyAt(bar.time)));
    yield;
  }
  return rows;
}

/** Reads the rows before the kept ones that a frame is computed from, in steps. */
export type EarlierRows = (stockBars: StockBars, frame: FrameKey) => Generator<undefined, readonly BarRow[]>;

/**
 * A reader of earlier rows for the frames of one stock. The frames of minutes share what was read. Without a deep history
 * there are none.
 */
export function createEarlierRows(frames: readonly FrameKey[], past: Past): EarlierRows {
  const longest = Math.max(0, ...frames.filter((frame) => minutesOf(frame) !== null).map(earlierDayCount));
  let minutes: readonly BarRow[] | null = null;
  return function* (stockBars, frame) {
    const count = earlierDayCount(frame);
    if (count === 0 || !past.history.isDeep) return [];
    if (minutesOf(frame) === null) return earlierDays(stockBars, past, count);
    minutes ??= yield* earlierMinutes(stockBars, past, longest);
    return minutes;
  };
}

/** A way through the bars of a frame that may be interrupted; rows may come meanwhile, but none may go. */
export type BarWalk = {
  /** Takes finished rows, so many a step, until only the newest is left. */
  steps(rows: number): Generator<undefined, void>;
  /** Takes what is left. @returns the last bar, which may still be running; null when there is no bar */
  finish(): Bucketed | null;
};

/**
 * Visits all bars of a frame, the oldest first.
 * @param earlier rows before the kept ones; @param visit called with every bar but the last
 */
export function createBarWalk(
  stockBars: StockBars,
  frame: FrameKey,
  earlier: readonly BarRow[],
  visit: (bucketed: Bucketed) => void,
): BarWalk {
  const joiner = createJoiner(frame, visit);
  const isIntraday = minutesOf(frame) !== null;
  const series = isIntraday ? stockBars.minutes : stockBars.days;
  /** How many rows were taken, the earlier ones first. */
  let taken = 0;

  function take(until: number): void {
    for (let index = taken; index < Math.min(until, earlier.length); index += 1) {
      const row = earlier[index];
      if (row) joiner.add(row);
    }
    const from = Math.max(0, taken - earlier.length);
    series.each(joiner.add, from, until - earlier.length);
    taken = Math.max(taken, until);
  }

  return {
    *steps(rows) {
      // A minute that is the newest may still change.
      while (taken + rows < earlier.length + series.length()) {
        take(taken + rows);
        yield;
      }
      take(earlier.length + series.length() - 1);
    },
    finish() {
      take(earlier.length + series.length());
      const { today } = stockBars;
      if (today && !isIntraday) joiner.add({ ...today, key: today.day });
      return joiner.last();
    },
  };
}

/** The same at once. @returns the last bar, which may still be running; null when there is no bar */
export const walkBars = (
  stockBars: StockBars,
  frame: FrameKey,
  earlier: readonly BarRow[],
  visit: (bucketed: Bucketed) => void,
): Bucketed | null => createBarWalk(stockBars, frame, earlier, visit).finish();

/** The part of a running bar that its finished days make up; null when the bar begins today. */
export function baseOf(stockBars: StockBars, frame: FrameKey, bucket: number): TimeframeBar | null {
  let base: TimeframeBar | null = null;
  for (let index = stockBars.days.indexFrom(bucket); index < stockBars.days.length(); index += 1) {
    const row = stockBars.days.at(index);
    if (!row || dayBucket(frame, row.key) !== bucket) continue;
    const { open, high, low, close, volume } = row;
    base = base ? merge(base, row) : { day: bucket, open, high, low, close, volume };
  }
  return base;
}

/** Whether the days reach back to the beginning of a bucket, so that its bar is complete. */
export function coversBucket(stockBars: StockBars, bucket: number): boolean {
  const first = stockBars.days.at(0)?.key ?? stockBars.today?.day;
  // A bucket may begin with a long weekend and a holiday.
  return first !== undefined && first <= bucket + 5;
}
