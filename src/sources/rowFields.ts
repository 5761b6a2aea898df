import { isRecord, type JsonRecord } from '../lib/json.ts';

/** A field that every row of an answer should have, in the words of the tables. */
export type RowField = { name: string; isIn(row: JsonRecord): boolean };

/** Fewer rows prove nothing. */
const MIN_ROWS = 10;
const MOST = 0.5;

/** Whether an answer has rows enough to tell what it lacks. */
export const canTell = (rows: readonly unknown[]): boolean => rows.length >= MIN_ROWS;

/** The names of the fields that more than half of an answer's rows lack. */
export function missingIn(rows: readonly unknown[], fields: readonly RowField[]): string[] {
  if (!canTell(rows)) return [];
  const lacking = ({ isIn }: RowField) => rows.filter((row) => !isRecord(row) || !isIn(row)).length;
  return fields.filter((field) => lacking(field) > rows.length * MOST).map(({ name }) => name);
}
