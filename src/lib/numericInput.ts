/** Limits of one numeric input; `step` is 1 unless told. */
export type NumericLimits = { min?: number; max?: number; step?: number };

export const MAX_DECIMALS = 6;

/** Rounds to the six decimals that a numeric input can hold; never gives -0. */
export const roundDecimals = (value: number): number => Number(value.toFixed(MAX_DECIMALS)) + 0;

/** The nearest value inside the limits, rounded to six decimals. When they contradict, the minimum wins. */
export function clampNumeric(value: number, limits: NumericLimits): number {
  const below = limits.max === undefined ? value : Math.min(value, limits.max);
  return roundDecimals(limits.min === undefined ? below : Math.max(below, limits.min));
}

/** How many steps a key asks for: arrows 1, PageUp and PageDown 10; null for every other key. */
export function stepsOfKey(key: string): number | null {
  if (key === 'ArrowUp') return 1;
  if (key === 'ArrowDown') return -1;
  if (key === 'PageUp') return 10;
  if (key === 'PageDown') return -10;
  return null;
}

/** The value some steps away, clamped; an empty input starts from 0. */
export const stepNumeric = (value: number | null, steps: number, limits: NumericLimits): number =>
  clampNumeric((value ?? 0) + steps * (limits.step ?? 1), limits);

/**
 * Whether text may stand in a numeric input while it is typed: digits, one decimal point with at most six decimals,
 * and a leading minus where the limits allow a negative value.
 */
export const isNumericText = (text: string, limits: NumericLimits): boolean =>
  (limits.min !== undefined && limits.min >= 0
    ? /^\d{0,40}(\.\d{0,6})?$/
    : /^[-−]?\d{0,40}(\.\d{0,6})?$/
  ).test(text);

/** The number that typed text stands for; null for empty or unfinished text ('', '-', '.'). */
export function parseNumeric(text: string): number | null {
  const trimmed = text.trim().replace('−', '-').replaceAll(',', '');
  if (!/\d/.test(trimmed)) return null;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : null;
}

/** A value as an input shows it: plain digits, at most six decimals, no exponent; '' for none. */
export function numericText(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return '';
  const fixed = value.toFixed(MAX_DECIMALS).replace(/\.?0{1,6}$/, '');
  return fixed === '-0' ? '0' : fixed;
}
