import { stopLevelOf, type TrackedCall, type TrackState } from './tracker.ts';

/** From `time` (epoch ms) on a trailing stop stood at `price`, AUD. */
export type StopStep = { time: number; price: number };

/** So many steps of one call are kept. */
export const MAX_STOP_STEPS = 200;

/** Whether a stop follows the highest price since the fill. */
export const isTrailing = ({ stopLossType }: Pick<TrackedCall, 'stopLossType'>): boolean =>
  stopLossType === 'TRAILING_ABS' || stopLossType === 'TRAILING_PCT';

/** Where a trailing stop stands; AUD. Null before the fill, and for every other stop. */
export function trailingLevel(call: TrackedCall, state: TrackState): number | null {
  if (!isTrailing(call) || state.filledAt === null) return null;
  return state.stopAt === null ? stopLevelOf(call, state.highest) : state.stopLevel;
}

/** The place of the step, but for the first and the last, that changes the line least when it is left out. */
function leastStep(steps: readonly StopStep[]): number {
  let least = 1;
  let smallest = Number.POSITIVE_INFINITY;
  for (let index = 1; index < steps.length - 1; index += 1) {
    const rise = Math.abs((steps[index]?.price ?? 0) - (steps[index - 1]?.price ?? 0));
    if (rise < smallest) {
      smallest = rise;
      least = index;
    }
  }
  return least;
}

/**
 * Steps with a later one. One of the same moment, or of an earlier one after the clock was set back, takes the last one's
 * place; past `most` the one that matters least goes.
 */
export function withStep(
  steps: readonly StopStep[],
  step: StopStep,
  most: number = MAX_STOP_STEPS,
): readonly StopStep[] {
  const last = steps.at(-1);
  if (last?.price === step.price) return steps;
  const isLater = last === undefined || step.time > last.time;
  const next = isLater ? [...steps, step] : [...steps.slice(0, -1), { ...step, time: last.time }];
  return next.length <= most ? next : next.toSpliced(leastStep(next), 1);
}
