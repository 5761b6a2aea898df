import { stepsFrom } from '#subjects/alerts/rules/crossingAt.ts';

/** Price steps per press of a page key. */
const PAGE = 10;

const STEPS: Readonly<Record<string, number>> = {
  ArrowUp: 1,
  ArrowRight: 1,
  ArrowDown: -1,
  ArrowLeft: -1,
  PageUp: PAGE,
  PageDown: -PAGE,
};

/** The price after a key press, AUD; null if a price's slider does not use the key. */
export function movedPrice(key: string, price: number): number | null {
  const steps = STEPS[key];
  return steps === undefined ? null : stepsFrom(price, steps);
}
