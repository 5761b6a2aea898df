import type { ByteReader, ByteWriter } from './bytes.ts';

/** Not known. */
const UNKNOWN = 0;
/** The number itself follows, as it is in memory. */
const EXACT = 1;
const FIRST_DIFFERENCE = 2;

/** Above it whole numbers and their differences are not exact. */
const MAX_WHOLE = 2 ** 50;

/** Whole numbers of either sign as ones without: 0, −1, 1, −2, 2 … */
const zigzag = (value: number): number => (value >= 0 ? value * 2 : -value * 2 - 1);
const unzigzag = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2);

const wholeNear = (near: number, scale: number): number => {
  const whole = Math.round(near * scale);
  return Math.abs(whole) <= MAX_WHOLE ? whole : 0;
};

/**
 * Writes a number as its difference from what it is likely to be, exactly.
 * @param near NaN counts as 0
 * @param scale by which it mostly is a whole number
 */
export function writeNumber(writer: ByteWriter, value: number, near: number, scale: number): void {
  if (Number.isNaN(value)) return writer.varint(UNKNOWN);
  const whole = Math.round(value * scale);
  if (whole / scale !== value || Math.abs(whole) > MAX_WHOLE || Object.is(value, -0)) {
    writer.varint(EXACT);
    return writer.float(value);
  }
  writer.varint(FIRST_DIFFERENCE + zigzag(whole - wholeNear(near, scale)));
}

/** Reads what `writeNumber` wrote, given the same `near` and `scale`. NaN where it was not known. */
export function readNumberToken(reader: ByteReader, near: number, scale: number): number {
  const token = reader.varint();
  if (token === UNKNOWN) return Number.NaN;
  if (token === EXACT) return reader.float();
  return (wholeNear(near, scale) + unzigzag(token - FIRST_DIFFERENCE)) / scale;
}
