import { lookUp } from '#lib/json.ts';
import { ok, type Refusal, refuse, type Result, within } from '#lib/result.ts';
import { quoted } from '#lib/wording.ts';
import {
  type Catalog,
  DEFAULT_TIMEFRAME,
  type Family,
  type IndicatorChoice,
  isTimeframe,
  type Param,
  type ParamValue,
  type ParamValues,
} from './types.ts';

const isBlank = (value: unknown): boolean => value === undefined || value === null || value === '';

/** The default; else the first value of an enum, '' for text, null for a number (specification, 5). */
export function defaultOf(param: Param): ParamValue {
  if (param.default !== null && param.default !== '') return param.default;
  if (param.type === 'enum') return param.allowNone ? null : (param.values?.[0] ?? null);
  return param.type === 'number' ? null : '';
}

function nearestStep(value: number, from: number, max: number, step: number): number {
  const steps = Math.round((value - from) / step);
  // Three steps of 0.1 are 0.30000000000000004; no step here is finer than a millionth.
  const fits = from + steps * step <= max + 1e-9 ? steps : Math.floor((max - from) / step + 1e-9);
  return Math.round((from + fits * step) * 1e6) / 1e6;
}

/**
 * Clamps to min and max and rounds to the nearest step, counted from min or 0 (specification, section 5).
 * @param value a number, also as text
 * @returns null if it is not a finite number
 */
export function clampNumber(param: Pick<Param, 'min' | 'max' | 'step'>, value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return null;
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, step = 0 } = param;
  const clamped = Math.min(max, Math.max(min, number));
  return step > 0 ? nearestStep(clamped, Number.isFinite(min) ? min : 0, max, step) : clamped;
}

function checkParam(param: Param, sent: unknown): Result<ParamValue> {
  const value = param.readOnly || isBlank(sent) ? defaultOf(param) : sent;
  if (param.type === 'number') return ok(clampNumber(param, value));
  if (isBlank(value)) return ok(null);
  if (typeof value !== 'string' && typeof value !== 'number') {
    return refuse(`${param.label} must be text or a number.`, param.name);
  }
  const text = String(value);
  if (param.type !== 'enum' || param.values?.includes(text)) return ok(text);
  return refuse(
    `${param.label} ${quoted(text)} is not available. Choose one of ${param.values?.join(', ')}.`,
    param.name,
  );
}

const ofFamily = (family: Family, { field, message }: Refusal) =>
  refuse(`${family.label}: ${message}`, field);

/**
 * Checks and completes parameters (specification, section 5): empty and non-finite values are dropped,
 * numbers clamped and rounded, missing ones take their default.
 * @param sent values by parameter name
 * @returns the parameters in the family's order; or a refusal whose field is the parameter's name
 */
export function normaliseParams(
  family: Family,
  sent: Readonly<Record<string, unknown>>,
): Result<ParamValues> {
  const unknown = Object.keys(sent).find((name) => !family.params.some((param) => param.name === name));
  if (unknown !== undefined) {
    const name = unknown.slice(0, 40);
    return refuse(`${family.label} has no parameter "${name}".`, name);
  }
  const params: Record<string, ParamValue> = {};
  for (const param of family.params) {
    const checked = checkParam(param, sent[param.name]);
    if (!checked.ok) return ofFamily(family, checked.error);
    if (checked.value !== null) params[param.name] = checked.value;
    else if (param.required) return refuse(`${family.label} needs a value for ${param.label}.`, param.name);
  }
  return ok(params);
}

type SentChoice = {
  family: string;
  params?: Readonly<Record<string, unknown>>;
  tf?: string;
  delay?: number;
};

/**
 * Checks an indicator against a catalog. A missing timeframe is the day; an unknown delay is ignored
 * (specification, section 5).
 * @returns the complete choice; or a refusal whose field is 'family', 'params.<name>' or 'tf'
 */
export function checkChoice(
  catalog: Pick<Catalog, 'indicators'>,
  { family: slug, params: sent = {}, tf = DEFAULT_TIMEFRAME, delay = 0 }: SentChoice,
): Result<IndicatorChoice> {
  const family = lookUp(catalog.indicators, slug);
  if (!family) return refuse(`The indicator "${slug.slice(0, 40)}" is not in the catalog.`, 'family');
  const params = within('params', normaliseParams(family, sent));
  if (!params.ok) return params;
  if (!isTimeframe(tf) || !family.timeframes.includes(tf)) {
    return refuse(`${family.label} is not available on the timeframe "${tf.slice(0, 10)}".`, 'tf');
  }
  const applied = family.delaysAvailable.includes(delay) ? delay : 0;
  return ok({ family: family.family, params: params.value, tf, delay: applied });
}
