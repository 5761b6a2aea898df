import { formatNumber } from '#texts/format.ts';
import type { Sort } from '../rules/scanners.ts';
import type { ScannerRow } from '../rules/membership.ts';
import type { TableColumn } from '#ui/table/types.ts';

/** How many rows are named. */
const NAMED_ROWS = 3;

export type SummarisedTable = {
  title: string;
  columns: readonly TableColumn<ScannerRow>[];
  /** Those that the table shows, in its order, which may be held and hold rows that left. */
  rows: readonly ScannerRow[];
  sort: Sort;
};

/** A table in one or two sentences, for a screen reader: how many stocks its heading counts, and its first rows. */
export function screenReaderSummary({ title, columns, rows, sort }: SummarisedTable): string {
  if (rows.length === 0) return `${title}: nothing to show.`;
  const count = `${formatNumber(rows.length, 0)} ${rows.length === 1 ? 'stock' : 'stocks'}`;
  const column = columns.find(({ id }) => id === sort.id);
  if (!column) return `${title}: ${count}.`;
  const first = rows.slice(0, NAMED_ROWS);
  const named = first.map((row) => (column.isRowHeader ? row.code : `${row.code} ${column.text(row)}`));
  return `${title}: ${count}. First by ${column.label}: ${named.join(', ')}.`;
}
