import { compareKeyed, keyOf, type SortBy } from '../../web/ui/table/sortRows.ts';

/** Sorts rows whole, as a table is to show them, whatever was sorted before. */
export function sortRows<Row>(
  rows: readonly Row[],
  rowId: (row: Row) => string,
  by: SortBy<Row> | null,
): Row[] {
  const keyed = rows.map((row) => ({ key: keyOf(row, by), id: rowId(row), row }));
  return keyed.sort(compareKeyed(by?.desc ?? false)).map(({ row }) => row);
}
