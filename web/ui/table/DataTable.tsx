import { rowExpandingFeature, rowSortingFeature, tableFeatures, useTable } from '@tanstack/react-table';
import { type ReactNode, useCallback, useEffect, useMemo, useRef } from 'react';
import { cellStyles, shareWidth } from './widths.ts';
import { SkeletonRows } from './SkeletonRows.tsx';
import { TableBody } from './TableBody.tsx';
import { TableHeader } from './TableHeader.tsx';
import type { SortState, TableColumn } from './types.ts';
import { useElementSize } from './useElementSize.ts';
import { useHeldOrder } from './useHeldOrder.ts';
import { useReading } from './useReading.ts';

const features = tableFeatures({ rowSortingFeature, rowExpandingFeature });

/** A panel that opens under a row. */
export type RowDetail<Row> = {
  /** The expander column's heading, for screen readers. */
  heading: string;
  /** What the expander of a row is called. */
  label(row: Row): string;
  render(row: Row): ReactNode;
};

export type DataTableProps<Row> = {
  /** What the table is called. */
  label: string;
  columns: readonly TableColumn<Row>[];
  /** In any order; rows whose data did not change keep their identity. */
  rows: readonly Row[];
  rowId(row: Row): string;
  sort: SortState | null;
  onSort(sort: SortState): void;
  /** Changes with the user's filters: a new one is applied at once, also while the order holds still. */
  resetKey: string;
  /** The newest state of a row that no longer belongs but is still shown. */
  lookup?: (id: string) => Row | undefined;
  detail?: RowDetail<Row>;
  /** Shown in place of rows when there are none. */
  empty: ReactNode;
  loading?: boolean;
  /** Takes j, k and the arrows when nothing on the page has the focus. */
  isPrimary?: boolean;
};

const NONE: ReadonlySet<string> = new Set();
const NO_ROWS: never[] = [];

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

const EXPANDER = { width: 28, maxWidth: 28 };
const TOUCH_EXPANDER = { width: 40, maxWidth: 40 };

/**
 * A live table: sorts by header click, draws only the rows in sight, lets values move at once and rows at most once
 * a second, and never while somebody reads them. Knows nothing of the product.
 */
export function DataTable<Row extends object>(props: DataTableProps<Row>): ReactNode {
  const { columns, rows, rowId, sort, onSort, detail, loading = false } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const size = useElementSize(scroller);
  const reading = useReading();
  const definitions = useMemo(
    () =>
      columns.map((column) => ({
        id: column.id,
        accessorFn: (row: Row) => column.read(row),
        sortDescFirst: column.numeric,
      })),
    [columns],
  );
  const isOpen = useRef(false);
  const sorted = columns.find((column) => column.id === sort?.id);
  const ordered = useHeldOrder<Row>({
    rows,
    rowId,
    by: sorted && sort ? { read: sorted.read, desc: sort.desc } : null,
    frozen: reading.isReading || isOpen.current,
    resetKey: `${props.resetKey}|${sort?.id}|${sort?.desc}`,
    lookup: props.lookup,
  });
  const sorting = useMemo(() => (sort ? [sort] : []), [sort]);
  const table = useTable({
    features,
    columns: definitions,
    // Rows and their order are ours: a model of 700 rows would be built anew each tick, to draw 30. The table keeps
    // the columns, what is sorted by, which way, and what is open.
    data: NO_ROWS as Row[],
    state: { sorting },
    manualSorting: true,
    enableSortingRemoval: false,
    enableMultiSort: false,
    // Otherwise every tick would close the open rows (TanStack/table#5968).
    autoResetExpanded: false,
  });
  const { expanded } = table.state;
  const openIds = useMemo(() => {
    if (expanded !== true && Object.keys(expanded).length === 0) return NONE;
    return new Set(ordered.ids.filter((id) => expanded === true || expanded[id] === true));
  }, [ordered.ids, expanded]);
  isOpen.current = openIds.size > 0;

  const current = useRef({ table, onSort });
  useEffect(() => {
    current.current = { table, onSort };
  });
  const toggle = useCallback((id: string) => {
    current.current.table.setExpanded((old) => {
      const { [id]: isOpen = false, ...others } = old === true ? {} : old;
      return isOpen ? others : { ...others, [id]: true };
    });
  }, []);
  const sortBy = useCallback((id: string) => {
    const column = current.current.table.getColumn(id);
    if (column) current.current.onSort({ id, desc: column.getNextSortingOrder() === 'desc' });
  }, []);

  const widths = useMemo(() => {
    const expander = size.rowHeight >= 40 ? TOUCH_EXPANDER : EXPANDER;
    return shareWidth(detail ? [expander, ...columns] : columns, size.width);
  }, [columns, detail, size.width, size.rowHeight]);
  const width = sum(widths);
  const isWide = width > size.width;
  const styles = useMemo(() => {
    const pinned = (detail ? 1 : 0) + columns.filter((column) => column.pinned).length;
    return cellStyles(widths, isWide ? pinned : 0);
  }, [widths, columns, detail, isWide]);

  return (
    <div
      className="table-frame"
      data-held={(ordered.rows.length > 0 && (reading.isReading || isOpen.current)) || undefined}
    >
      <div className="table-scroll" ref={scroller}>
        <table
          role="grid"
          className="table"
          aria-label={props.label}
          aria-rowcount={loading ? -1 : ordered.rows.length + openIds.size + 1}
          aria-busy={loading}
          data-wide={isWide || undefined}
          style={{ width: `max(100%, ${width}px)` }}
        >
          <TableHeader
            columns={columns}
            styles={styles}
            sort={sort}
            onSort={sortBy}
            expanderLabel={detail ? detail.heading : null}
          />
          {loading ? (
            <SkeletonRows columns={columns} styles={styles} hasExpander={detail !== undefined} />
          ) : (
            <TableBody
              rows={ordered.rows}
              ids={ordered.ids}
              columns={columns}
              styles={styles}
              openIds={openIds}
              left={ordered.left}
              detail={detail}
              size={size}
              scroller={scroller}
              toggle={toggle}
              reading={reading.handlers}
              isPrimary={props.isPrimary ?? false}
            />
          )}
        </table>
        {!loading && ordered.rows.length === 0 && (
          <div className="table-empty" style={{ width: size.width }}>
            {props.empty}
          </div>
        )}
      </div>
      <p className="table-held" aria-hidden="true">
        {openIds.size > 0 ? 'Order paused while a row is open' : 'Order paused'}
      </p>
    </div>
  );
}
