import { dayBucket, minuteBucket, minutesOf } from '../bars/buckets.ts';
import type { StockBars, NotedTrade } from '../bars/currentDay.ts';
import { dayOfKey } from '../bars/localTime.ts';
import type { BarRow } from '../bars/rows.ts';
import { baseOf, type Bucketed, coversBucket, merge, walkBars } from '../bars/walk.ts';
import { createFrame, feedPast, type Frame, setRunning } from './frame.ts';
import type { PlannedFrame } from './plan.ts';

/**
 * A frame of a stock, fed with its whole past.
 * @param earlier rows before the kept ones; @param isDeep whether the past reaches back as far as one likes
 */
export function buildFrame(
  plan: PlannedFrame,
  stockBars: StockBars,
  earlier: readonly BarRow[],
  isDeep: boolean,
): Frame {
  const frame = createFrame(plan);
  const feed = (bucketed: Bucketed): void => feedPast(frame, bucketed);
  const last = walkBars(stockBars, plan.key, earlier, feed);
  if (!last) return frame;
  feed(last);
  if (minutesOf(plan.key) !== null) return frame;
  frame.base = baseOf(stockBars, plan.key, last.bucket);
  // A candle of months is only told when it is known from its beginning.
  frame.isWhole = isDeep || !plan.key.startsWith('htf:') || coversBucket(stockBars, last.bucket);
  return frame;
}

function followMinutes(frame: Frame, minutes: number, { trade }: NotedTrade): void {
  if (!trade) return;
  const { key, price, high, low, volume } = trade;
  const bucket = minuteBucket(minutes, key);
  const figures = { open: price, high, low, close: price, volume };
  const { bar } = frame;
  const isRunning = bar !== null && bucket === frame.bucket;
  setRunning(frame, bucket, isRunning ? merge(bar, figures) : { day: dayOfKey(key), ...figures });
}

/** Brings the running bar of a frame to what was just traded. */
export function follow(frame: Frame, stockBars: StockBars, noted: NotedTrade): void {
  const { key } = frame.plan;
  const minutes = minutesOf(key);
  if (minutes !== null) {
    followMinutes(frame, minutes, noted);
    return;
  }
  const { today } = stockBars;
  if (!today) return;
  const bucket = dayBucket(key, today.day);
  if (bucket !== frame.bucket) {
    // A new bar that begins today; its past, if there is any, is known as little as that of the stock.
    frame.base = null;
    frame.isWhole = frame.isWhole || frame.bar !== null;
  }
  const { open, high, low, close, volume } = today;
  const figures = { open, high, low, close, volume };
  setRunning(frame, bucket, frame.base ? merge(frame.base, figures) : { day: bucket, ...figures });
}
