import type { History } from '../../sources/history.ts';
import type { Bar } from '../indicators/types.ts';
import { dayBucket, type FrameKey, minuteBucket, minutesOf } from './buckets.ts';
import type { Desk } from './desk.ts';
import { dateOf, dayOf, dayOfKey } from './localTime.ts';
import type { Row } from './rows.ts';

/** A bar and the bucket that it fills: the key of its first minute, or its first day. */
export type Bucketed = { bucket: number; bar: Bar };

const EARLIER: Readonly<Record<string, number>> = { '60': 10, '120': 10, '240': 20, W: 504, M: 1260 };

/** How many days further back than what is kept a frame would like to see, where the past can be asked for. */
export const wantedDays = (frame: FrameKey): number => EARLIER[frame] ?? 0;

export const merge = (a: Bar, b: Omit<Bar, 'day'>): Bar => ({
  day: a.day,
  open: a.open,
  high: Math.max(a.high, b.high),
  low: Math.min(a.low, b.low),
  close: b.close,
  volume: a.volume + b.volume,
});

/** Joins rows of one bucket after another into bars; calls `visit` with each finished one and gives back the last. */
const createJoiner = (frame: FrameKey, visit: (bucketed: Bucketed) => void) => {
  const minutes = minutesOf(frame);
  let current: Bucketed | null = null;
  return {
    add(row: Row): void {
      const bucket = minutes === null ? dayBucket(frame, row.key) : minuteBucket(minutes, row.key);
      if (current?.bucket === bucket) {
        current = { bucket, bar: merge(current.bar, row) };
        return;
      }
      if (current) visit(current);
      const { open, high, low, close, volume } = row;
      const day = minutes === null ? bucket : dayOfKey(row.key);
      current = { bucket, bar: { day, open, high, low, close, volume } };
    },
    last: () => current,
  };
};

/** What bars of the past are read with: where they come from, and how instants become minute keys. */
export type Past = { history: History; keyAt: (time: number) => number };

const earlierDays = (desk: Desk, { history }: Past, count: number): Row[] => {
  const first = desk.days.at(0)?.key;
  const missing = count - desk.days.length();
  if (first === undefined || missing <= 0) return [];
  return history
    .daily(desk.code, dateOf(first - 1), missing)
    .map(({ date, ...bar }) => ({ key: dayOf(date), ...bar }));
};

/** Minutes of days before the kept ones; a day that traded is one that the daily bars have. */
function* earlierMinutes(desk: Desk, { history, keyAt }: Past, count: number): Generator<undefined, Row[]> {
  const first = desk.minutes.at(0)?.key;
  const until = first === undefined ? desk.days.length() : desk.days.indexFrom(dayOfKey(first));
  const rows: Row[] = [];
  for (let index = Math.max(0, until - count); index < until; index += 1) {
    const day = desk.days.at(index);
    if (!day) continue;
    for (const { time, ...bar } of history.minutes(desk.code, dateOf(day.key))) {
      rows.push({ key: keyAt(time), ...bar });
    }
    yield;
  }
  return rows;
}

/** Reads rows before the kept ones, for frames that look further back than what is kept. */
export type EarlierRows = (desk: Desk, frame: FrameKey) => Generator<undefined, readonly Row[]>;

/**
 * Earlier rows of one stock for some frames, where the past can be asked for them. One date of minutes at a time, so
 * that the work can be spread; the frames of minutes share what was read.
 */
export const createEarlierRows = (frames: readonly FrameKey[], past: Past): EarlierRows => {
  const longest = Math.max(0, ...frames.filter((frame) => minutesOf(frame) !== null).map(wantedDays));
  let minutes: readonly Row[] | null = null;
  return function* (desk, frame) {
    const count = wantedDays(frame);
    if (count === 0 || !past.history.isDeep) return [];
    if (minutesOf(frame) === null) return earlierDays(desk, past, count);
    minutes ??= yield* earlierMinutes(desk, past, longest);
    return minutes;
  };
};

/**
 * Goes through all bars of a frame from the oldest on. The last one may still be running.
 * @param earlier rows before the kept ones; @param visit called with every bar but the last
 * @returns the last; null when the stock never traded
 */
export const walkBars = (
  desk: Desk,
  frame: FrameKey,
  earlier: readonly Row[],
  visit: (bucketed: Bucketed) => void,
): Bucketed | null => {
  const joiner = createJoiner(frame, visit);
  for (const row of earlier) joiner.add(row);
  if (minutesOf(frame) !== null) {
    desk.minutes.each(joiner.add);
    return joiner.last();
  }
  desk.days.each(joiner.add);
  const { today } = desk;
  if (today) joiner.add({ ...today, key: today.day });
  return joiner.last();
};

/** What the finished days of a running bar hold: the bar without today; null when today begins it. */
export const baseOf = (desk: Desk, frame: FrameKey, bucket: number): Bar | null => {
  let base: Bar | null = null;
  for (let index = desk.days.indexFrom(bucket); index < desk.days.length(); index += 1) {
    const row = desk.days.at(index);
    if (!row || dayBucket(frame, row.key) !== bucket) continue;
    const { open, high, low, close, volume } = row;
    base = base ? merge(base, row) : { day: bucket, open, high, low, close, volume };
  }
  return base;
};

/** Whether the finished days reach back to the beginning of a bucket, so that its bar is whole. */
export const coversBucket = (desk: Desk, bucket: number): boolean => {
  const first = desk.days.at(0)?.key ?? desk.today?.day;
  // A long weekend and a holiday may stand at the beginning.
  return first !== undefined && first <= bucket + 5;
};
