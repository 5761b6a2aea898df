import { dayBucket, minuteBucket, minutesOf } from '../bars/rules/buckets.ts';
import type { NewQuote, StockBars } from '../bars/currentDay.ts';
import { dayOfKey } from '../rules/localTime.ts';
import type { Series } from '../bars/series.ts';
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
 */
export function createFrameBuilder(
  plan: PlannedFrame,
  stockBars: StockBars,
  earlier: Series | null,
  isWhole: boolean,
): FrameBuilder {
  const frame = createFrame(plan);
  const feed = (bucketed: Bucketed): void => feedPast(frame, bucketed);
  const walk = createBarWalk(stockBars, plan.key, earlier, feed);
  return {
    steps: () => walk.steps(Math.max(1, Math.floor(MAX_UPDATES_A_STEP / plan.calcs.length))),
    finish() {
      const last = walk.finish();
      if (!last) return frame;
      feed(last);
      if (minutesOf(plan.key) !== null) return frame;
      frame.base = baseOf(stockBars, plan.key, last.bucket);
      // A candle of months has values only when its first day is known.
      frame.isWhole = isWhole || !plan.key.startsWith('htf:') || coversBucket(stockBars, last.bucket);
      return frame;
    },
  };
}

function followMinutes(frame: Frame, minutes: number, { trade }: NewQuote): void {
  if (!trade) return;
  const { key, price, high, low, volume } = trade;
  const bucket = minuteBucket(minutes, key);
  const figures = { open: price, high, low, close: price, volume };
  const { bar } = frame;
  const isRunning = bar !== null && bucket === frame.bucket;
  setRunning(frame, bucket, isRunning ? merge(bar, figures) : { day: dayOfKey(key), ...figures });
}

/** Takes a new quote of a stock into the running bar of a frame. */
export function follow(frame: Frame, stockBars: StockBars, quote: NewQuote): void {
  const { key } = frame.plan;
  const minutes = minutesOf(key);
  if (minutes !== null) {
    followMinutes(frame, minutes, quote);
    return;
  }
  const { today } = stockBars;
  if (!today) return;
  const bucket = dayBucket(key, today.day);
  if (bucket !== frame.bucket) {
    // A bar that begins today is whole, unless it is the first one and may have begun before the past that is known.
    frame.base = null;
    frame.isWhole = frame.isWhole || frame.bar !== null;
  }
  const { open, high, low, close, volume } = today;
  const figures = { open, high, low, close, volume };
  setRunning(frame, bucket, frame.base ? merge(frame.base, figures) : { day: bucket, ...figures });
}
