import type { Bucketed } from '../bars/walk.ts';
import { onWire, type ValuesDraft } from './draft.ts';
import type { PlannedFrame } from './plan.ts';
import type { TimeframeBar, Calc } from './types.ts';

/** The computations of one stock on one frame. */
export type Frame = {
  plan: PlannedFrame;
  calcs: Calc[];
  /** The running bar, and what of it earlier days hold (days and longer only). */
  bucket: number;
  bar: TimeframeBar | null;
  base: TimeframeBar | null;
  /** Bars that ended since the computations were brought up to date, oldest first. */
  ended: TimeframeBar[];
  /** What the computations know as their last bar; it may still be replaced. */
  known: TimeframeBar | null;
  /** False when the past does not reach back to the beginning of the bar: then nothing is told. */
  isWhole: boolean;
  /** Results of finished bars, `outputs` after `outputs`, the newest first. NaN when unknown. */
  past: Float64Array;
  /** What was told last; NaN when nothing. */
  written: Float64Array;
};

const NO_PAST = new Float64Array(0);

export const createFrame = (plan: PlannedFrame): Frame => ({
  plan,
  calcs: plan.calcs.map((calc) => calc.make()),
  bucket: Number.NaN,
  bar: null,
  base: null,
  ended: [],
  known: null,
  isWhole: true,
  past: plan.delays === 0 ? NO_PAST : new Float64Array(plan.outputs.length * plan.delays).fill(Number.NaN),
  written: new Float64Array(plan.outputs.length).fill(Number.NaN),
});

/** Keeps the results of the bar that just ended. */
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
  const { known, calcs, plan } = frame;
  if (!replace) shiftPast(frame);
  // When only the volume moved, most results stand.
  const onlyVolume = replace && known !== null && isSamePrice(known, bar);
  for (let index = 0; index < calcs.length; index += 1) {
    if (onlyVolume && !plan.calcs[index]?.usesVolume) continue;
    calcs[index]?.update(bar, replace);
  }
  frame.known = bar;
}

/** Takes bars of the past, oldest first; the last one given is the running bar. */
export function feedPast(frame: Frame, { bucket, bar }: Bucketed): void {
  put(frame, bar, false);
  frame.bucket = bucket;
  frame.bar = bar;
}

/** Notes a new state of the running bar; `bucket` says which it is. */
export function setRunning(frame: Frame, bucket: number, bar: TimeframeBar): void {
  if (frame.bar && bucket !== frame.bucket) frame.ended.push(frame.bar);
  frame.bucket = bucket;
  frame.bar = bar;
}

/** Brings the computations up to date and writes what changed into `draft`. */
export function writeFrame(frame: Frame, draft: ValuesDraft): void {
  let replace = frame.known !== null;
  for (const bar of frame.ended) {
    if (!(replace && bar === frame.known)) put(frame, bar, replace);
    replace = false;
  }
  frame.ended.length = 0;
  const { bar } = frame;
  if (bar && bar !== frame.known) put(frame, bar, replace);
  const { outputs } = frame.plan;
  for (let index = 0; index < outputs.length; index += 1) {
    const output = outputs[index];
    if (!output || output.isGone) continue;
    const { delay, place } = output;
    const raw =
      delay === 0
        ? frame.calcs[output.calc]?.out[output.output]
        : frame.past[(delay - 1) * outputs.length + index];
    const value = frame.isWhole ? onWire(raw) : null;
    const before = frame.written[index] ?? Number.NaN;
    if (value === before || (value === null && Number.isNaN(before))) continue;
    frame.written[index] = value ?? Number.NaN;
    draft.set(place, value);
  }
}
