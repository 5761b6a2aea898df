import type { BarColumns } from '../../../market/bars/rules/bars.ts';
import type { StopPath } from './life.ts';
import { isTrailing, type StopStep, withStep } from './stopSteps.ts';
import { startTracking, stopLevelOf, type TrackedCall } from './tracker.ts';

/** What is known of a trailing stop's way. Times are epoch ms, all by the same clock as the bars'. */
export type StopFacts = {
  call: TrackedCall;
  filledAt: number | null;
  fillPrice: number | null;
  /** The highest price since the fill, as the tracker has it; AUD. */
  highest: number | null;
  /** When it was reached, or the call ended, or now. */
  until: number;
  /** As the tracker moved it, oldest first; none for a call from before that was recorded. */
  steps: readonly StopStep[];
  bars: BarColumns | null;
};

const isBefore =
  (until: number) =>
  ({ time }: StopStep): boolean =>
    time <= until;

/** The stop as the highs of the bars would have moved it, never above where the tracker has it. */
function stepsOfBars(
  { call, filledAt, highest, bars, until }: StopFacts,
  first: StopStep,
): readonly StopStep[] {
  let steps: readonly StopStep[] = [first];
  let high = Number.NEGATIVE_INFINITY;
  const begin = filledAt ?? until;
  bars?.time.forEach((time, index) => {
    // The bar in which it was filled began before, and its high may have come before too.
    if (time < begin || time > until) return;
    high = Math.max(high, Math.min(bars.high[index] ?? high, highest ?? high));
    const price = stopLevelOf(call, high);
    if (price !== null && price > (steps.at(-1)?.price ?? 0)) steps = withStep(steps, { time, price });
  });
  return steps;
}

/**
 * The line of a trailing stop: it holds from each time to the next, and its last point ends it.
 *
 * @returns null for a stop that does not trail, or before the fill
 */
export function stopPath(facts: StopFacts): StopPath | null {
  const { call, filledAt, fillPrice, highest, until, steps: recorded } = facts;
  if (!isTrailing(call) || filledAt === null) return null;
  const firstHigh = call.callType === 'bought' ? startTracking(call).highest : fillPrice;
  const first = { time: filledAt, price: stopLevelOf(call, firstHigh) ?? 0 };
  const isRecorded = recorded.length > 0 || highest === firstHigh;
  const known = recorded.reduce((steps, step) => withStep(steps, step), [first] as readonly StopStep[]);
  const steps = (isRecorded ? known : stepsOfBars(facts, first)).filter(isBefore(until));
  const last = steps.at(-1);
  if (last === undefined) return null;
  const ended = until > last.time ? [...steps, { time: until, price: last.price }] : steps;
  return {
    from: isRecorded ? 'tracker' : 'bars',
    time: ended.map(({ time }) => time),
    price: ended.map(({ price }) => price),
  };
}
