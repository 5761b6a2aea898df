import { checkHtf } from '#market/indicators/rules/indicatorKey.ts';
import { type ColumnEntry, normaliseColumns } from '#market/scanners/rules/columnList.ts';
import { withFormat } from '#market/scanners/rules/columnFormat.ts';
import {
  ALL_COLUMNS,
  BASE_COLUMNS,
  type Column,
  DECIMALS,
  defaultColumns,
  furtherColumns,
} from '#market/scanners/rules/columns.ts';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';
import { refReader } from '#subjects/conditions/rules/refReader.ts';
import type { Ref } from '#subjects/conditions/rules/operand.ts';

/** Columns that do not flash: volumes only rise within a bar, and so do ratios to volume and counts of bars. */
const RISING = /volume|traded|bars.?count/i;

/** Families whose values are prices: averages, bands, levels. */
const PRICES =
  /^(?:ema|sma|hull-ma|vwma|vwap|p-sar|open|high|low|close|bb-(?:upper|lower|basis)|(?:donch-ch|klt-chnl|ichimoku|pivot-m)-[a-z\d-]{1,40})$/;

export const valueColumn = (id: string, label: string, ref: Ref): Column => ({
  id,
  label,
  kind: 'indicator',
  decimals: DECIMALS.indicator,
  ...(ref.type === 'indicator' && PRICES.test(ref.family) ? { isFinerUnderOne: true } : {}),
  numeric: true,
  colour: 'plain',
  flashes: ref.type !== 'indicator' || !RISING.test(ref.family),
  value: refReader(ref),
});

export function columnOf(tableKey: ScannerKey, entry: ColumnEntry): Column | null {
  const column = plainColumnOf(tableKey, entry);
  return column && withFormat(column, entry);
}

function plainColumnOf(tableKey: ScannerKey, entry: ColumnEntry): Column | null {
  const { id, label, indicator, custom, valueKey = 'now' } = entry;
  if (indicator) return valueColumn(id, label, { type: 'indicator', ...indicator, valueKey });
  const htf = custom && checkHtf(custom.params);
  if (htf) return valueColumn(id, label, { type: 'htf', ...htf });
  return (
    BASE_COLUMNS[tableKey].find((column) => column.id === id) ??
    furtherColumns(tableKey).find((column) => column.id === id) ??
    ALL_COLUMNS.find((column) => column.id === id) ??
    null
  );
}

/** The columns of a table, in order. @param saved the layout from the server; unusable entries are dropped */
export function shownColumns(tableKey: ScannerKey, saved: unknown): readonly Column[] {
  if (saved === undefined || saved === null) return defaultColumns(tableKey);
  return normaliseColumns(tableKey, saved)
    .columns.filter(({ enabled }) => enabled)
    .flatMap((entry) => columnOf(tableKey, entry) ?? []);
}

/**
 * Appends the columns of `more` that are missing. Indicators with equal labels count as equal, because a saved column
 * has its delay only in its label.
 */
export function withColumns(columns: readonly Column[], more: readonly Column[]): readonly Column[] {
  const present = new Set(
    columns.flatMap(({ id, label, kind }) => (kind === 'indicator' ? [id, label] : [id])),
  );
  const added = more.filter(({ id, label, kind }) => {
    const isPresent = present.has(id) || (kind === 'indicator' && present.has(label));
    present.add(id);
    return !isPresent;
  });
  return added.length === 0 ? columns : [...columns, ...added];
}
