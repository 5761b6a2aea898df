import { type ReactNode, useRef } from 'react';
import { useLineHeights } from '../useLineHeights.ts';
import { TableBody } from './TableBody.tsx';
import { TableHeader } from './TableHeader.tsx';
import { TableSkeleton } from './TableSkeleton.tsx';
import type { RowDetail, SortState, TableColumn } from './types.ts';
import { useElementWidth } from './useElementWidth.ts';
import { useReading } from './useReading.ts';
import { useShownRows } from './useShownRows.ts';
import { useTableColumns } from './useTableColumns.ts';
import './DataTable.css';

export type DataTableProps<Row> = {
  /** What the table is called. */
  label: string;
  columns: readonly TableColumn<Row>[];
  /** In any order; rows whose data did not change keep their identity. */
  rows: readonly Row[];
  rowId(row: Row): string;
  sort: SortState | null;
  onSort(sort: SortState): void;
  /** Changes with the user's filters: a new one is applied at once, also while the order is held. */
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

/** Least width of what a finger, or a pointer, hits, px. */
const TOUCH_WIDTH = 40;
const POINTER_WIDTH = 28;

/**
 * A live table: sorts by header click, draws only the rows in sight, lets values move at once and rows at most once
 * a second, and never while somebody reads them. Knows nothing of the product.
 */
export function DataTable<Row extends object>(props: DataTableProps<Row>): ReactNode {
  const { columns, sort, detail, loading = false } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const available = useElementWidth(scroller);
  const heights = useLineHeights();
  const reading = useReading();
  const expanderWidth = heights.row < TOUCH_WIDTH ? POINTER_WIDTH : TOUCH_WIDTH;
  const { shown, expander, width, isWide, expanded, toggleSort, toggleRow } = useTableColumns<Row>({
    columns,
    expanderWidth: detail ? expanderWidth : null,
    available,
    sort,
    onSort: props.onSort,
  });
  const { isReading } = reading;
  const { rows, ids, left, openIds, isHeld } = useShownRows({ ...props, expanded, isReading });
  return (
    <div className="table-frame" data-held={isHeld || undefined}>
      <div className="table-scroll" ref={scroller}>
        <table
          role="grid"
          className="table"
          aria-label={props.label}
          aria-rowcount={loading ? -1 : rows.length + openIds.size + 1}
          aria-busy={loading}
          data-wide={isWide || undefined}
          style={{ width: `max(100%, ${width}px)` }}
        >
          <TableHeader
            columns={shown}
            expander={expander}
            expanderLabel={detail?.heading ?? ''}
            sort={sort}
            onSort={toggleSort}
          />
          {loading ? (
            <TableSkeleton columns={shown} expander={expander} />
          ) : (
            <TableBody
              rows={rows}
              ids={ids}
              columns={shown}
              expander={expander}
              openIds={openIds}
              left={left}
              detail={detail}
              heights={heights}
              width={available}
              scroller={scroller}
              toggle={toggleRow}
              reading={reading.handlers}
              isPrimary={props.isPrimary ?? false}
            />
          )}
        </table>
        {!loading && rows.length === 0 && (
          <div className="table-empty" style={{ width: available }}>
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
