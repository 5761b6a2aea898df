import { stepIndex, withoutRounding } from './priceStep.ts';

const isPrice = (price: number | null | undefined): price is number =>
  typeof price === 'number' && Number.isFinite(price) && price > 0;

/**
 * The signed number of minimum price steps from one price to another, walking across the bands; a price between
 * steps (auctions, midpoints) gives the nearest whole number, half a step counting as one.
 * @returns null when one of them is not a price
 */
export function pips(from: number | null | undefined, to: number | null | undefined): number | null {
  if (!isPrice(from) || !isPrice(to)) return null;
  const steps = withoutRounding(stepIndex(to) - stepIndex(from));
  const whole = Math.round(Math.abs(steps));
  return steps < 0 && whole > 0 ? -whole : whole;
}
