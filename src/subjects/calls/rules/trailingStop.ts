import type { BarColumns } from '#market/bars/rules/bars.ts';
import type { StopPath } from './types.ts';
import { bestOf, signOf, worstOf } from './side.ts';
import { startTracking, stopLevelOf, type TrackedCall, type TrackState } from './tracker.ts';

/** A step of the stop: its level is `price` (AUD) from `time` (epoch ms) on. */
export type StopStep = { time: number; price: number };

export const MAX_STOP_STEPS = 200;

export const isTrailing = ({ stopLossType }: Pick<TrackedCall, 'stopLossType'>): boolean =>
  stopLossType === 'TRAILING_ABS' || stopLossType === 'TRAILING_PCT';

/** The level of a trailing stop, AUD; null before the fill and for other stops. */
export function trailingLevel(call: TrackedCall, state: TrackState): number | null {
  if (!isTrailing(call) || state.filledAt === null) return null;
  return state.stopAt === null ? stopLevelOf(call, state.highest) : state.stopLevel;
}

/** The inner step whose removal changes the line least. */
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
 * Adds a step. If its time is not later than the last step's, because the clock was set back, it replaces that step.
 * Above `most` steps, the least important one is removed.
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

/** Times are epoch ms, by the same clock as the bars. */
export type StopFacts = {
  call: TrackedCall;
  filledAt: number | null;
  fillPrice: number | null;
  /** The tracker's `highest`, AUD. */
  highest: number | null;
  /** When the stop was reached or the call ended, otherwise now. */
  until: number;
  /** Steps recorded by the tracker, oldest first; empty for older calls. */
  steps: readonly StopStep[];
  bars: BarColumns | null;
};

const isBefore =
  (until: number) =>
  ({ time }: StopStep): boolean =>
    time <= until;

/** The stop as computed from the bars' highs (lows for a short call), never beyond the tracker's level. */
function stepsOfBars(
  { call, filledAt, highest, bars, until }: StopFacts,
  first: StopStep,
): readonly StopStep[] {
  let steps: readonly StopStep[] = [first];
  const sign = signOf(call);
  const ends = call.isShort ? bars?.low : bars?.high;
  let high = sign * Number.NEGATIVE_INFINITY;
  const begin = filledAt ?? until;
  bars?.time.forEach((time, index) => {
    // The bar of the fill began before it, so its high may be older than the fill.
    if (time < begin || time > until) return;
    const end = ends?.[index] ?? high;
    high = bestOf(call, high, worstOf(call, end, highest ?? end));
    const price = stopLevelOf(call, high);
    if (price !== null && sign * price > sign * (steps.at(-1)?.price ?? 0)) {
      steps = withStep(steps, { time, price });
    }
  });
  return steps;
}

/**
 * The line of a trailing stop: each point holds until the next, the last one ends it.
 * @returns null for other stops, or before the fill
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
