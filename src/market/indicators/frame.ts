import type { Cells, Needs } from './formulas/cells.ts';
import type { Formula, Calc, TimeframeBar } from './types.ts';
import type { FrameKey } from '../bars/rules/buckets.ts';
import { closeOnly } from '../bars/rules/quoteBars.ts';
import type { Bucketed } from '../bars/walk.ts';
import type { Stock } from '../rules/stock.ts';
import { sevenDigits } from '../derive.ts';

export type Output = {
  calc: number;
  output: number;
  delay: number;
  place: Place;
  placeId: string;
};

export type Place =
  | { kind: 'indicator'; tf: string; key: string; valueKey: string }
  | { kind: 'htf'; period: string; field: string };

export type PlannedFrame = {
  key: FrameKey;
  calcs: readonly (Calc & Pick<Formula, 'id' | 'usesVolume' | 'needs'>)[];
  outputs: readonly Output[];
  delays: number;
  /** The frame's numbers per stock: those of the computations, followed by the outputs'. */
  cells: Cells;
  written: number;
  /** Index of the results of finished bars, newest first. NaN if unknown. */
  past: number;
};

type Indicators = NonNullable<Stock['indicators']>;
type Htf = NonNullable<Stock['htf']>;
type Values = Pick<Stock, 'indicators' | 'htf'>;

/** `patch` is the merge patch to the new indicators, if known. */
type NewValues = Values & { patch?: Indicators };

function without<T>(object: Record<string, T>, key: string): Record<string, T> | undefined {
  const { [key]: _removed, ...rest } = object;
  return Object.keys(rest).length > 0 ? rest : undefined;
}

/** Sets or removes (undefined) a member of a copy; undefined if nothing is left. */
function withMember<T>(
  object: Record<string, T> | undefined,
  key: string,
  member: T | undefined,
): Record<string, T> | undefined {
  if (member !== undefined) return { ...object, [key]: member };
  return object && Object.hasOwn(object, key) ? without(object, key) : object;
}

const withHtf = (
  htf: Htf | undefined,
  { period, field }: { period: string; field: string },
  value: number | null,
): Htf | undefined =>
  withMember(htf, period, withMember(htf?.[period], field, value === null ? undefined : value));

type FrameValues = Indicators[string];

type OpenFrame = { tf: string; values: FrameValues; patch: FrameValues };

function isAlone(values: Readonly<Record<string, unknown>>, key: string): boolean {
  for (const other in values) if (other !== key) return false;
  return true;
}

/** A literal member makes an object half as large as a computed one, and nearly all values are current. */
const onlyValue = (valueKey: string, value: number): FrameValues[string] =>
  valueKey === 'now' ? { now: value } : { [valueKey]: value };

function setValue({ values, patch }: OpenFrame, key: string, valueKey: string, value: number): void {
  const before = values[key];
  if (!before || isAlone(before, valueKey)) {
    values[key] = onlyValue(valueKey, value);
    patch[key] = values[key];
    return;
  }
  values[key] = { ...before, [valueKey]: value };
  patch[key] = { ...patch[key], [valueKey]: value };
}

function removeValue({ values }: OpenFrame, key: string, valueKey: string): void {
  const before = values[key];
  const rest = before && without(before, valueKey);
  if (rest) values[key] = rest;
  else delete values[key];
}

/** Collects new values of a stock. Objects shared with the Market's record are copied before a change. */
export class ValueChanges {
  private stock: Values = {};
  private htf: Htf | undefined;
  /** Copied once per stock, because number-like keys make a copy slow. */
  private indicators: Indicators | undefined;
  private frame: OpenFrame | null = null;
  private patch: Indicators | null = {};
  private changed = 0;

  begin(values: Values): void {
    this.stock = values;
    this.htf = values.htf;
    this.indicators = undefined;
    this.frame = null;
    this.patch = {};
    this.changed = 0;
  }

  set(place: Place, value: number | null): void {
    if (value === null && !this.isThere(place)) return;
    this.changed += 1;
    if (place.kind === 'htf') {
      this.htf = withHtf(this.htf, place, value);
      return;
    }
    const open = this.openFrame(place.tf);
    if (value !== null) {
      setValue(open, place.key, place.valueKey, value);
      return;
    }
    removeValue(open, place.key, place.valueKey);
    this.patch = null;
  }

  count(): number {
    return this.changed;
  }

  result(): NewValues | null {
    this.closeFrame();
    if (this.changed === 0) return null;
    const { htf, patch, indicators } = this;
    const all = indicators ?? this.stock.indicators;
    const isEmpty = !all || Object.keys(all).length === 0;
    return {
      ...(!isEmpty && { indicators: all }),
      ...(htf && { htf }),
      ...(patch && indicators && { patch }),
    };
  }

  private isThere(place: Place): boolean {
    if (place.kind === 'htf') return this.htf?.[place.period]?.[place.field] !== undefined;
    const values = this.frame?.tf === place.tf ? this.frame.values : this.valuesOf(place.tf);
    return values?.[place.key]?.[place.valueKey] !== undefined;
  }

  private valuesOf(tf: string): FrameValues | undefined {
    return (this.indicators ?? this.stock.indicators)?.[tf];
  }

  private openFrame(tf: string): OpenFrame {
    if (this.frame?.tf === tf) return this.frame;
    this.closeFrame();
    this.frame = { tf, values: { ...this.valuesOf(tf) }, patch: {} };
    return this.frame;
  }

  private closeFrame(): void {
    if (this.frame === null) return;
    const { tf, values, patch } = this.frame;
    this.indicators ??= { ...this.stock.indicators };
    if (Object.keys(values).length > 0) this.indicators[tf] = values;
    else delete this.indicators[tf];
    if (this.patch) this.patch[tf] = patch;
    this.frame = null;
  }
}

export type Frame = {
  plan: PlannedFrame;
  numbers: Float64Array;
  bucket: number;
  bar: TimeframeBar | null;
  /** The finished days of the running bar (days and longer only). */
  base: TimeframeBar | null;
  ended: TimeframeBar[];
  computed: TimeframeBar | null;
  /** False if the running bar's beginning was not seen: only its close is then known. */
  isWhole: boolean;
  /** False until the values were written once: those of an earlier frame may still be in the record. */
  isWritten: boolean;
};

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

const resultOf = ({ calcs }: PlannedFrame, { calc, output }: Output): number =>
  (calcs[calc]?.out ?? 0) + output;

function suffices(bar: TimeframeBar | null, needs: Needs | undefined): boolean {
  if (bar === null || needs === 'none') return true;
  return needs === 'volume' ? !Number.isNaN(bar.volume) : !Number.isNaN(bar.high + bar.low);
}

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

/** Adds past bars, oldest first; the last one is running. @param isWhole whether its beginning was seen */
export function feedPast(frame: Frame, { bucket, bar }: Bucketed, isWhole: boolean): void {
  const known = isWhole ? bar : closeOnly(bar);
  put(frame, known, false);
  frame.bucket = bucket;
  frame.bar = known;
  frame.isWhole = isWhole;
}

/** Sets the running bar; another bucket begins the next. @param isWhole whether its beginning was seen */
export function setRunning(frame: Frame, bucket: number, bar: TimeframeBar, isWhole = true): void {
  if (bucket !== frame.bucket) {
    if (frame.bar) frame.ended.push(frame.bar);
    frame.isWhole = isWhole;
  }
  frame.bucket = bucket;
  frame.bar = frame.isWhole ? bar : closeOnly(bar);
}

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

function valueOf({ plan, numbers, bar }: Frame, output: Output, index: number): number | null {
  const { calcs, outputs, past } = plan;
  const { delay } = output;
  if (delay === 0 && !suffices(bar, calcs[output.calc]?.needs)) return null;
  const raw = numbers[delay === 0 ? resultOf(plan, output) : past + (delay - 1) * outputs.length + index];
  return sevenDigits(raw);
}

export function readFrame(frame: Frame, take: (output: Output, value: number | null) => void): void {
  compute(frame);
  for (const [index, output] of frame.plan.outputs.entries()) take(output, valueOf(frame, output, index));
}

/** Updates the computations and collects changed values. @param places the ids in use */
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
