import { DASH, formatNumber, formatShort, formatSigned } from '#texts/format.ts';
import { type Column, DECIMALS } from '#market/scanners/rules/columns.ts';
import type { ScannerRow } from '#market/scanners/rules/membership.ts';

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
