import { priceAtStep, roundToStep, stepIndex } from '#market/rules/priceStep.ts';

/** A crossing of a price: AUD, one that an order may have. */
export type PriceCrossing = { price: number; op: 'crosses_above' | 'crosses_below' };

/**
 * What an alert at a price waits for.
 * @param price AUD, more than 0; it is taken to the nearest price step
 * @param current what the stock stands at, AUD: below it the price is crossed downwards, from it on upwards
 */
export function crossingAt(price: number, current: number): PriceCrossing {
  const rounded = roundToStep(price);
  return { price: rounded, op: rounded < current ? 'crosses_below' : 'crosses_above' };
}

/** A price this many steps higher, or lower for less than 0; the lowest is one step. @param price AUD */
export const stepsFrom = (price: number, steps: number): number =>
  priceAtStep(Math.max(1, Math.round(stepIndex(price)) + steps));
