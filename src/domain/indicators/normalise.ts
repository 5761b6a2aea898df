import { quoted } from './valueKey.ts';
import { DEFAULT_TIMEFRAME, isTimeframe } from './timeframe.ts';
import type { Catalog, Family, IndicatorChoice, Param, ParamValue, ParamValues } from './types.ts';

/** `problem` is a sentence that names what is wrong. */
export type Checked<T> = { ok: true; value: T } | { ok: false; problem: string };

const problem = (text: string): { ok: false; problem: string } => ({ ok: false, problem: text });

const isBlank = (value: unknown): boolean => value === undefined || value === null || value === '';

/** What a parameter is when nothing is chosen: its default; else an enum's first value, '' for text, null for a number. */
export function defaultOf(param: Param): ParamValue {
  if (param.default !== null && param.default !== '') return param.default;
  if (param.type === 'enum') return param.allowNone ? null : (param.values?.[0] ?? null);
  return param.type === 'number' ? null : '';
}

/** The step nearest to a number inside the bounds, counted from `from`; never above `max`. */
function nearestStep(value: number, from: number, max: number, step: number): number {
  const steps = Math.round((value - from) / step);
  // Three steps of 0.1 are 0.30000000000000004; no step here is finer than a millionth.
  const fits = from + steps * step <= max + 1e-9 ? steps : Math.floor((max - from) / step + 1e-9);
  return Math.round((from + fits * step) * 1e6) / 1e6;
}

/** Clamps to min and max and rounds to the nearest step from min (or from 0); null for what is no finite number. */
export function clampNumber(param: Pick<Param, 'min' | 'max' | 'step'>, value: unknown): number | null {
  const given = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof given !== 'number' || !Number.isFinite(given)) return null;
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, step = 0 } = param;
  const clamped = Math.min(max, Math.max(min, given));
  return step > 0 ? nearestStep(clamped, Number.isFinite(min) ? min : 0, max, step) : clamped;
}

function checkParam(param: Param, given: unknown): Checked<ParamValue> {
  const value = param.readOnly || isBlank(given) ? defaultOf(param) : given;
  if (param.type === 'number') return { ok: true, value: clampNumber(param, value) };
  if (isBlank(value)) return { ok: true, value: null };
  if (typeof value !== 'string' && typeof value !== 'number') {
    return problem(`${param.label} must be a text or a number.`);
  }
  const text = String(value);
  if (param.type !== 'enum') return { ok: true, value: text };
  return param.values?.includes(text)
    ? { ok: true, value: text }
    : problem(`${param.label} ${quoted(text)} is not offered; choose one of ${param.values?.join(', ')}.`);
}

/**
 * Checks and completes the parameters of a family (specification 5). Empty and non-finite values are dropped, numbers
 * clamped and rounded, missing ones take their default.
 * @returns the parameters in the family's order; or which one is wrong
 */
export function normaliseParams(
  family: Family,
  given: Readonly<Record<string, unknown>>,
): Checked<ParamValues> {
  const stranger = Object.keys(given).find((name) => !family.params.some((param) => param.name === name));
  if (stranger !== undefined) return problem(`${family.label} has no parameter "${stranger.slice(0, 40)}".`);
  const params: Record<string, ParamValue> = {};
  for (const param of family.params) {
    const checked = checkParam(param, given[param.name]);
    if (!checked.ok) return problem(`${family.label}: ${checked.problem}`);
    if (checked.value !== null) params[param.name] = checked.value;
    else if (param.required) return problem(`${family.label} needs a value for ${param.label}.`);
  }
  return { ok: true, value: params };
}

/**
 * Checks a chosen indicator against a catalog. A missing timeframe is the day; a delay that the family does not have
 * is not applied (specification 5).
 * @returns the choice, complete; or a sentence naming the unknown family, parameter or timeframe
 */
export function checkChoice(
  catalog: Pick<Catalog, 'indicators'>,
  given: { family: string; params?: Readonly<Record<string, unknown>>; tf?: string; delay?: number },
): Checked<IndicatorChoice> {
  const family = Object.hasOwn(catalog.indicators, given.family)
    ? catalog.indicators[given.family]
    : undefined;
  if (!family) return problem(`The indicator "${given.family.slice(0, 40)}" is not in the catalog.`);
  const params = normaliseParams(family, given.params ?? {});
  if (!params.ok) return params;
  const tf = given.tf === undefined ? DEFAULT_TIMEFRAME : given.tf;
  if (!isTimeframe(tf) || !family.timeframes.includes(tf)) {
    return problem(`${family.label} is not offered on the timeframe "${tf.slice(0, 10)}".`);
  }
  const { delay = 0 } = given;
  const known = family.delaysAvailable.includes(delay) ? delay : 0;
  return { ok: true, value: { family: family.family, params: params.value, tf, delay: known } };
}
