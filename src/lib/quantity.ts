import { roundDecimals } from './numericInput.ts';

const POWERS = { k: 3, m: 6, b: 9 } as const;
const MAX_LENGTH = 40;
/** Above it a number has no exact whole digits any more. */
const MAX_VALUE = 1e15;

const isSuffix = (text: string): text is keyof typeof POWERS => Object.hasOwn(POWERS, text);

/** Digits with at most one point, and commas only between thousands before it. */
function isDecimal(text: string): boolean {
  const [whole = '', part = '', ...more] = text.split('.');
  const isWhole = (whole.includes(',') ? /^\d{1,3}(,\d{3}){1,12}$/ : /^\d{0,40}$/).test(whole);
  return isWhole && /^\d{0,40}$/.test(part) && more.length === 0 && whole + part !== '';
}

/**
 * The number that a person typed to compare with, en-AU: '250000', '250,000', '250 000', '100k', '1.5 M', '2b', '$3m',
 * '-5 %'. A comma stands only between thousands. Rounded to six decimals.
 * @returns null for anything else
 */
export function parseQuantity(text: string): number | null {
  if (text.length > MAX_LENGTH) return null;
  const [, sign = '', digits = '', suffix = ''] =
    /^([-+−]?)\$?([\d.,]{1,40})([kmb]?)%?$/.exec(text.replaceAll(/\s/g, '').toLowerCase()) ?? [];
  if (!isDecimal(digits)) return null;
  // As text: 1.1 × 1e6 would leave a rounding error.
  const power = isSuffix(suffix) ? POWERS[suffix] : 0;
  const value = Number(`${digits.replaceAll(',', '')}e${power}`);
  if (value > MAX_VALUE) return null;
  return roundDecimals(sign === '-' || sign === '−' ? -value : value);
}
