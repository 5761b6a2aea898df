/**
 * Minimum price steps in AUD: $0.001 below $0.10, $0.005 below $2.00, $0.01 from there. Source: asx.com.au,
 * trading services, price steps.
 */
type Band = { from: number; step: number; stepsBelow: number };

const CENT_BAND: Band = { from: 2, step: 0.01, stepsBelow: 480 };
const HALF_CENT_BAND: Band = { from: 0.1, step: 0.005, stepsBelow: 100 };
const TENTH_CENT_BAND: Band = { from: 0, step: 0.001, stepsBelow: 0 };

/** Removes binary rounding errors, which are far below any step. */
const withoutRounding = (price: number): number => Math.round(price * 1e6) / 1e6;

function bandOf(price: number): Band {
  const exact = withoutRounding(price);
  if (exact >= CENT_BAND.from) return CENT_BAND;
  return exact >= HALF_CENT_BAND.from ? HALF_CENT_BAND : TENTH_CENT_BAND;
}

export const priceStep = (price: number): number => bandOf(price).step;

/** Steps from zero to a price in AUD, across the bands; a fraction between steps. */
export function stepIndex(price: number): number {
  const band = bandOf(price);
  return band.stepsBelow + withoutRounding((price - band.from) / band.step);
}

export function priceAtStep(index: number): number {
  const band =
    index >= CENT_BAND.stepsBelow
      ? CENT_BAND
      : index >= HALF_CENT_BAND.stepsBelow
        ? HALF_CENT_BAND
        : TENTH_CENT_BAND;
  return Math.round((band.from + (index - band.stepsBelow) * band.step) * 1000) / 1000;
}

/** The nearest valid order price, at least one step; half steps round up. @param price positive */
export const roundToStep = (price: number): number => priceAtStep(Math.max(1, Math.round(stepIndex(price))));

const isPrice = (price: number | null | undefined): price is number =>
  typeof price === 'number' && Number.isFinite(price) && price > 0;

/**
 * Signed price steps from one price to another, across the bands; prices between steps (auctions, midpoints)
 * round to the nearest, half a step to one.
 * @returns null if either is not a price
 */
export function pips(from: number | null | undefined, to: number | null | undefined): number | null {
  if (!isPrice(from) || !isPrice(to)) return null;
  const steps = withoutRounding(stepIndex(to) - stepIndex(from));
  const whole = Math.round(Math.abs(steps));
  return steps < 0 && whole > 0 ? -whole : whole;
}
