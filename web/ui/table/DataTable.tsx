import { type ReactNode, useDeferredValue, useMemo, useRef, type Ref, type CSSProperties } from 'react';
import { LINE_HEIGHTS, type LineHeights, useLineHeights } from '../lineHeights.ts';
import type { ColumnActions } from './columnActions.ts';
import { TableBody } from './TableBody.tsx';
import { StickyHeader } from './StickyHeader.tsx';
import type {
  LiveRows,
  OpenRows,
  RowDetail,
  RowMenuRequest,
  RowRequest,
  SortState,
  TableColumn,
} from './tableModel.ts';
import { useElementWidth } from './useElementWidth.ts';
import { usePause } from './usePause.tsx';
import { useReading } from './useReading.ts';
import { useShownRows } from './useShownRows.ts';
import type { ColumnLayout } from './columnLayout.ts';

const COUNT = 40;
/** Distance between a cell's edge and its text, px. */
const PADDING = 8;

/** Width of a placeholder bar, as a share; it varies, so that bars look like text. */
const shareOf = (index: number): number => (45 + ((index * 13) % 40)) / 100;

/** A background image with a bar per column, because an element per cell takes a phone a tenth of a second. */
function barsOf<Row extends object>({ shown, expander }: ColumnLayout<Row>): string {
  const stops: string[] = [];
  let left = expander?.width ?? 0;
  for (const [index, { column, style }] of shown.entries()) {
    const bar = (style.width - 2 * PADDING) * shareOf(index);
    const from = column.numeric ? left + style.width - PADDING - bar : left + PADDING;
    stops.push(`#0000 ${from}px`, `var(--raised) ${from}px ${from + bar}px`, `#0000 ${from + bar}px`);
    left += style.width;
  }
  return `linear-gradient(to right, ${stops.join(', ')})`;
}

function TableSkeleton<Row extends object>({ layout }: { layout: ColumnLayout<Row> }): ReactNode {
  const bars = useMemo(() => barsOf(layout), [layout]);
  return (
    <tbody
      className="table-body table-skeleton"
      style={{ '--bars': bars } as CSSProperties}
      aria-hidden="true"
    >
      {Array.from({ length: COUNT }, (_, line) => (
        <tr key={line} className="table-row is-skeleton">
          <td className="table-skeleton-bars" />
        </tr>
      ))}
    </tbody>
  );
}

/**
 * The tints of changed cells, below the rows: two shapes that `useChangeFlash` draws and fades. It must precede the
 * table in its scroller. Hidden from screen readers, because the texts contain the same.
 */
function ChangeTints({ ref }: { ref: Ref<SVGSVGElement> }): ReactNode {
  return (
    <svg ref={ref} className="table-tints" aria-hidden="true" focusable="false">
      <path className="table-tints-up" />
      <path className="table-tints-down" />
    </svg>
  );
}

export type DataTableProps<Row extends object> = {
  label: string;
  columns: readonly TableColumn<Row>[];
  /** Rows in any order; an unchanged row must be the same object. */
  rows: readonly Row[] | LiveRows<Row>;
  rowId(row: Row): string;
  sort: SortState | null;
  onSort(sort: SortState): void;
  /** Changes with the user's filters; rows then update immediately, even while the order is held. */
  resetKey: string;
  /** Changes with the meaning of the rows; they then update immediately and are not held for a while. */
  epoch?: string;
  /** Returns the newest state of a row that no longer belongs but is still shown. */
  lookup?: (id: string) => Row | undefined;
  /** True if a row that no longer belongs is not held, unless it is open. */
  leavesAtOnce?: boolean | undefined;
  detail?: RowDetail<Row>;
  openRows?: OpenRows;
  /** Called for a click on a row or Enter, if rows have no panels. */
  onOpen?: ((id: string) => void) | undefined;
  /** Called on a phone for a tap on a row, instead of opening it; its expander still does. */
  onTap?: ((id: string) => void) | undefined;
  /** Shown instead of the rows if there are none. */
  empty: ReactNode;
  loading?: boolean;
  /** True if the table handles j, k and the arrows while nothing has the focus. */
  isPrimary?: boolean;
  requested?: RowRequest | null;
  /** Opens a row's menu: by right click, long press, menu key or Shift+F10. */
  onMenu?: ((menu: RowMenuRequest) => void) | undefined;
  columnActions?: ColumnActions | undefined;
  /** Content above the table; by default only the chip of a pause. */
  heading?: (state: HeadingState<Row>) => ReactNode;
};

export type HeadingState<Row> = {
  count: number;
  newestRows(): readonly Row[];
  /** A chip that shows and ends a pause; null if there is none. */
  pausedChip: ReactNode;
  /** Ids of rows that no longer belong and stay because they are open. */
  openLeft: readonly string[];
};

const NONE_OPEN: ReadonlySet<string> = new Set();

/** Width of the expander buttons, px: for a pointer, and for a finger. */
const expanderFor = (heights: LineHeights): number => (heights === LINE_HEIGHTS.touch ? 40 : 28);

/** The table's elements, sizes, ordered rows and pause. */
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
 * A live table. It sorts by a click on a header, renders only visible rows, updates values immediately and the order at
 * most once a second, but not while the user works with rows (see `HeldOrder`). It does not depend on the product.
 */
export function DataTable<Row extends object>(props: DataTableProps<Row>): ReactNode {
  // Renders the first rows in slices, so that a phone can respond in between.
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

/** A function, because a component would render with every change of the order. */
function gridOf<Row extends object>(
  {
    label,
    sort,
    detail,
    columnActions,
    isPrimary = false,
    requested = null,
    onMenu,
    onTap,
  }: DataTableProps<Row>,
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
          onTap={onTap}
        />
      )}
    </table>
  );
}
