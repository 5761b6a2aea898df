import {
  type CellData,
  type Column,
  type ColumnDef,
  columnSizingFeature,
  type Row as AnyRow,
  type RowData,
  rowSortingFeature,
  type TableFeatures,
  tableFeatures,
} from '@tanstack/react-table';
import type { TableColumn } from './types.ts';

declare module '@tanstack/react-table' {
  // The names and variances of the library's own declaration.
  interface ColumnMeta<
    in out TFeatures extends TableFeatures,
    in out TData extends RowData,
    TValue extends CellData = CellData,
  > {
    column: TableColumn<TData>;
  }
}

/** What the tables use of TanStack Table: every table pays for it on the first page. */
export const TABLE_FEATURES = tableFeatures({
  columnSizingFeature,
  rowSortingFeature,
});

export type Features = typeof TABLE_FEATURES;
/** A row as the table's model has it: its data is `original`. */
export type ModelRow<Row extends object> = AnyRow<Features, Row>;
export type ModelColumn<Row extends object> = Column<Features, Row>;

/** A column for the table's model. */
export const columnDef = <Row extends object>(column: TableColumn<Row>): ColumnDef<Features, Row> => ({
  id: column.id,
  header: column.label,
  accessorFn: (row) => column.read(row),
  minSize: column.width,
  size: column.width,
  maxSize: Math.max(column.width, column.maxWidth),
  enableSorting: column.isSortable !== false,
  // Numbers begin with the greatest, texts with the first of the alphabet.
  sortDescFirst: column.numeric,
  meta: { column },
});
