import type { Stock } from '../rules/stock.ts';
import type { History } from '#sources/quotes/history.ts';
import { minutesOf } from '../bars/rules/buckets.ts';
import type { StockBars } from '../bars/currentDay.ts';
import type { BarStore } from '../bars/store.ts';
import { createEarlierRows, type EarlierRoom } from '../bars/earlierRows.ts';
import { createFrameBuilder, type FrameBuilder } from './build.ts';
import type { Frame } from './frame.ts';
import type { IndicatorPlan, PlannedFrame } from './plan.ts';

export type Preparation = {
  stock: Stock;
  quoteTime: number | null;
  statedTime: number | null;
  bars: BarStore;
  history: History;
  plan: IndicatorPlan;
  /** For what is read before the kept bars; no other stock's preparation uses it meanwhile. */
  room: EarlierRoom;
  /** The frames that the stock has now. */
  present: () => readonly Frame[];
  /** Whether the plan still is the one in use, and the bars are those of the day it began on. */
  isCurrent: () => boolean;
};

/** A frame of the plan: one that the stock has already, or the builder of a new one. */
type PreparedFrame = { existing: Frame } | { builder: FrameBuilder };

/** The frames of the plan, all but the newest bars computed. @param present those that the stock has already */
function* buildFrames(
  { bars, history, plan, room }: Preparation,
  stockBars: StockBars,
  present: readonly Frame[],
): Generator<undefined, PreparedFrame[]> {
  const earlierRows = createEarlierRows(
    plan.frames.map((frame) => frame.key),
    { history, keyAt: bars.keyAt },
    room,
  );
  const prepared: PreparedFrame[] = [];
  const isWhole = history.isDeep && history.firstDate === undefined;
  for (const planned of plan.frames) {
    const existing = present.find((frame) => frame.plan === planned);
    if (existing) {
      prepared.push({ existing });
      continue;
    }
    const earlier = yield* earlierRows(stockBars, planned.key);
    const builder = createFrameBuilder(planned, stockBars, earlier, isWhole, bars.beganUnseen);
    yield* builder.steps();
    prepared.push({ builder });
    yield;
  }
  return prepared;
}

/** The frames that are to be built. */
const missingFrames = ({ frames }: IndicatorPlan, present: readonly Frame[]): PlannedFrame[] =>
  frames.filter((planned) => !present.some((frame) => frame.plan === planned));

/** The frames of a stock for a plan; `isChanged` is false when it had all of them. */
export type PreparedFrames = { frames: Frame[]; isChanged: boolean };

/**
 * Loads the past of a stock and computes the frames of a plan from it, in steps short enough to stop between them.
 * @returns the frames; null when the plan was replaced or the stock's bars were dropped meanwhile
 */
export function* prepareFrames(preparation: Preparation): Generator<undefined, PreparedFrames | null> {
  const { stock, quoteTime, statedTime, bars, isCurrent } = preparation;
  const stockBars = bars.ensure(stock.code);
  const present = preparation.present();
  const missing = missingFrames(preparation.plan, present);
  if (missing.length > 0) bars.loadDays(stockBars);
  bars.takeQuote(stock, quoteTime, statedTime);
  yield;
  if (missing.some(({ key }) => minutesOf(key) !== null)) yield* bars.loadMinutes(stockBars);
  const prepared = yield* buildFrames(preparation, stockBars, present);
  if (bars.get(stock.code) !== stockBars) {
    // What was loaded after the bars were dropped still holds memory.
    stockBars.days.clear();
    stockBars.minutes.clear();
    return null;
  }
  if (!isCurrent()) return null;
  const frames = prepared.map((one) => ('existing' in one ? one.existing : one.builder.finish()));
  // A frame goes on by itself; a week of minutes of all stocks would be 60 MB, and a year of days 10.
  bars.releasePast(stockBars);
  return { frames, isChanged: prepared.some((one) => 'builder' in one) };
}
