import { POTENCIES, type Potency } from '#market/calendar/rules/calendarEvent.ts';
import { type Surprise, surpriseOf } from './figures.ts';

/** A figure as first published. Times are epoch ms by the calendar's clock. */
export type Outcome = {
  time: number;
  actual: number;
  consensus: number | null;
  previous: number | null;
  /** The source's correction of the previous figure, published with this one. */
  revised: number | null;
  /** The source's later correction of this figure. */
  corrected: number | null;
  potency: Potency;
  isBetter: boolean | null;
};

export type MeasuredSurprise = {
  /** Actual minus consensus, in the figure's unit and potency. */
  difference: number;
  /** The difference in standard deviations of earlier ones; null if there are too few, or if all are equal. */
  sigma: number | null;
  earlier: number;
  side: Surprise;
};

/** With fewer surprises the standard deviation is not meaningful. */
export const MIN_EARLIER = 5;

/** Removes rounding errors, such as 4.4 − 4.1 = 0.30000000000000071. */
const exact = (value: number): number => Number(value.toPrecision(12));

/** Converts to ones, so that figures with different potencies can be compared. */
const inOnes = (value: number, potency: Potency): number => value * 1000 ** POTENCIES.indexOf(potency);

const differenceOf = ({ actual, consensus, potency }: Outcome): number | null =>
  consensus === null ? null : inOnes(exact(actual - consensus), potency);

/** The sample standard deviation; null for fewer than two values. */
export function standardDeviation(values: readonly number[]): number | null {
  if (values.length < 2) return null;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1));
}

/**
 * (actual − consensus) ÷ the standard deviation of the series' surprises, after Balduzzi, Elton and Green ("Economic
 * News and Bond Prices", 2001). Only earlier surprises count, so that later ones do not change the result.
 * @param earlier earlier outcomes of the series
 * @returns null without a consensus
 */
export function measureSurprise(outcome: Outcome, earlier: readonly Outcome[]): MeasuredSurprise | null {
  const { actual, consensus, isBetter, potency } = outcome;
  const difference = differenceOf(outcome);
  const side = surpriseOf({ actual, consensus, isBetterThanExpected: isBetter });
  if (difference === null || consensus === null || side === null) return null;
  const known = earlier.map(differenceOf).filter((one) => one !== null);
  const spread = known.length < MIN_EARLIER ? null : standardDeviation(known);
  const smallest = inOnes(1e-9, potency);
  return {
    difference: exact(actual - consensus),
    sigma: spread === null || spread <= smallest ? null : difference / spread,
    earlier: known.length,
    side,
  };
}

/** The later correction of a figure: by its source, or as the previous figure of the next release; null for none. */
export function correctionOf(outcome: Outcome, next: Outcome | null): number | null {
  const { actual, corrected, potency } = outcome;
  const isNext = next !== null && next.potency === potency && next.previous === actual;
  const revised = isNext ? next.revised : null;
  const found = revised ?? corrected;
  return found === actual ? null : found;
}

export const directionOf = ({ side }: Pick<MeasuredSurprise, 'side'>): 'up' | 'down' | null =>
  side === 'asExpected' ? null : side === 'better' || side === 'above' ? 'up' : 'down';
