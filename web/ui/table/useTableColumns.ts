import {
  type Column,
  type ColumnDef,
  columnPinningFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  functionalUpdate,
  rowExpandingFeature,
  rowSortingFeature,
  type TableOptions,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useCallback, useMemo } from 'react';
import { shareWidth } from './columnWidths.ts';
import type { CellStyle, ShownColumn, SortState, TableColumn } from './types.ts';

const FEATURES = tableFeatures({
  columnVisibilityFeature,
  columnPinningFeature,
  columnSizingFeature,
  rowSortingFeature,
  rowExpandingFeature,
});
type Features = typeof FEATURES;

const EXPANDER = '@expander';
const NO_ROWS: never[] = [];

/** Where the pinned columns end and the others slide under them. */
const EDGE = '1px 0 0 var(--line)';

export type TableColumnsInput<Row> = {
  columns: readonly TableColumn<Row>[];
  /** Of the buttons that open the rows, in a column before all others, px; null when rows don't open. */
  expanderWidth: number | null;
  /** px that the table has. */
  available: number;
  sort: SortState | null;
  onSort(sort: SortState): void;
};

/**
 * A table's columns in TanStack Table: order, visibility, pinning, widths, what the rows are sorted by and which of
 * them are open. The rows are not given to it: it would build their model anew with each tick, of hundreds to draw
 * thirty, and their order holds still while it is read.
 */
export function useTableColumns<Row extends object>(input: TableColumnsInput<Row>) {
  const { columns, available } = input;
  const table = useTable(useTableOptions(input));
  const pinned = table.getStartVisibleLeafColumns();
  const others = table.getCenterVisibleLeafColumns();
  const { columnSizing, expanded } = table.state;
  const layout = useMemo(
    () => layoutOf({ columns, pinned, others, columnSizing, available }),
    [columns, pinned, others, columnSizing, available],
  );

  const { getColumn, setExpanded } = table;
  const toggleSort = useCallback((id: string) => getColumn(id)?.toggleSorting(), [getColumn]);
  const toggleRow = useCallback(
    (id: string) =>
      setExpanded((old) => {
        const { [id]: isOpen = false, ...rest } = old === true ? {} : old;
        return isOpen ? rest : { ...rest, [id]: true };
      }),
    [setExpanded],
  );
  return { ...layout, expanded, toggleSort, toggleRow };
}

/** The same object while nothing changed: a tick must not cost the table anything. */
function useTableOptions<Row extends object>(input: TableColumnsInput<Row>): TableOptions<Features, Row> {
  const { columns, expanderWidth, available, sort, onSort } = input;
  const definitions = useMemo(() => definitionsOf(columns), [columns]);
  const columnState = useMemo(
    () => columnStateOf({ columns, expanderWidth, available }),
    [columns, expanderWidth, available],
  );
  const sorting = useMemo(() => (sort ? [sort] : []), [sort]);
  return useMemo(
    () => ({
      features: FEATURES,
      columns: definitions,
      data: NO_ROWS,
      state: { ...columnState, sorting },
      onSortingChange: (updater) => {
        const [next] = functionalUpdate(updater, sorting);
        if (next) onSort(next);
      },
      manualSorting: true,
      enableSortingRemoval: false,
      enableMultiSort: false,
    }),
    [definitions, columnState, sorting, onSort],
  );
}

const definitionsOf = <Row extends object>(
  columns: readonly TableColumn<Row>[],
): ColumnDef<Features, Row>[] => [
  { id: EXPANDER, minSize: 0 },
  ...columns.map(({ id, read, numeric, width, maxWidth }) => ({
    id,
    accessorFn: read,
    sortDescFirst: numeric,
    minSize: width,
    maxSize: maxWidth,
  })),
];

/** What the caller decides: the columns in their order, which of them are pinned, and the width there is. */
function columnStateOf<Row>(input: Pick<TableColumnsInput<Row>, 'columns' | 'expanderWidth' | 'available'>) {
  const { columns, expanderWidth, available } = input;
  const widths = shareWidth(columns, available - (expanderWidth ?? 0));
  const sizes = columns.map(({ id }, index): [string, number] => [id, widths[index] ?? 0]);
  return {
    columnVisibility: { [EXPANDER]: expanderWidth !== null },
    columnPinning: {
      start: [EXPANDER, ...columns.filter(({ pinned }) => pinned).map(({ id }) => id)],
      end: [],
    },
    columnSizing: { [EXPANDER]: expanderWidth ?? 0, ...Object.fromEntries(sizes) },
  };
}

type LayoutInput<Row extends object> = {
  columns: readonly TableColumn<Row>[];
  /** Those in sight also when the table is scrolled sideways, the expander's first. */
  pinned: readonly Column<Features, Row>[];
  others: readonly Column<Features, Row>[];
  /** px by id. */
  columnSizing: Readonly<Record<string, number>>;
  available: number;
};

/** How the cells of each column are drawn, in their order, and how wide the table is, px. */
function layoutOf<Row extends object>({
  columns,
  pinned,
  others,
  columnSizing,
  available,
}: LayoutInput<Row>) {
  const all = [...pinned, ...others];
  const width = all.reduce((sum, { id }) => sum + (columnSizing[id] ?? 0), 0);
  // Sticky cells cost layout in every row: only where there is something to scroll.
  const isWide = width > available;
  const styles = new Map(
    all.map((column) => [column.id, cellStyle(column, isWide, column === pinned.at(-1))]),
  );
  const byId = new Map(columns.map((column) => [column.id, column]));
  return {
    shown: all.flatMap(({ id }): ShownColumn<Row>[] => {
      const column = byId.get(id);
      const style = styles.get(id);
      return column && style ? [{ column, style }] : [];
    }),
    expander: styles.get(EXPANDER) ?? null,
    width,
    isWide,
  };
}

function cellStyle<Row extends object>(
  column: Column<Features, Row>,
  isWide: boolean,
  isLastPinned: boolean,
): CellStyle {
  const width = column.getSize();
  if (!isWide || !column.getIsPinned()) return { width };
  const left = column.getStart('start');
  return isLastPinned ? { width, left, boxShadow: EDGE } : { width, left };
}
