import type { History } from '../sources/quotes.ts';
import type { TimeframeBar } from '../indicators/types.ts';
import { addDays } from '#lib/sydneyTime.ts';
import { dateOf, dayOf, dayOfKey } from '../rules/localTime.ts';
import { isTradingDay, nextTradingDay, previousTradingDay } from '../rules/tradingDay.ts';
import type { Series, StockBars } from './series.ts';
import { type BarRow, newRow, putRow } from './rows.ts';
import { dayBucket, type FrameKey, minuteBucket, minutesOf } from './rules/buckets.ts';

/** The bar, its bucket (its first minute or day), and the key of its first row. */
export type Bucketed = { bucket: number; first: number; bar: TimeframeBar };

export const merge = (a: TimeframeBar, b: Omit<TimeframeBar, 'day'>): TimeframeBar => ({
  day: a.day,
  open: a.open,
  high: Math.max(a.high, b.high),
  low: Math.min(a.low, b.low),
  close: b.close,
  volume: a.volume + b.volume,
});

type Joiner = {
  add(row: BarRow): void;
  last(): Bucketed | null;
};

/** Joins rows into bars, with one object per bar. Visits every finished bar; `last` returns the open one. */
function createJoiner(frame: FrameKey, visit: (bucketed: Bucketed) => void): Joiner {
  const minutes = minutesOf(frame);
  let bucket = Number.NaN;
  let first = 0;
  let day = 0;
  let open = 0;
  let high = 0;
  let low = 0;
  let close = 0;
  let volume = 0;
  const last = (): Bucketed | null =>
    Number.isNaN(bucket) ? null : { bucket, first, bar: { day, open, high, low, close, volume } };
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
      first = row.key;
      day = minutes === null ? next : dayOfKey(row.key);
      ({ open, high, low, close, volume } = row);
    },
  };
}

type BarWalk = {
  /** Adds all finished rows but the newest, `rows` per step. Earlier rows are not needed afterwards. */
  steps(rows: number): Generator<undefined, void>;
  finish(): Bucketed | null;
};

/**
 * Visits all bars of a frame, the oldest first.
 * @param earlier rows before the stored ones, if any
 * @param visit called with every bar but the last
 */
export function createBarWalk(
  stockBars: StockBars,
  frame: FrameKey,
  earlier: Series | null,
  visit: (bucketed: Bucketed) => void,
): BarWalk {
  const joiner = createJoiner(frame, visit);
  const isIntraday = minutesOf(frame) !== null;
  const series = isIntraday ? stockBars.minutes : stockBars.days;
  const before = earlier?.length() ?? 0;
  let taken = 0;

  function take(until: number): void {
    earlier?.each(joiner.add, taken, Math.min(until, before));
    series.each(joiner.add, Math.max(0, taken - before), until - before);
    taken = Math.max(taken, until);
  }

  return {
    *steps(rows) {
      while (taken + rows < before + series.length()) {
        take(taken + rows);
        yield;
      }
      take(before + Math.max(0, series.length() - 1));
    },
    finish() {
      take(before + series.length());
      const { today } = stockBars;
      if (today && !isIntraday) joiner.add({ ...today, key: today.day });
      return joiner.last();
    },
  };
}

export const walkBars = (
  stockBars: StockBars,
  frame: FrameKey,
  earlier: Series | null,
  visit: (bucketed: Bucketed) => void,
): Bucketed | null => createBarWalk(stockBars, frame, earlier, visit).finish();

/** The finished days of a running bar; null if the bar begins today. */
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

/**
 * Whether a bar from this bucket is complete if `first`, a day number, is its first known day. Otherwise
 * open, high, low and volume are unknown.
 */
export function isWholeFrom(first: number, bucket: number): boolean {
  const date = dateOf(bucket);
  return first <= (isTradingDay(date) ? bucket : dayOf(nextTradingDay(date)));
}

export function coversBucket(stockBars: StockBars, bucket: number): boolean {
  const first = stockBars.days.at(0)?.key ?? stockBars.today?.day;
  return first !== undefined && isWholeFrom(first, bucket);
}

/** Trading days kept: twelve months of daily bars, a week of minutes. */
export const KEPT_DAYS = 260;
export const KEPT_MINUTE_DAYS = 5;

export function datesBefore(day: number, count: number): string[] {
  const dates: string[] = [];
  let date = dateOf(day);
  while (dates.length < count) {
    date = previousTradingDay(date);
    dates.unshift(date);
  }
  return dates;
}

export function loadDays(stockBars: StockBars, history: History, today: number): void {
  if (stockBars.hasDays) return;
  stockBars.hasDays = true;
  const row = newRow();
  history.eachDay(stockBars.code, addDays(dateOf(today), -1), KEPT_DAYS, (bar) => {
    stockBars.days.put(putRow(row, bar, dayOf(bar.date)));
  });
}

type MinutesToLoad = {
  history: History;
  keyAt: (time: number) => number;
  now: () => number;
  today: number;
  isTradingDay: boolean;
  isInUse: () => boolean;
};

/** Loads the minutes up to now, one date per step. Afterwards trades may be added to them. */
export function* loadMinutes(stockBars: StockBars, options: MinutesToLoad): Generator<undefined, void> {
  const { history, keyAt, now, today, isInUse } = options;
  const { code, minutes } = stockBars;
  const row = newRow();

  function putDate(date: string, until: number): void {
    history.eachMinute(code, date, (bar) => {
      const key = keyAt(bar.time);
      if (key < until) minutes.put(putRow(row, bar, key));
    });
  }

  const started = now();
  minutes.clear();
  for (const date of datesBefore(today, KEPT_MINUTE_DAYS - 1)) {
    putDate(date, started);
    yield;
    if (!isInUse()) {
      minutes.clear();
      return;
    }
  }
  if (options.isTradingDay) putDate(dateOf(today), now());
  stockBars.hasMinutes = true;
}
