import { isRecord, type JsonRecord } from './json.ts';
import { withoutMarks } from './text.ts';

/**
 * Tolerant readers of JSON from another program, perhaps another version of this one. They never throw. An
 * unreadable value gives null, an empty list or an empty object; the caller chooses the default.
 */
export type Reader<T> = (value: unknown) => T | null;

export function readNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string' || value.trim() === '') return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

export function readCount(value: unknown): number | null {
  const number = readNumber(value);
  return number !== null && Number.isInteger(number) && number >= 0 ? number : null;
}

export function readText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : null;
}

/**
 * One line of text, trimmed, without control characters and invisible marks.
 * @param limit maximum length in characters
 * @returns null if it is empty or not text
 */
export function readLine(value: unknown, limit: number): string | null {
  if (typeof value !== 'string') return null;
  const text = withoutMarks(value.slice(0, limit * 4))
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]{1,80}/g, ' ')
    .trim()
    .slice(0, limit);
  return text === '' ? null : text;
}

export function readBoolean(value: unknown): boolean | null {
  if (value === true || value === 1 || value === 'true' || value === '1') return true;
  return value === false || value === 0 || value === 'false' || value === '0' ? false : null;
}

/** Years outside of this range have five digits or a sign, which breaks calendar arithmetic on YYYY-MM-DD. */
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

const ZONELESS = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?$/;

export const readUtcTime = (value: unknown): number | null =>
  readTime(typeof value === 'string' && ZONELESS.test(value) ? `${value}Z` : value);

export function readIsoTime(value: unknown): string | null {
  const time = readTime(value);
  return time === null ? null : new Date(time).toISOString();
}

export const readChoice =
  <T extends string>(choices: readonly T[]): Reader<T> =>
  (value) => {
    const text = readText(value)?.toLowerCase();
    return choices.find((choice) => choice.toLowerCase() === text) ?? null;
  };

export const readMembers = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as unknown[]) : [];

export function readList<T>(value: unknown, read: Reader<T>): T[] {
  if (!Array.isArray(value)) return [];
  return value.map(read).filter((item) => item !== null);
}

export const readRecord = (value: unknown): JsonRecord => (isRecord(value) ? value : {});

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
