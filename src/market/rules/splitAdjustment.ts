import type { Bar } from '../bars/rules/bars.ts';
import { priceStep } from './priceStep.ts';

/** The last trade that was seen of a session, with the previous close that the source stated in that session. */
export type LastTrade = { date: string; price: number; close: number | null };

/** A split or consolidation: prices of before `date` are multiplied by `factor`, volumes divided by it. */
export type Adjustment = {
  /** The first session in the new prices, YYYY-MM-DD. */
  date: string;
  factor: number;
  /** When it was recognised, epoch ms by the wall clock. */
  at: number;
};

/**
 * How well the time since a last trade was seen: from then on without a gap; the session directly before, but not its
 * end; or not even that.
 */
export type Seen = 'whole' | 'part' | 'none';

/** A closing price may differ from the last trade that was seen by this fraction, or by two price steps. */
const TOLERANCE = 0.05;
const STEPS = 2.01;
/** If the end of the session was not seen, a smaller ratio may be what the stock did in that time. */
const MIN_UNSEEN_RATIO = 2.5;

const ratioOf = (factor: number): number => Math.max(factor, 1 / factor);

/** Whether a stock may have moved by this factor in a session. */
export const isOneSession = (factor: number): boolean => ratioOf(factor) < MIN_UNSEEN_RATIO;

/** Whether prices times this factor are the same prices, as far as closing prices tell. */
export const isNoAdjustment = (factor: number): boolean => ratioOf(factor) <= 1 + TOLERANCE;

/**
 * By what a stock's prices were adjusted since its last trade. The exchange states the close that it has adjusted, so any
 * ratio is possible; an ordinary move shows in trades and not in the previous close.
 * @param close the previous close that the source states today, AUD
 * @returns null if nothing was adjusted, or nothing can be concluded
 */
export function adjustmentFactor(last: LastTrade, close: number, seen: Seen): number | null {
  const { price } = last;
  // The figures of the last session may be stated until the first trade, with the previous close of then.
  if (seen === 'none' || close === last.close || price <= 0 || close <= 0) return null;
  const factor = Number((close / price).toPrecision(15));
  if (seen === 'part') return isOneSession(factor) ? null : factor;
  const isNear = Math.abs(close - price) <= STEPS * priceStep(Math.min(price, close));
  return isNear || isNoAdjustment(factor) ? null : factor;
}

/** What prices of a date are multiplied by to be compared with those of now. */
export function factorSince(adjustments: readonly Adjustment[], date: string): number {
  let factor = 1;
  for (const adjustment of adjustments) if (adjustment.date > date) factor *= adjustment.factor;
  return factor;
}

/** What a price that was written down at a moment is multiplied by. @param at epoch ms by the wall clock */
export function factorAfter(adjustments: readonly Adjustment[], at: number): number {
  let factor = 1;
  for (const adjustment of adjustments) if (adjustment.at >= at) factor *= adjustment.factor;
  return factor;
}

/** A price times a factor, freed of the error of binary fractions. */
export const adjustedPrice = (price: number, factor: number): number =>
  Number((price * factor).toPrecision(8));

/** A bar in the prices and shares of after an adjustment. */
export const adjustedBar = <T extends Bar>(bar: T, factor: number): T => ({
  ...bar,
  open: adjustedPrice(bar.open, factor),
  high: adjustedPrice(bar.high, factor),
  low: adjustedPrice(bar.low, factor),
  close: adjustedPrice(bar.close, factor),
  volume: Math.round(bar.volume / factor),
});
