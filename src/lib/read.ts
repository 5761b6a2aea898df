import { isRecord, type JsonRecord } from './json.ts';
import { withoutMarks } from './text.ts';

/**
 * Tolerant readers of JSON that another program wrote, perhaps another version of this one. None throws. What can't
 * be read as what is asked for is null, an empty list or an object without members; the caller chooses the default.
 */
export type Reader<T> = (value: unknown) => T | null;

/** A finite number, also when it is written as text: 12.5 and "12.5". */
export function readNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string' || value.trim() === '') return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

/** A whole number of things, 0 or more. */
export function readCount(value: unknown): number | null {
  const number = readNumber(value);
  return number !== null && Number.isInteger(number) && number >= 0 ? number : null;
}

/** Text as it is; a number in its plain form. */
export function readText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : null;
}

/**
 * One line of text for people: trimmed, without control characters and without marks that can't be seen.
 * @param limit most characters
 * @returns null when nothing is left, or for what is no text
 */
export function readLine(value: unknown, limit: number): string | null {
  if (typeof value !== 'string') return null;
  const text = withoutMarks(value.slice(0, limit * 4))
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]{1,80}/g, ' ')
    .trim()
    .slice(0, limit);
  return text === '' ? null : text;
}

/** True or false, also as 1 and 0 or as text. */
export function readBoolean(value: unknown): boolean | null {
  if (value === true || value === 1 || value === 'true' || value === '1') return true;
  return value === false || value === 0 || value === 'false' || value === '0' ? false : null;
}

/** Outside of this range years have five digits or a sign, which calendar arithmetic on YYYY-MM-DD can't do. */
const MIN_TIME = Date.UTC(1900, 0, 1);
const MAX_TIME = Date.UTC(3000, 0, 1);

/**
 * A moment between the years 1900 and 3000.
 * @param value epoch ms, as number or text, or ISO 8601
 * @returns epoch ms
 */
export function readTime(value: unknown): number | null {
  const time = readNumber(value) ?? (typeof value === 'string' ? Date.parse(value) : Number.NaN);
  return time >= MIN_TIME && time < MAX_TIME ? Math.trunc(time) : null;
}

/** A date and time without a zone, with or without a fraction of a second. */
const ZONELESS = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?$/;

/** As readTime, for a provider whose times are UTC also where they do not say so. */
export const readUtcTime = (value: unknown): number | null =>
  readTime(typeof value === 'string' && ZONELESS.test(value) ? `${value}Z` : value);

/** As readTime, given back as ISO 8601 in UTC. */
export function readIsoTime(value: unknown): string | null {
  const time = readTime(value);
  return time === null ? null : new Date(time).toISOString();
}

/** A reader of one of several texts; letter case does not count. */
export const readChoice =
  <T extends string>(choices: readonly T[]): Reader<T> =>
  (value) => {
    const text = readText(value)?.toLowerCase();
    return choices.find((choice) => choice.toLowerCase() === text) ?? null;
  };

/** The members of a list as they are; none for what is no list. */
export const readMembers = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as unknown[]) : [];

/** The members of a list that can be read; empty for what is no list. */
export function readList<T>(value: unknown, read: Reader<T>): T[] {
  if (!Array.isArray(value)) return [];
  return value.map(read).filter((item) => item !== null);
}

/** An object's members; none for what is no object. */
export const readRecord = (value: unknown): JsonRecord => (isRecord(value) ? value : {});

/** An object's members that can be read, under their keys. */
export function readMap<T>(
  value: unknown,
  read: (member: unknown, key: string) => T | null,
): Record<string, T> {
  const members = Object.entries(readRecord(value)).flatMap(([key, member]) => {
    const known = read(member, key);
    return known === null ? [] : [[key, known] as const];
  });
  return Object.fromEntries(members);
}
