import { priceAtStep, roundToStep, stepIndex } from '#market/rules/priceStep.ts';
import { priceText } from './seenText.ts';

/** A price in AUD that the market reaches from below or from above. */
export type PriceCrossing = { price: number; op: '>=' | '<=' };

/** 'rises to 51.80' */
export const crossingText = ({ price, op }: PriceCrossing): string =>
  `${op === '>=' ? 'rises' : 'falls'} to ${priceText(price)}`;

/**
 * @param price AUD, more than 0; rounded to the nearest price step
 * @param current the stock's price, AUD: a lower price is reached downwards, otherwise upwards
 */
export function crossingAt(price: number, current: number): PriceCrossing {
  const rounded = roundToStep(price);
  return { price: rounded, op: rounded < current ? '<=' : '>=' };
}

/** Moves a price by price steps; the lowest price is one step. @param price AUD @param steps negative for down */
export const stepsFrom = (price: number, steps: number): number =>
  priceAtStep(Math.max(1, Math.round(stepIndex(price)) + steps));
