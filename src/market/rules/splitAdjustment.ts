import type { Bar } from '../bars/rules/bars.ts';
import { priceStep } from './priceStep.ts';

/** The last seen trade of a session, with the previous close stated in it. */
export type LastTrade = { date: string; price: number; close: number | null };

/** A split or consolidation: earlier prices are multiplied by `factor`, volumes divided by it. */
export type Adjustment = {
  date: string;
  factor: number;
  at: number;
};

/** Coverage since the last trade: `whole`, `part` (the session before, not to its end) or `none`. */
export type Seen = 'whole' | 'part' | 'none';

/** A close may differ from the last seen trade by this fraction, or by two price steps. */
const TOLERANCE = 0.05;
const STEPS = 2.01;
/** If the end of the session was unseen, a smaller ratio may be a real move. */
const MIN_UNSEEN_RATIO = 2.5;

const ratioOf = (factor: number): number => Math.max(factor, 1 / factor);

export const isOneSession = (factor: number): boolean => ratioOf(factor) < MIN_UNSEEN_RATIO;

export const isNoAdjustment = (factor: number): boolean => ratioOf(factor) <= 1 + TOLERANCE;

/**
 * The adjustment since a stock's last trade. The exchange states the adjusted close, so any ratio is
 * possible; an ordinary move appears in trades, not in the previous close.
 * @param close the previous close stated today, AUD
 * @returns null if there is none, or it is unclear
 */
export function adjustmentFactor(last: LastTrade, close: number, seen: Seen): number | null {
  const { price } = last;
  // Until the first trade the source may repeat the last session with its previous close.
  if (seen === 'none' || close === last.close || price <= 0 || close <= 0) return null;
  const factor = Number((close / price).toPrecision(15));
  if (seen === 'part') return isOneSession(factor) ? null : factor;
  const isNear = Math.abs(close - price) <= STEPS * priceStep(Math.min(price, close));
  return isNear || isNoAdjustment(factor) ? null : factor;
}

export function factorSince(adjustments: readonly Adjustment[], date: string): number {
  let factor = 1;
  for (const adjustment of adjustments) if (adjustment.date > date) factor *= adjustment.factor;
  return factor;
}

/** The factor for a price recorded at a moment. @param at epoch ms by the wall clock */
export function factorAfter(adjustments: readonly Adjustment[], at: number): number {
  let factor = 1;
  for (const adjustment of adjustments) if (adjustment.at >= at) factor *= adjustment.factor;
  return factor;
}

export const adjustedPrice = (price: number, factor: number): number =>
  Number((price * factor).toPrecision(8));

export const adjustedBar = <T extends Bar>(bar: T, factor: number): T => ({
  ...bar,
  open: adjustedPrice(bar.open, factor),
  high: adjustedPrice(bar.high, factor),
  low: adjustedPrice(bar.low, factor),
  close: adjustedPrice(bar.close, factor),
  volume: Math.round(bar.volume / factor),
});
