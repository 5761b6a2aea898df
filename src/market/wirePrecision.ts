import type { Stock } from './rules/stock.ts';

const rounder =
  (decimals: number) =>
  (value: number): number => {
    const factor = 10 ** decimals;
    return Math.round(value * factor) / factor;
  };

/** A value nearer to the next digit than the error of binary fractions has that digit. */
const BINARY_ERROR = 1 + 1e-14;

/**
 * Cuts digits off and never rounds up: what a column rounds later is then the same as if nothing had been cut, and
 * a price on a step is above a cut average exactly when it is above the average.
 */
const cutter =
  (decimals: number) =>
  (value: number): number => {
    const factor = 10 ** decimals;
    return Math.trunc(value * factor * BINARY_ERROR) / factor + 0; // -0 + 0 is 0
  };

const sixDecimals = cutter(6);
const fourDecimals = cutter(4);
const cents = cutter(2);

/** A price or the difference of two, AUD, freed of the error of binary fractions. */
export const exactPrice = rounder(6);

/** A percent or ratio as it is sent. */
export const threeDecimals = cutter(3);

/** Traded money as it is sent, AUD: columns show whole dollars, so cents are sent only for small amounts. */
export const money = (value: number): number => (value >= 1000 ? Math.round(value) : cents(value));

/**
 * Precision of the numbers that sources compute themselves, finer than any column shows: their digits are most of what a
 * tick sends. The fields that are not listed are sent as they came.
 */
export const WIRE_PRECISION: Partial<Record<keyof Stock, (value: number) => number>> = {
  vwap: (value) => (value >= 0.1 ? fourDecimals(value) : sixDecimals(value)),
  value: money,
  marketCap: Math.round,
  relativeVolume: threeDecimals,
};

const POWERS_OF_TEN = Array.from({ length: 16 }, (_, digits) => 10 ** digits);

/** An indicator's value as it is sent: seven digits, more than any column shows. Null for what is not finite. */
export function sevenDigits(value: number | null | undefined): number | null {
  if (value === null || value === undefined || !Number.isFinite(value)) return null;
  const size = Math.abs(value);
  if (size >= 1e6) return Math.round(value);
  if (size < 1e-8) return 0;
  let decimals = 6;
  for (let limit = 10; size >= limit; limit *= 10) decimals -= 1;
  for (let limit = 1; size < limit; limit /= 10) decimals += 1;
  const factor = POWERS_OF_TEN[decimals] ?? 1;
  return Math.round(value * factor) / factor;
}
