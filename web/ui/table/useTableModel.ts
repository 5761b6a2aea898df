import { functionalUpdate, tableFeatures } from '@tanstack/react-table';
import { useMemo, useState } from 'react';
import { layoutColumns, shareWidth } from './columnLayout.ts';
import { HeldRows } from './heldRows.ts';
import { columnDef, TABLE_FEATURES, type Features } from './tableModel.ts';
import type { SortState, TableColumn } from './types.ts';
import { useModel } from './useModel.ts';

export type TableModelInput<Row extends object> = {
  columns: readonly TableColumn<Row>[];
  data: readonly Row[];
  rowId(row: Row): string;
  sort: SortState | null;
  onSort(sort: SortState): void;
  /** Of the buttons that open rows, px; null when rows don't open. */
  expanderWidth: number | null;
  /** Of what is in sight, px. */
  width: number;
};

/** A table's model: its columns with their order, widths and sort, and its rows in the order that holds still. */
export function useTableModel<Row extends object>(input: TableModelInput<Row>) {
  const { columns, sort, expanderWidth, width } = input;
  const available = width - (expanderWidth ?? 0);
  const [{ held, features }] = useState(heldModel<Row>);
  const defs = useMemo(() => pinnedFirst(columns).map(columnDef), [columns]);
  const columnSizing = useMemo(() => sharedWidths(columns, available), [columns, available]);
  const sorting = sort ? [sort] : [];
  const table = useModel<Features, Row>({
    features,
    columns: defs,
    data: input.data,
    getRowId: input.rowId,
    state: { columnSizing, sorting },
    enableSortingRemoval: false,
    onSortingChange: (change) => {
      const [next] = functionalUpdate(change, sorting);
      if (next) input.onSort(next);
    },
  });
  const drawn = table.getAllLeafColumns();
  const layout = useMemo(() => layoutColumns(drawn, expanderWidth, width), [drawn, expanderWidth, width]);
  return { table, held, layout };
}

/** The order in which columns are drawn: the library's own pinning is 2 KB of every first load, for this. */
const pinnedFirst = <Row extends object>(columns: readonly TableColumn<Row>[]): TableColumn<Row>[] => [
  ...columns.filter(({ pinned }) => pinned),
  ...columns.filter(({ pinned }) => !pinned),
];

/** Rows whose order holds still, and the features of a table that shows them. */
function heldModel<Row extends object>() {
  const held = new HeldRows<Row>();
  const features: Features = tableFeatures({
    ...TABLE_FEATURES,
    coreRowModel: held.core,
    sortedRowModel: held.sorted,
  });
  return { held, features };
}

const sharedWidths = (columns: readonly TableColumn<never>[], available: number): Record<string, number> => {
  const widths = shareWidth(columns, available);
  return Object.fromEntries(columns.map(({ id }, index) => [id, widths[index] ?? 0]));
};
