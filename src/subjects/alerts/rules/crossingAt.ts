import { priceAtStep, roundToStep, stepIndex } from '#market/rules/priceStep.ts';

/** `price` is in AUD and on a price step. */
export type PriceCrossing = { price: number; op: 'crosses_above' | 'crosses_below' };

/**
 * @param price AUD, more than 0; rounded to the nearest price step
 * @param current the stock's price, AUD: a lower price is crossed downwards, otherwise upwards
 */
export function crossingAt(price: number, current: number): PriceCrossing {
  const rounded = roundToStep(price);
  return { price: rounded, op: rounded < current ? 'crosses_below' : 'crosses_above' };
}

/** Moves a price by price steps; the lowest price is one step. @param price AUD @param steps negative for down */
export const stepsFrom = (price: number, steps: number): number =>
  priceAtStep(Math.max(1, Math.round(stepIndex(price)) + steps));
