import type { Bucketed } from '../bars/walk.ts';
import { sevenDigits } from '../wirePrecision.ts';
import type { ValueChanges } from './valueChanges.ts';
import type { Output, PlannedFrame } from './plan.ts';
import type { TimeframeBar } from './types.ts';

/** The computations of one stock on one timeframe or candle period. */
export type Frame = {
  plan: PlannedFrame;
  /** The numbers of the plan's cells. */
  numbers: Float64Array;
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
  /** Whether its values were written at all: before, an earlier frame's may stand in their places. */
  isWritten: boolean;
};

export const createFrame = (plan: PlannedFrame): Frame => ({
  plan,
  numbers: plan.cells.fresh(),
  bucket: Number.NaN,
  bar: null,
  base: null,
  ended: [],
  computed: null,
  isWhole: true,
  isWritten: false,
});

/** Where an output's value stands in the frame's numbers. */
const resultOf = ({ calcs }: PlannedFrame, { calc, output }: Output): number =>
  (calcs[calc]?.out ?? 0) + output;

/** Keeps the results of the bar that has just ended. */
function shiftPast({ numbers, plan }: Frame): void {
  const { delays, outputs, past } = plan;
  if (delays === 0) return;
  const count = outputs.length;
  numbers.copyWithin(past + count, past, past + count * (delays - 1));
  for (const [index, output] of outputs.entries()) {
    numbers[past + index] = numbers[resultOf(plan, output)] ?? Number.NaN;
  }
}

const isSamePrice = (a: TimeframeBar, b: TimeframeBar): boolean =>
  a.close === b.close && a.high === b.high && a.low === b.low && a.open === b.open;

function put(frame: Frame, bar: TimeframeBar, replace: boolean): void {
  const { computed, numbers, plan } = frame;
  const { calcs, cells } = plan;
  if (!replace) shiftPast(frame);
  const onlyVolume = replace && computed !== null && isSamePrice(computed, bar);
  cells.values = numbers;
  for (const calc of calcs) {
    if (!onlyVolume || calc.usesVolume) calc.update(bar, replace);
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
export function compute(frame: Frame): void {
  let replace = frame.computed !== null;
  for (const bar of frame.ended) {
    if (!(replace && bar === frame.computed)) put(frame, bar, replace);
    replace = false;
  }
  frame.ended.length = 0;
  const { bar } = frame;
  if (bar && bar !== frame.computed) put(frame, bar, replace);
}

/** An output's value as it is sent, after `compute`. @param index of the output in its plan */
function valueOf({ plan, numbers, isWhole }: Frame, output: Output, index: number): number | null {
  const { outputs, past } = plan;
  const { delay } = output;
  const raw = numbers[delay === 0 ? resultOf(plan, output) : past + (delay - 1) * outputs.length + index];
  return isWhole ? sevenDigits(raw) : null;
}

/** Brings the computations up to date and gives each output with its value. */
export function readFrame(frame: Frame, take: (output: Output, value: number | null) => void): void {
  compute(frame);
  for (const [index, output] of frame.plan.outputs.entries()) take(output, valueOf(frame, output, index));
}

/**
 * Brings the computations up to date and adds the values that changed to `changes`.
 * @param places the ids of those that are in use now
 */
export function writeFrame(frame: Frame, places: ReadonlySet<string>, changes: ValueChanges): void {
  compute(frame);
  const { plan, numbers } = frame;
  const { outputs, written } = plan;
  for (let index = 0; index < outputs.length; index += 1) {
    const output = outputs[index];
    if (!output || !places.has(output.placeId)) continue;
    const value = valueOf(frame, output, index);
    const before = numbers[written + index] ?? Number.NaN;
    if (value === before || (value === null && Number.isNaN(before) && frame.isWritten)) continue;
    numbers[written + index] = value ?? Number.NaN;
    changes.set(output.place, value);
  }
  frame.isWritten = true;
}
