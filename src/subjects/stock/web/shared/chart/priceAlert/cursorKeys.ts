import { stepsFrom } from '../../../../../alerts/rules/crossingAt.ts';

/** Price steps of a page key. */
const PAGE = 10;

const STEPS: Readonly<Record<string, number>> = {
  ArrowUp: 1,
  ArrowRight: 1,
  ArrowDown: -1,
  ArrowLeft: -1,
  PageUp: PAGE,
  PageDown: -PAGE,
};

/** Where a key moves the price cursor to, AUD; null when the key is not its own. */
export function movedPrice(key: string, price: number): number | null {
  const steps = STEPS[key];
  return steps === undefined ? null : stepsFrom(price, steps);
}
