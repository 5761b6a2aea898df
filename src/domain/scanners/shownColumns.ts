import { normaliseColumns } from './columnList.ts';
import { type ColumnEntry } from './columnEntry.ts';
import { BASE_COLUMNS, type Column, DECIMALS, defaultColumns, FIELD_COLUMNS } from './columns.ts';
import { readerOf } from '../conditions/reader.ts';
import { checkHtf } from '../indicators/htfCandle.ts';
import type { Operand } from '../conditions/operand.ts';
import type { ScannerKey } from './scanners.ts';

const valueColumn = (id: string, label: string, operand: Operand): Column => ({
  id,
  label,
  kind: 'indicator',
  decimals: DECIMALS.indicator,
  numeric: true,
  colour: 'plain',
  value: readerOf(operand),
});

/** The column that an entry of a saved layout stands for; null when there is none. */
export function columnOf(tableKey: ScannerKey, entry: ColumnEntry): Column | null {
  const { id, label, indicator, custom, valueKey = 'now' } = entry;
  if (indicator) return valueColumn(id, label, { type: 'indicator', ...indicator, valueKey });
  const htf = custom && checkHtf(custom.params);
  if (htf) return valueColumn(id, label, { type: 'htf', ...htf });
  return (
    BASE_COLUMNS[tableKey].find((column) => column.id === id) ??
    FIELD_COLUMNS.find((column) => column.id === id) ??
    null
  );
}

/**
 * The columns that a table shows, in order.
 * @param saved the layout as the server gave it; anything unusable in it is passed over
 */
export function shownColumns(tableKey: ScannerKey, saved: unknown): readonly Column[] {
  if (saved === undefined || saved === null) return defaultColumns(tableKey);
  return normaliseColumns(tableKey, saved)
    .columns.filter(({ enabled }) => enabled)
    .flatMap((entry) => columnOf(tableKey, entry) ?? []);
}

/** A column for a side of a condition. Its id tells delays apart, as two of one indicator may stand side by side. */
export const operandColumn = (id: string, label: string, operand: Operand): Column =>
  operand.type === 'field'
    ? (FIELD_COLUMNS.find((column) => column.id === operand.key) ?? valueColumn(id, label, operand))
    : valueColumn(id, label, operand);

/**
 * Columns with others after them that are not among them yet.
 * @param more told apart by what they show: an indicator's column of the same id and label is the same
 */
export function withColumns(columns: readonly Column[], more: readonly Column[]): readonly Column[] {
  const seen = new Set(columns.flatMap(({ id, label, kind }) => (kind === 'indicator' ? [id, label] : [id])));
  const fresh = more.filter(({ id, label, kind }) => {
    const isThere = seen.has(id) || (kind === 'indicator' && seen.has(label));
    seen.add(id);
    return !isThere;
  });
  return fresh.length === 0 ? columns : [...columns, ...fresh];
}
