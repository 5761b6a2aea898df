import { type ReactNode, useDeferredValue, useMemo, useRef } from 'react';
import { LINE_HEIGHTS, type LineHeights } from '../lineHeights.ts';
import { useLineHeights } from '../useLineHeights.ts';
import type { ColumnActions } from './columnActions.ts';
import { ChangeTints } from './ChangeTints.tsx';
import { TableBody } from './TableBody.tsx';
import { StickyHeader } from './StickyHeader.tsx';
import { TableSkeleton } from './TableSkeleton.tsx';
import type {
  LiveRows,
  OpenRows,
  RowDetail,
  RowMenuRequest,
  RowRequest,
  SortState,
  TableColumn,
} from './types.ts';
import { useElementWidth } from './useElementWidth.ts';
import { usePause } from './usePause.tsx';
import { useReading } from './useReading.ts';
import { useShownRows } from './useShownRows.ts';
import './DataTable.css';

export type DataTableProps<Row extends object> = {
  /** What the table is called. */
  label: string;
  columns: readonly TableColumn<Row>[];
  /** In any order; rows whose data did not change keep their identity. */
  rows: readonly Row[] | LiveRows<Row>;
  rowId(row: Row): string;
  sort: SortState | null;
  onSort(sort: SortState): void;
  /** Changes with the user's filters: a new one is applied at once, also while the order is held. */
  resetKey: string;
  /** Changes with what the rows are of as a whole: a new one is applied at once, and for a while nothing is held. */
  epoch?: string;
  /** The newest state of a row that no longer belongs but is still shown. */
  lookup?: (id: string) => Row | undefined;
  /** Such a row is not held, unless it is open. */
  leavesAtOnce?: boolean | undefined;
  detail?: RowDetail<Row>;
  /** Which rows are open, where the caller keeps that. */
  openRows?: OpenRows;
  /** What a click on a row or Enter does, where no panel opens under it. */
  onOpen?: ((id: string) => void) | undefined;
  /** Shown in place of rows when there are none. */
  empty: ReactNode;
  loading?: boolean;
  /** Takes j, k and the arrows when nothing on the page has the focus. */
  isPrimary?: boolean;
  /** A row that is scrolled into sight and gets the keyboard's focus once it is there; null, or left out, for none. */
  requested?: RowRequest | null;
  /** Shows what may be done with a row: by the right button, a long press, the menu key or Shift+F10. */
  onMenu?: ((menu: RowMenuRequest) => void) | undefined;
  /** What may be done with the columns in the header; nothing when left out. */
  columnActions?: ColumnActions | undefined;
  /** What stands above the table; left out, that is only the chip of a pause. */
  heading?: (state: HeadingState<Row>) => ReactNode;
};

export type HeadingState<Row> = {
  /** How many rows the table has, those that left and are still shown included. */
  count: number;
  /** Those rows in the order that it shows, as they are when this is asked. */
  newestRows(): readonly Row[];
  /** The chip that says that the order is paused, and resumes it; null when it is not. */
  pausedChip: ReactNode;
  /** Ids of rows that no longer belong and stay while they are open. */
  openLeft: readonly string[];
};

const NONE_OPEN: ReadonlySet<string> = new Set();

/** Of the buttons that open rows, px: for a pointer, and for a finger. */
const expanderFor = (heights: LineHeights): number => (heights === LINE_HEIGHTS.touch ? 40 : 28);

/** What a table keeps and measures: its elements, its width and lines, the rows in their order, and the pause of that order. */
function useTable<Row extends object>(props: DataTableProps<Row>) {
  const { detail, epoch = '', onOpen } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const tints = useRef<SVGSVGElement>(null);
  const width = useElementWidth(scroller);
  const heights = useLineHeights();
  const reading = useReading();
  const expanderWidth = detail ? expanderFor(heights) : null;
  const leading = useMemo(
    (): OpenRows | null => (onOpen ? { open: NONE_OPEN, toggle: onOpen } : null),
    [onOpen],
  );
  const openRows = leading ?? props.openRows;
  const { isReading } = reading;
  const shown = useShownRows({ ...props, openRows, epoch, expanderWidth, width, isReading });
  const pause = usePause(shown, reading.stop, frame);
  const body = { shown, layout: shown.layout, heights, width, scroller, tints, reading };
  return { body, frame, pause, leadsAway: leading !== null };
}

/**
 * A live table: sorts by header click, draws only the rows in sight, lets values move at once and rows at most once
 * a second, and not while somebody uses them (`HeldOrder` has the rule). Knows nothing of the product.
 */
export function DataTable<Row extends object>(props: DataTableProps<Row>): ReactNode {
  // The first rows are rendered in slices: a phone answers its fingers between them.
  const loading = useDeferredValue(props.loading ?? false);
  const { body, frame, pause, leadsAway } = useTable(props);
  const { shown, width, scroller, tints } = body;
  const count = shown.rows.length;
  const openLeft = [...shown.leftIds].filter((id) => shown.openIds.has(id));
  const newestRows = (): readonly Row[] => shown.newest().rows;
  return (
    <>
      {props.heading ? props.heading({ count, newestRows, pausedChip: pause.chip, openLeft }) : pause.chip}
      <p className="visually-hidden" aria-live="polite">
        {pause.words}
      </p>
      <div ref={frame} className="table-frame" data-held={shown.isHeld || undefined}>
        <div className="table-scroll" ref={scroller}>
          <ChangeTints ref={tints} />
          {gridOf(props, body, leadsAway, loading)}
          {!loading && count === 0 && (
            <div className="table-empty" style={{ width }}>
              {props.empty}
            </div>
          )}
        </div>
      </div>
    </>
  );
}

/** Header and lines. No component of its own: it would be one more to render with every change of the order. */
function gridOf<Row extends object>(
  { label, sort, detail, columnActions, isPrimary = false, requested = null, onMenu }: DataTableProps<Row>,
  body: ReturnType<typeof useTable<Row>>['body'],
  leadsAway: boolean,
  loading: boolean,
): ReactNode {
  const { shown, layout } = body;
  return (
    <table
      role="grid"
      className="table"
      aria-label={label}
      aria-rowcount={loading ? -1 : shown.rows.length + shown.openIds.size + 1}
      aria-busy={loading}
      data-wide={layout.isWide || undefined}
      style={{ width: `max(100%, ${layout.width}px)` }}
    >
      <StickyHeader layout={layout} expanderLabel={detail?.heading} sort={sort} actions={columnActions} />
      {loading ? (
        <TableSkeleton layout={layout} />
      ) : (
        <TableBody
          {...body}
          detail={detail}
          leadsAway={leadsAway}
          isPrimary={isPrimary}
          requested={requested}
          onMenu={onMenu}
        />
      )}
    </table>
  );
}
