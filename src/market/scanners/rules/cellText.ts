import { DASH, formatNumber, formatShort, formatSigned } from '#texts/format.ts';
import { type Column, DECIMALS } from '#market/scanners/rules/columns.ts';
import type { ScannerRow } from '#market/scanners/rules/membership.ts';

/** What a column's cell says: a number with its decimals, sign and percent mark, or written short; a dash for a value that is not known. */
export function cellText(column: Column, row: ScannerRow): string {
  const value = column.value(row);
  if (typeof value === 'string') return value;
  if (value === null) return DASH;
  const { colour, kind } = column;
  const isFine = column.isFinerUnderOne === true && Math.abs(value) < 1;
  const decimals = isFine ? DECIMALS.price : column.decimals;
  if (column.isShort) return formatShort(value, colour === 'sign');
  const text = colour === 'sign' ? formatSigned(value, decimals) : formatNumber(value, decimals);
  return kind === 'percent' ? `${text}%` : text;
}
