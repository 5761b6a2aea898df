import type { Family, ParamValues } from './types.ts';

/**
 * The key under which an indicator's values stand in `indicators[tf][key]`: its slug and its parameter values in the
 * family's order, e.g. 'rsi_14', 'stoch-k_14_3_3', 'ao'. It does not depend on the market source.
 */
export const indicatorKey = (family: Family, params: ParamValues): string =>
  [
    family.familySlug,
    ...family.params
      .map(({ name, default: fallback }) => params[name] ?? fallback)
      .filter((value) => value !== null),
  ].join('_');

/** The member of `indicators[tf][key]` for a delay: 'now', or how many bars back as text. */
export const valueKeyOf = (delay: number): string => (delay === 0 ? 'now' : String(delay));

/**
 * The delay that a value key stands for, in bars: 0 for 'now' and for anything that is no whole number, because a delay
 * that does not exist is not applied (specification, section 5).
 */
export function delayOf(valueKey: unknown): number {
  const delay = typeof valueKey === 'string' || typeof valueKey === 'number' ? Number(valueKey) : 0;
  return Number.isInteger(delay) ? delay : 0;
}
