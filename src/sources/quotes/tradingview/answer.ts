import { isRecord, parseJson } from '../../../lib/json.ts';
import { RANGE_END } from './request.ts';

/** One listing as the platform sends it: its symbol and its cells in the order of the asked columns. */
export type ScanRow = { s: string; d: readonly unknown[] };

export type ScanAnswer =
  | { kind: 'rows'; totalCount: number; rows: ScanRow[]; malformed: number }
  /** `unknownColumn` is the column that the platform does not know, when that is the reason. */
  | { kind: 'unusable'; reason: string; unknownColumn: string | null };

/** Above this share of malformed rows the answer has another shape than the one known here. */
const MAX_MALFORMED_SHARE = 0.5;
const unusable = (reason: string, unknownColumn: string | null = null): ScanAnswer => ({
  kind: 'unusable',
  reason,
  unknownColumn,
});

const shortened = (text: string): string =>
  text
    .slice(0, 1000)
    .replace(/\s{1,80}/g, ' ')
    .trim()
    .slice(0, 120);

/** The column named in the platform's `Unknown field "x"`; null for any other error text. */
export const unknownColumnOf = (error: string): string | null =>
  /unknown field:?\s{1,8}"([^"]{1,80})"/i.exec(error)?.[1] ?? null;

const isRow = (value: unknown, width: number): value is ScanRow =>
  isRecord(value) &&
  typeof value['s'] === 'string' &&
  Array.isArray(value['d']) &&
  value['d'].length === width;

/**
 * Checks the shape of a whole scan answer before anything of it is used.
 * @param text the response body; an `error` or a null `data` makes it unusable whatever the HTTP status was
 * @param width how many columns were asked for; a row of another width is malformed
 * @returns the rows, duplicates included; unusable with a clause saying why (it completes "TradingView …")
 */
export function readAnswer(text: string, width: number): ScanAnswer {
  const parsed = parseJson(text);
  const body = parsed.ok ? parsed.value : null;
  if (!isRecord(body)) return unusable(`sent something else than a scan result ("${shortened(text)}")`);
  const error = body['error'];
  if (typeof error === 'string' && error !== '') {
    return unusable(`answered with an error ("${shortened(error)}")`, unknownColumnOf(error));
  }
  const { data, totalCount } = body;
  if (!Array.isArray(data)) return unusable('sent a scan result without data');
  if (typeof totalCount !== 'number' || !Number.isInteger(totalCount) || totalCount < 0) {
    return unusable('sent a scan result without a count');
  }
  if (data.length === 0) return unusable('sent a scan result without a single listing');
  const rows = data.filter((row): row is ScanRow => isRow(row, width));
  const malformed = data.length - rows.length;
  if (malformed > data.length * MAX_MALFORMED_SHARE) {
    return unusable(`sent ${malformed} of ${data.length} rows in an unknown shape`);
  }
  return { kind: 'rows', totalCount, rows, malformed };
}

/** How much of what matched must have arrived. */
const MIN_COMPLETE_SHARE = 0.95;

/**
 * Whether the answer holds what matched: a cut one would make the missing stocks stand still unseen. A listing or
 * two that came or went between counting and listing are no cut.
 * @param received rows in the answer, duplicates and malformed ones included
 */
export const isComplete = (received: number, totalCount: number): boolean =>
  received >= Math.min(totalCount, RANGE_END) * MIN_COMPLETE_SHARE;
