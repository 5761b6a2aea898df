export type NumericLimits = { min?: number; max?: number; step?: number };

const MAX_DECIMALS = 6;

/** Rounds to six decimals; never gives -0. */
export const roundDecimals = (value: number): number => Number(value.toFixed(MAX_DECIMALS)) + 0;

/**
 * The nearest value inside the limits, rounded to six decimals. If the limits contradict, the minimum wins.
 */
export function clampNumeric(value: number, limits: NumericLimits): number {
  const below = limits.max === undefined ? value : Math.min(value, limits.max);
  return roundDecimals(limits.min === undefined ? below : Math.max(below, limits.min));
}

export function stepsOfKey(key: string): number | null {
  if (key === 'ArrowUp') return 1;
  if (key === 'ArrowDown') return -1;
  if (key === 'PageUp') return 10;
  if (key === 'PageDown') return -10;
  return null;
}

export const stepNumeric = (value: number | null, steps: number, limits: NumericLimits): number =>
  clampNumeric((value ?? 0) + steps * (limits.step ?? 1), limits);

const MAX_LENGTH = 40;
/** A number after an optional sign and currency: '1.25 ', '$1.25', '-A$ 1,234.50'. */
const SIGNED = /^([-+−]?)(?:(?:a|au)?\$)?([\d.,\s]{1,40})$/i;
/**
 * Commas or spaces only between thousands. '0,025' is refused, because its comma is meant as a decimal point.
 */
const WHOLE = /^(?:\d{0,40}|[1-9]\d{0,2}(?:[,\s]\d{3}){1,12})$/;

/**
 * Turns a typed or pasted number (en-AU) into plain digits: '-1234.50' of '−$1,234.50 '. Null for anything
 * else; a comma is never a decimal point.
 */
function plainDigits(text: string): string | null {
  if (text.length > 2 * MAX_LENGTH) return null;
  const [, sign = '', digits = ''] = SIGNED.exec(text.trim().replace(/(?<=^[-+−]|\$)\s/, '')) ?? [];
  const [whole = '', part = '', ...more] = digits.trim().split('.');
  if (!WHOLE.test(whole) || !/^\d{0,40}$/.test(part) || more.length > 0 || whole + part === '') return null;
  const isNegative = sign === '-' || sign === '−';
  return `${isNegative ? '-' : ''}${whole.replaceAll(/[,\s]/g, '')}.${part}`;
}

export function parseNumeric(text: string): number | null {
  const plain = plainDigits(text);
  return plain === null ? null : Number(plain);
}

const UNFINISHED = /^\s{0,9}[-+−]?\s{0,9}(?:(?:a|au)?\$)?\s{0,9}\.?\s{0,9}$/i;

export const isNumericText = (text: string): boolean =>
  text.length <= 2 * MAX_LENGTH && (UNFINISHED.test(text) || plainDigits(text) !== null);

export const mayBecomeNumeric = (text: string): boolean =>
  /^[-+−]?\$?[1-9]\d{0,2}(?:,\d{3}){0,12},\d{0,2}$/.test(text.trim());

const MAX_QUOTED = 20;

export function notNumeric(text: string, how = 'Write it like 1.25 or 1,234.50.'): string {
  const typed = text.trim();
  const quoted = typed.length > MAX_QUOTED ? `${typed.slice(0, MAX_QUOTED).toWellFormed()}…` : typed;
  const isDecimalComma = /^[^.,]{1,40},\d{1,40}$/.test(typed);
  return `“${quoted}” is not a number. ${isDecimalComma ? 'Write decimals with a point: 1.25.' : how}`;
}

export const withoutExcess = (text: string): string => text.replace(/(\.\d{6})\d{1,60}/, '$1');

export function numericText(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return '';
  const fixed = value.toFixed(MAX_DECIMALS).replace(/\.?0{1,6}$/, '');
  return fixed === '-0' ? '0' : fixed;
}

const POWERS = { k: 3, m: 6, b: 9 } as const;
const MAX_QUANTITY_LENGTH = 40;
/** The largest magnitude with exact whole digits. */
const MAX_VALUE = 1e15;

const isSuffix = (text: string): text is keyof typeof POWERS => Object.hasOwn(POWERS, text);

/**
 * A typed number for a comparison, en-AU: '250000', '250,000', '250 000', '100k', '1.5 M', '2b', '$3m', '-5
 * %'. Commas only between thousands. Rounded to six decimals.
 * @returns null for anything else
 */
export function parseQuantity(text: string): number | null {
  if (text.length > MAX_QUANTITY_LENGTH) return null;
  const [, number = '', suffix = ''] = /^(.{1,40}?)\s?([kmb]?)\s?%?$/.exec(text.trim().toLowerCase()) ?? [];
  const plain = plainDigits(number);
  if (plain === null) return null;
  // As text, because 1.1 × 1e6 would leave a rounding error.
  const value = Number(`${plain}e${isSuffix(suffix) ? POWERS[suffix] : 0}`);
  return Math.abs(value) > MAX_VALUE ? null : roundDecimals(value);
}
