import { plainDigits, roundDecimals } from './numericInput.ts';

const POWERS = { k: 3, m: 6, b: 9 } as const;
const MAX_LENGTH = 40;
/** Above it a number has no exact whole digits any more. */
const MAX_VALUE = 1e15;

const isSuffix = (text: string): text is keyof typeof POWERS => Object.hasOwn(POWERS, text);

/**
 * The number that a person typed to compare with, en-AU: '250000', '250,000', '250 000', '100k', '1.5 M', '2b', '$3m',
 * '-5 %'. A comma stands only between thousands. Rounded to six decimals.
 * @returns null for anything else
 */
export function parseQuantity(text: string): number | null {
  if (text.length > MAX_LENGTH) return null;
  const [, number = '', suffix = ''] = /^(.{1,40}?)\s?([kmb]?)\s?%?$/.exec(text.trim().toLowerCase()) ?? [];
  const plain = plainDigits(number);
  if (plain === null) return null;
  // As text: 1.1 × 1e6 would leave a rounding error.
  const value = Number(`${plain}e${isSuffix(suffix) ? POWERS[suffix] : 0}`);
  return Math.abs(value) > MAX_VALUE ? null : roundDecimals(value);
}
