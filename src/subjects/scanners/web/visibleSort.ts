import { SCANNERS, type ScannerKey, type Sort } from '../rules/scanners.ts';
import type { TableColumn } from '#ui/table/types.ts';

type SortableColumn = Pick<TableColumn<never>, 'id' | 'numeric'>;

/**
 * The sort that a table can show, as the user may have hidden the column it names: the given one, else the scanner's
 * default, else the first numeric column from the highest value down.
 */
export function visibleSort(sort: Sort, scanner: ScannerKey, columns: readonly SortableColumn[]): Sort {
  const { defaultSort } = SCANNERS[scanner];
  const found = [sort, defaultSort].find(({ id }) => columns.some((column) => column.id === id));
  const firstNumeric = columns.find(({ numeric }) => numeric);
  return found ?? (firstNumeric ? { id: firstNumeric.id, desc: true } : defaultSort);
}
