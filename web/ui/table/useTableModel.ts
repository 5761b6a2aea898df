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

/** A table's model: its columns with their order, pinning, widths and sort, and its rows in the order that holds still. */
export function useTableModel<Row extends object>(input: TableModelInput<Row>) {
  const { columns, sort, expanderWidth, width } = input;
  const available = width - (expanderWidth ?? 0);
  const [{ held, features }] = useState(heldModel<Row>);
  const shape = useMemo(
    () => ({
      columns: columns.map(columnDef),
      pinning: { start: columns.filter(({ pinned }) => pinned).map(({ id }) => id), end: [] },
    }),
    [columns],
  );
  const columnSizing = useMemo(() => sharedWidths(columns, available), [columns, available]);
  const sorting = sort ? [sort] : [];
  const table = useModel<Features, Row>({
    features,
    columns: shape.columns,
    data: input.data,
    getRowId: input.rowId,
    state: { columnPinning: shape.pinning, columnSizing, sorting },
    enableSortingRemoval: false,
    onSortingChange: (change) => {
      const [next] = functionalUpdate(change, sorting);
      if (next) input.onSort(next);
    },
  });
  const pinned = table.getStartVisibleLeafColumns();
  const others = table.getCenterVisibleLeafColumns();
  const layout = useMemo(
    () => layoutColumns(pinned, others, expanderWidth, width),
    [pinned, others, expanderWidth, width],
  );
  return { table, held, layout };
}

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
