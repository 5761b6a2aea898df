import type { Bucketed } from '../bars/walk.ts';
import { sevenDigits } from '../wirePrecision.ts';
import type { ValueChanges } from './valueChanges.ts';
import type { PlannedFrame } from './plan.ts';
import type { TimeframeBar, Calc } from './types.ts';

/** The computations of one stock on one timeframe or candle period. */
export type Frame = {
  plan: PlannedFrame;
  calcs: Calc[];
  /** The running bar and the key of its bucket. */
  bucket: number;
  bar: TimeframeBar | null;
  /** The part of the running bar that finished days make up (days and longer only). */
  base: TimeframeBar | null;
  /** Bars that ended since the computations were brought up to date, oldest first. */
  ended: TimeframeBar[];
  /** The last bar that the computations took; it may still be replaced. */
  computed: TimeframeBar | null;
  /** False when the past does not reach back to the beginning of the bar: its values are unknown then. */
  isWhole: boolean;
  /** Results of the last finished bars: all outputs of the newest, then of the one before. NaN when unknown. */
  past: Float64Array;
  /** The value of each output that was written last; NaN when none was. */
  written: Float64Array;
  /** Whether its values were written at all: before, an earlier frame's may stand in their places. */
  isWritten: boolean;
};

const NO_PAST = new Float64Array(0);

export const createFrame = (plan: PlannedFrame): Frame => ({
  plan,
  calcs: plan.calcs.map((calc) => calc.make()),
  bucket: Number.NaN,
  bar: null,
  base: null,
  ended: [],
  computed: null,
  isWhole: true,
  past: plan.delays === 0 ? NO_PAST : new Float64Array(plan.outputs.length * plan.delays).fill(Number.NaN),
  written: new Float64Array(plan.outputs.length).fill(Number.NaN),
  isWritten: false,
});

/** Keeps the results of the bar that has just ended. */
function shiftPast(frame: Frame): void {
  const { past, calcs, plan } = frame;
  if (plan.delays === 0) return;
  const count = plan.outputs.length;
  past.copyWithin(count, 0, count * (plan.delays - 1));
  for (const [index, { calc, output }] of plan.outputs.entries()) {
    past[index] = calcs[calc]?.out[output] ?? Number.NaN;
  }
}

const isSamePrice = (a: TimeframeBar, b: TimeframeBar): boolean =>
  a.close === b.close && a.high === b.high && a.low === b.low && a.open === b.open;

function put(frame: Frame, bar: TimeframeBar, replace: boolean): void {
  const { computed, calcs, plan } = frame;
  if (!replace) shiftPast(frame);
  const onlyVolume = replace && computed !== null && isSamePrice(computed, bar);
  for (let index = 0; index < calcs.length; index += 1) {
    if (onlyVolume && !plan.calcs[index]?.usesVolume) continue;
    calcs[index]?.update(bar, replace);
  }
  frame.computed = bar;
}

/** Takes the bars of the past, oldest first; the last one is the running bar. */
export function feedPast(frame: Frame, { bucket, bar }: Bucketed): void {
  put(frame, bar, false);
  frame.bucket = bucket;
  frame.bar = bar;
}

/** Sets the running bar; in another bucket than before it is the next bar. */
export function setRunning(frame: Frame, bucket: number, bar: TimeframeBar): void {
  if (frame.bar && bucket !== frame.bucket) frame.ended.push(frame.bar);
  frame.bucket = bucket;
  frame.bar = bar;
}

/** Takes the bars since the last call into the computations. */
function compute(frame: Frame): void {
  let replace = frame.computed !== null;
  for (const bar of frame.ended) {
    if (!(replace && bar === frame.computed)) put(frame, bar, replace);
    replace = false;
  }
  frame.ended.length = 0;
  const { bar } = frame;
  if (bar && bar !== frame.computed) put(frame, bar, replace);
}

/**
 * Brings the computations up to date and adds the values that changed to `changes`.
 * @param places the ids of those that are in use now
 */
export function writeFrame(frame: Frame, places: ReadonlySet<string>, changes: ValueChanges): void {
  compute(frame);
  const { outputs } = frame.plan;
  for (let index = 0; index < outputs.length; index += 1) {
    const output = outputs[index];
    if (!output || !places.has(output.placeId)) continue;
    const { delay, place } = output;
    const raw =
      delay === 0
        ? frame.calcs[output.calc]?.out[output.output]
        : frame.past[(delay - 1) * outputs.length + index];
    const value = frame.isWhole ? sevenDigits(raw) : null;
    const before = frame.written[index] ?? Number.NaN;
    if (value === before || (value === null && Number.isNaN(before) && frame.isWritten)) continue;
    frame.written[index] = value ?? Number.NaN;
    changes.set(place, value);
  }
  frame.isWritten = true;
}
