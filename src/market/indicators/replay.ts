import type { Stock } from '../rules/stock.ts';
import { dayBucket, minuteBucket, minutesOf } from '../bars/rules/buckets.ts';
import { dayOfKey } from '../rules/localTime.ts';
import type { BarRow } from '../bars/rows.ts';
import type { BeganUnseen } from '../bars/store.ts';
import { isWholeFrom, merge } from '../bars/walk.ts';
import {
  compute,
  createFrame,
  type Frame,
  type Place,
  type PlannedFrame,
  readFrame,
  setRunning,
} from './frame.ts';
import type { IndicatorPlan } from './plan.ts';
import type { TimeframeBar } from './types.ts';

type ReplayedFrame = {
  frame: Frame;
  bucketOf: (key: number) => number;
  dayOf: (bucket: number) => number;
  /** The finished rows of the running bar; null if it begins with the next row. */
  base: TimeframeBar | null;
  beganUnseen: BeganUnseen;
};

/** A stock's values at past moments, without knowledge of later ones. Rows must be added in time order. */
export type Replay = {
  finishMinute(row: BarRow): void;
  finishDay(row: BarRow): void;
  show(minute: BarRow | null, day: BarRow): void;
  /** Computes the finished rows now instead of in `write`. */
  settle(): void;
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

function withRow({ frame, base, dayOf }: ReplayedFrame, bucket: number, row: BarRow): TimeframeBar {
  if (base !== null && bucket === frame.bucket) return merge(base, row);
  const { open, high, low, close, volume } = row;
  return { day: dayOf(bucket), open, high, low, close, volume };
}

function showIn(one: ReplayedFrame, row: BarRow): void {
  const bucket = one.bucketOf(row.key);
  const bar = withRow(one, bucket, row);
  // If a bar began before the first known day, or its beginning was not seen, only its close is known.
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
 * @param plan a separate one, because shared computations would mix the bars of different stocks
 * @param beganUnseen whether a minute bar's beginning was not seen
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
