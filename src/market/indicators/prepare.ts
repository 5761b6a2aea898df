import type { Stock } from '../../domain/market/stock.ts';
import type { History } from '../../sources/quotes/history.ts';
import type { StockBars } from '../bars/currentDay.ts';
import type { BarRow } from '../bars/rows.ts';
import type { BarStore } from '../bars/store.ts';
import { createEarlierRows } from '../bars/walk.ts';
import { buildFrame } from './build.ts';
import type { Frame } from './frame.ts';
import type { IndicatorPlan } from './plan.ts';

export type Preparation = {
  stock: Stock;
  quoteTime: number | null;
  bars: BarStore;
  history: History;
  plan: IndicatorPlan;
  /** The frames that the stock has now. */
  present: () => readonly Frame[];
  /** Whether the plan still is the one in use. */
  isCurrent: () => boolean;
};

type BuiltFrame = {
  frame: Frame;
  earlier: readonly BarRow[];
  lastQuote: StockBars['lastQuote'];
  isNew: boolean;
};

/** The frames of the plan: those that the stock has already, and the others built from its past. */
function* buildFrames(preparation: Preparation, stockBars: StockBars): Generator<undefined, BuiltFrame[]> {
  const { bars, history, plan } = preparation;
  const present = preparation.present();
  const earlierRows = createEarlierRows(
    plan.frames.map((frame) => frame.key),
    { history, keyAt: bars.keyAt },
  );
  const built: BuiltFrame[] = [];
  for (const planned of plan.frames) {
    const existing = present.find((frame) => frame.plan === planned);
    const earlier = existing ? [] : yield* earlierRows(stockBars, planned.key);
    const frame = existing ?? buildFrame(planned, stockBars, earlier, history.isDeep);
    built.push({ frame, earlier, lastQuote: stockBars.lastQuote, isNew: !existing });
    yield;
  }
  return built;
}

/**
 * Loads the past of a stock and computes the frames of a plan from it, in steps short enough to stop between them.
 * @returns the frames; null when the plan was replaced or the stock's bars were dropped meanwhile
 */
export function* prepareFrames(preparation: Preparation): Generator<undefined, Frame[] | null> {
  const { stock, quoteTime, bars, history, plan, isCurrent } = preparation;
  const stockBars = bars.ensure(stock.code);
  bars.loadDays(stockBars);
  bars.takeQuote(stock, quoteTime);
  yield;
  if (plan.usesMinutes) yield* bars.loadMinutes(stockBars);
  const built = yield* buildFrames(preparation, stockBars);
  if (bars.get(stock.code) !== stockBars) {
    // What was loaded after the bars were dropped still holds memory.
    stockBars.days.clear();
    stockBars.minutes.clear();
    return null;
  }
  if (!isCurrent()) return null;
  return built.map(({ frame, earlier, lastQuote, isNew }) =>
    // Quotes that came after a new frame was built are in the bars only: no frame of the stock followed them.
    isNew && lastQuote !== stockBars.lastQuote
      ? buildFrame(frame.plan, stockBars, earlier, history.isDeep)
      : frame,
  );
}
