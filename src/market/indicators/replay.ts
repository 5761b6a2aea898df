import type { Stock } from '../rules/stock.ts';
import { dayBucket, minuteBucket, minutesOf } from '../bars/rules/buckets.ts';
import { dayOfKey } from '../rules/localTime.ts';
import type { BarRow } from '../bars/rows.ts';
import type { BeganUnseen } from '../bars/store.ts';
import { isWholeFrom, merge } from '../bars/walk.ts';
import { compute, createFrame, type Frame, readFrame, setRunning } from './frame.ts';
import type { IndicatorPlan, PlannedFrame, Place } from './plan.ts';
import type { TimeframeBar } from './types.ts';

/** A frame that is led through past bars once more. */
type ReplayedFrame = {
  frame: Frame;
  bucketOf: (key: number) => number;
  dayOf: (bucket: number) => number;
  /** The finished rows of the running bar; null when it begins with the next row. */
  base: TimeframeBar | null;
  beganUnseen: BeganUnseen;
};

/**
 * The values of a plan as they were at past moments, for one stock. No value knows what came later. What is shown or
 * finished must come in the order of time.
 */
export type Replay = {
  /** Takes a finished minute; its key is a minute key. */
  finishMinute(row: BarRow): void;
  /** Takes a finished day; its key is a day number. */
  finishDay(row: BarRow): void;
  /** Shows the running minute and the running day as far as they have come. */
  show(minute: BarRow | null, day: BarRow): void;
  /** Computes what was finished since the last call; without it the next `write` has it all to do. */
  settle(): void;
  /** Puts the values of what is shown into the stock. */
  write(stock: Stock): void;
};

function replayed(plan: PlannedFrame, beganUnseen: BeganUnseen): ReplayedFrame {
  const { key } = plan;
  const minutes = minutesOf(key);
  const isDaily = minutes === null;
  return {
    frame: createFrame(plan),
    bucketOf: isDaily ? (day) => dayBucket(key, day) : (minute) => minuteBucket(minutes, minute),
    dayOf: isDaily ? (bucket) => bucket : dayOfKey,
    base: null,
    beganUnseen,
  };
}

/** The running bar with one more row. */
function withRow({ frame, base, dayOf }: ReplayedFrame, bucket: number, row: BarRow): TimeframeBar {
  if (base !== null && bucket === frame.bucket) return merge(base, row);
  const { open, high, low, close, volume } = row;
  return { day: dayOf(bucket), open, high, low, close, volume };
}

function showIn(one: ReplayedFrame, row: BarRow): void {
  const bucket = one.bucketOf(row.key);
  const bar = withRow(one, bucket, row);
  // Only the close is known of a week or month that began before the first known day, and of minutes that began unseen.
  const { frame } = one;
  const isDaily = minutesOf(frame.plan.key) === null;
  const isSeen = isDaily
    ? frame.bar !== null || isWholeFrom(row.key, bucket)
    : bucket === frame.bucket || !one.beganUnseen(bucket, row.key);
  if (bucket !== frame.bucket) one.base = null;
  setRunning(frame, bucket, bar, isSeen);
}

function finishIn(one: ReplayedFrame, row: BarRow): void {
  showIn(one, row);
  one.base = one.frame.bar;
}

function put(stock: Stock, place: Place, value: number | null): void {
  if (place.kind === 'htf') {
    const htf = (stock.htf ??= {});
    (htf[place.period] ??= {})[place.field] = value;
    return;
  }
  const frames = (stock.indicators ??= {});
  const values = (frames[place.tf] ??= {});
  (values[place.key] ??= {})[place.valueKey] = value;
}

/**
 * @param plan of its own: a frame's computations are shared by all stocks, but not in the middle of one's bars
 * @param beganUnseen whether the beginning of a bar of minutes was not seen
 */
export function createReplay(plan: IndicatorPlan, beganUnseen: BeganUnseen = () => false): Replay {
  const all = plan.frames.map((frame) => replayed(frame, beganUnseen));
  const ofMinutes = all.filter(({ frame }) => minutesOf(frame.plan.key) !== null);
  const ofDays = all.filter(({ frame }) => minutesOf(frame.plan.key) === null);
  return {
    finishMinute(row) {
      for (const one of ofMinutes) finishIn(one, row);
    },
    finishDay(row) {
      for (const one of ofDays) finishIn(one, row);
    },
    show(minute, day) {
      if (minute) for (const one of ofMinutes) showIn(one, minute);
      for (const one of ofDays) showIn(one, day);
    },
    settle() {
      for (const { frame } of all) compute(frame);
    },
    write(stock) {
      for (const { frame } of all) readFrame(frame, ({ place }, value) => put(stock, place, value));
    },
  };
}
