import type { Bucketed } from '../bars/walk.ts';
import { sevenDigits } from '../wirePrecision.ts';
import type { ValueChanges } from './valueChanges.ts';
import { closeOnly } from '../bars/rules/quoteBars.ts';
import type { Output, PlannedFrame } from './plan.ts';
import type { Needs, TimeframeBar } from './types.ts';

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
  /** False if the beginning of the running bar was not seen: only its close is known then. */
  isWhole: boolean;
  /** Whether its values were written at all: before, an earlier frame's may stand in their places. */
  isWritten: boolean;
};

/** @param isWhole whether the past reaches back to any day */
export const createFrame = (plan: PlannedFrame, isWhole = true): Frame => ({
  plan,
  numbers: plan.cells.fresh(),
  bucket: Number.NaN,
  bar: null,
  base: null,
  ended: [],
  computed: null,
  isWhole,
  isWritten: false,
});

/** Where an output's value stands in the frame's numbers. */
const resultOf = ({ calcs }: PlannedFrame, { calc, output }: Output): number =>
  (calcs[calc]?.out ?? 0) + output;

/** Whether a bar has what a computation can't do without; without a bar nothing is missing. */
function suffices(bar: TimeframeBar | null, needs: Needs | undefined): boolean {
  if (bar === null || needs === 'none') return true;
  return needs === 'volume' ? !Number.isNaN(bar.volume) : !Number.isNaN(bar.high + bar.low);
}

/** Keeps the results of the bar that has just ended. */
function shiftPast({ numbers, computed, plan }: Frame): void {
  const { calcs, delays, outputs, past } = plan;
  if (delays === 0) return;
  const count = outputs.length;
  numbers.copyWithin(past + count, past, past + count * (delays - 1));
  for (const [index, output] of outputs.entries()) {
    const isKnown = suffices(computed, calcs[output.calc]?.needs);
    numbers[past + index] = isKnown ? (numbers[resultOf(plan, output)] ?? Number.NaN) : Number.NaN;
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
    if ((!onlyVolume || calc.usesVolume) && suffices(bar, calc.needs)) calc.update(bar, replace);
  }
  frame.computed = bar;
}

/**
 * Takes the bars of the past, oldest first; the last one is the running bar.
 * @param isWhole whether its beginning was seen
 */
export function feedPast(frame: Frame, { bucket, bar }: Bucketed, isWhole: boolean): void {
  const known = isWhole ? bar : closeOnly(bar);
  put(frame, known, false);
  frame.bucket = bucket;
  frame.bar = known;
  frame.isWhole = isWhole;
}

/**
 * Sets the running bar; in another bucket than before it is the next bar.
 * @param isWhole whether the beginning of a next bar was seen
 */
export function setRunning(frame: Frame, bucket: number, bar: TimeframeBar, isWhole = true): void {
  if (bucket !== frame.bucket) {
    if (frame.bar) frame.ended.push(frame.bar);
    frame.isWhole = isWhole;
  }
  frame.bucket = bucket;
  frame.bar = frame.isWhole ? bar : closeOnly(bar);
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
function valueOf({ plan, numbers, bar }: Frame, output: Output, index: number): number | null {
  const { calcs, outputs, past } = plan;
  const { delay } = output;
  if (delay === 0 && !suffices(bar, calcs[output.calc]?.needs)) return null;
  const raw = numbers[delay === 0 ? resultOf(plan, output) : past + (delay - 1) * outputs.length + index];
  return sevenDigits(raw);
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
