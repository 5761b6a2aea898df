import { formatNumber } from '../../../src/domain/format.ts';
import type { ScannerRow, Sort } from '../../../src/domain/scanners/scanners.ts';
import { sortRows } from '../../ui/table/sortRows.ts';
import type { TableColumn } from '../../ui/table/types.ts';

const NAMED = 3;

export type Summarised = {
  title: string;
  columns: readonly TableColumn<ScannerRow>[];
  rows: readonly ScannerRow[];
  sort: Sort;
};

/** A table in a sentence or two, for those who do not see it: how many stocks, and the first few as they are sorted. */
export function summaryOf({ title, columns, rows, sort }: Summarised): string {
  if (rows.length === 0) return `${title}: nothing to show.`;
  const count = `${formatNumber(rows.length, 0)} ${rows.length === 1 ? 'stock' : 'stocks'}`;
  const column = columns.find(({ id }) => id === sort.id);
  if (!column) return `${title}: ${count}.`;
  const first = sortRows(rows, ({ code }) => code, { read: column.read, desc: sort.desc }).slice(0, NAMED);
  const named = first.map((row) => (column.isRowHeader ? row.code : `${row.code} ${column.text(row)}`));
  return `${title}: ${count}. First by ${column.label}: ${named.join(', ')}.`;
}
