import { dayBucket, minuteBucket, minutesOf } from '../bars/rules/buckets.ts';
import type { NewQuote, StockBars } from '../bars/currentDay.ts';
import { dayOfKey } from '../rules/localTime.ts';
import type { Series } from '../bars/series.ts';
import type { BeganUnseen } from '../bars/store.ts';
import { baseOf, type Bucketed, coversBucket, createBarWalk, merge } from '../bars/walk.ts';
import { createFrame, feedPast, type Frame, setRunning } from './frame.ts';
import type { PlannedFrame } from './plan.ts';

/** How often computations may be updated in one step of building: about 1 ms. */
export const MAX_UPDATES_A_STEP = 2000;

/** A frame on its way through a stock's past. */
export type FrameBuilder = {
  /** Computes all but the newest bars, at most `MAX_UPDATES_A_STEP` updates a step. */
  steps(): Generator<undefined, void>;
  /** Computes the newest bars as they are now. @returns the frame, up to date */
  finish(): Frame;
};

/**
 * Builds a frame of a stock over its whole past. Quotes may come between the steps.
 * @param earlier rows before the kept ones, if any; @param isWhole whether the source's history reaches back to any day
 * @param beganUnseen whether the beginning of a bar of minutes was not seen
 */
export function createFrameBuilder(
  plan: PlannedFrame,
  stockBars: StockBars,
  earlier: Series | null,
  isWhole: boolean,
  beganUnseen: BeganUnseen = () => false,
): FrameBuilder {
  const isDaily = minutesOf(plan.key) === null;
  const frame = createFrame(plan, isWhole);
  const isSeen = ({ bucket, first }: Bucketed): boolean => {
    if (!isDaily) return !beganUnseen(bucket, first);
    // The first bar may have begun before the past that is known.
    return isWhole || frame.bar !== null || coversBucket(stockBars, bucket);
  };
  const feed = (bucketed: Bucketed): void => feedPast(frame, bucketed, isSeen(bucketed));
  const walk = createBarWalk(stockBars, plan.key, earlier, feed);
  return {
    steps: () => walk.steps(Math.max(1, Math.floor(MAX_UPDATES_A_STEP / plan.calcs.length))),
    finish() {
      const last = walk.finish();
      if (!last) return frame;
      feed(last);
      if (isDaily) frame.base = baseOf(stockBars, plan.key, last.bucket);
      return frame;
    },
  };
}

function followMinutes(frame: Frame, minutes: number, { trade }: NewQuote, beganUnseen: BeganUnseen): void {
  if (!trade) return;
  const { key, price, high, low, volume } = trade;
  const bucket = minuteBucket(minutes, key);
  const figures = { open: price, high, low, close: price, volume };
  const { bar } = frame;
  const isRunning = bar !== null && bucket === frame.bucket;
  const next = isRunning ? merge(bar, figures) : { day: dayOfKey(key), ...figures };
  setRunning(frame, bucket, next, isRunning || !beganUnseen(bucket, key));
}

/** Takes a new quote of a stock into the running bar of a frame. */
export function follow(
  frame: Frame,
  stockBars: StockBars,
  quote: NewQuote,
  beganUnseen: BeganUnseen = () => false,
): void {
  const { key } = frame.plan;
  const minutes = minutesOf(key);
  if (minutes !== null) {
    followMinutes(frame, minutes, quote, beganUnseen);
    return;
  }
  const { today } = stockBars;
  if (!today) return;
  const bucket = dayBucket(key, today.day);
  if (bucket !== frame.bucket) frame.base = null;
  const isSeen = frame.bar !== null || frame.isWhole || coversBucket(stockBars, bucket);
  const { open, high, low, close, volume } = today;
  const figures = { open, high, low, close, volume };
  const next = frame.base ? merge(frame.base, figures) : { day: bucket, ...figures };
  setRunning(frame, bucket, next, isSeen);
}
