import { readLine } from '#lib/read.ts';

/** Stands for a cell of the wrong type. Null is not wrong: any number may be missing. */
export const WRONG = Symbol('wrong cell');

/** A number or null; anything else is wrong. JSON can still carry an infinity as 1e999. */
export function numberCell(value: unknown): number | null | typeof WRONG {
  if (value === null || value === undefined) return null;
  return typeof value === 'number' && Number.isFinite(value) ? value : WRONG;
}

/** A number; null for anything else. For columns without which the row is still of use. */
export function looseNumber(value: unknown): number | null {
  const cell = numberCell(value);
  return cell === WRONG ? null : cell;
}

/**
 * A computed value as looseNumber reads it, freed of the platform's rounding errors: an average of 152.255 comes as
 * 152.25499999999997, which would round to the wrong side.
 */
export function computedCell(value: unknown): number | null {
  const cell = looseNumber(value);
  return cell === null ? null : Number(cell.toPrecision(10));
}

/** One line of text, at most `limit` characters; null when empty or not text. */
export const textCell = (value: unknown, limit = 120): string | null => readLine(value, limit);

/** The texts of a `set` column; empty when it is missing or something else. */
export const setCell = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];

/** A point in time as epoch ms; the platform writes unix seconds. Null when missing or before 1990. */
export function timeCell(value: unknown): number | null {
  const cell = looseNumber(value);
  if (cell === null) return null;
  const time = cell > 1e11 ? cell : cell * 1000;
  return time >= Date.UTC(1990, 0, 1) && time < Date.UTC(2200, 0, 1) ? time : null;
}
