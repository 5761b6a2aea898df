import {
  type ComponentProps,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { formatDate, formatNumber } from '#texts/format.ts';
import type { Sort } from '#market/scanners/rules/scanners.ts';
import type { ScannerRow } from '#market/scanners/rules/membership.ts';
import { withStyles } from '#web/shared/lateStyles.ts';
import { NewsPanel, useNewsRowAhead } from '#subjects/stock/web/shared/NewsPanel.tsx';
import { type RequestedRow, requestedRow } from '#web/shared/scannerRequests.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { DataTable, type HeadingState } from '#ui/table/DataTable.tsx';
import type { ColumnActions } from '#ui/table/columnActions.ts';
import type {
  LiveRows,
  OpenRows,
  RowDetail,
  RowMenuRequest,
  RowRequest,
  TableColumn,
} from '#ui/table/types.ts';
import { useOpenRows } from '#ui/table/useOpenRows.ts';
import { TakeButton } from '#web/shared/take/TakeButton.tsx';

/** A table that changes every second is summed up at most this often. */
const SUMMARY_INTERVAL_MS = 60_000;

/**
 * The text of a live region about a table that changes all the time: the first as soon as the table has loaded, then
 * one a minute, and at once when the person chose something else.
 * @param chosen another text when something else was chosen to be shown, or when the table became empty
 * @param make writes the text from what is shown at that moment; called only when a new one is due
 * @returns '' while the table is loading
 */
function useScreenReaderSummary(isLoading: boolean, chosen: string, make: () => string): string {
  const [summary, setSummary] = useState('');
  const latest = useRef(make);
  useEffect(() => {
    latest.current = make;
  });
  useEffect(() => {
    if (isLoading) return;
    const update = () => setSummary(latest.current());
    update();
    const timer = setInterval(update, SUMMARY_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [isLoading, chosen]);
  return summary;
}

/** How many rows are named. */
const NAMED_ROWS = 3;

type SummarisedTable = {
  title: string;
  columns: readonly TableColumn<ScannerRow>[];
  /** Those that the table shows, in its order, which may be held and hold rows that left. */
  rows: readonly ScannerRow[];
  sort: Sort;
};

/** A table in one or two sentences, for a screen reader: how many stocks its heading counts, and its first rows. */
function screenReaderSummary({ title, columns, rows, sort }: SummarisedTable): string {
  if (rows.length === 0) return `${title}: nothing to show.`;
  const count = `${formatNumber(rows.length, 0)} ${rows.length === 1 ? 'stock' : 'stocks'}`;
  const column = columns.find(({ id }) => id === sort.id);
  if (!column) return `${title}: ${count}.`;
  const first = rows.slice(0, NAMED_ROWS);
  const named = first.map((row) => (column.isRowHeader ? row.code : `${row.code} ${column.text(row)}`));
  return `${title}: ${count}. First by ${column.label}: ${named.join(', ')}.`;
}

/** What a screen reader is told of the table, once a minute. */
function Summary(props: ScannerTableProps & HeadingState<ScannerRow>): ReactNode {
  const { sort, resetKey, count } = props;
  const chosen = `${sort.id} ${sort.desc} ${count === 0} ${resetKey}`;
  const summary = useScreenReaderSummary(props.isLoading, chosen, () =>
    screenReaderSummary({ ...props, rows: props.newestRows() }),
  );
  return (
    <p className="visually-hidden" role="status">
      {summary}
    </p>
  );
}

const openLeftText = (codes: readonly string[]): string =>
  codes.length === 1
    ? `${codes[0]} no longer belongs here; it goes when you close it`
    : `${codes.join(', ')} no longer belong here; they go when you close them`;

/** The title, how many rows the table below has, and whether its order is paused. */
function Head(props: ScannerTableProps & HeadingState<ScannerRow>): ReactNode {
  const { title, note, count, pausedChip, openLeft, isLoading, isPrimary, isFolded, today } = props;
  const Title = isPrimary ? 'h1' : 'h2';
  return (
    <header className="scanner-head">
      <Title className="scanner-title">{title}</Title>
      {!isFolded && (
        <span className="scanner-count muted small">
          {isLoading ? 'Loading…' : `${formatNumber(count, 0)} ${count === 1 ? 'stock' : 'stocks'}`}
        </span>
      )}
      {openLeft.length > 0 && <span className="ellipsis muted small">{openLeftText(openLeft)}</span>}
      {note && <span className="ellipsis muted small">{note}</span>}
      {isFolded && (
        <span className="phone-hidden muted small">
          <span>No results yet</span> · <span>{formatDate(today)}</span>
        </span>
      )}
      {!isFolded && !isLoading && (
        <TakeButton label={title} columns={props.columns} rows={props.newestRows} />
      )}
      {pausedChip}
    </header>
  );
}

const RowMenu = lazy(() =>
  withStyles(import('#subjects/stock/web/shared/RowMenu.tsx')).then((code) => ({
    default: code.RowMenu,
  })),
);

export type ScannerTableProps = {
  title: string;
  /** Behind the title, such as when the values were captured. */
  note?: ReactNode;
  columns: readonly TableColumn<ScannerRow>[];
  columnActions?: ColumnActions | undefined;
  rows: LiveRows<ScannerRow>;
  isEmpty: boolean;
  lookup(code: string): ScannerRow | undefined;
  sort: Sort;
  onSort(sort: Sort): void;
  resetKey: string;
  epoch: string;
  /** Sydney date, YYYY-MM-DD; '' before the first snapshot. */
  today: string;
  isLoading: boolean;
  /** How many stocks the filters hide; the empty table says it. */
  hidden: number;
  /** What the empty table says besides, such as what it waits for. */
  emptyNote?: string | null;
  isPrimary: boolean;
  /** The code of the row that somebody jumped to; null when there is none. */
  requestedCode?: string | null;
  /** The heading alone, with what the empty table says. */
  isFolded?: boolean;
  /** Takes j, k and the arrows when nothing has the focus; the primary table does when left out. */
  takesKeys?: boolean;
  leavesAtOnce?: boolean;
};

const codeOf = (row: ScannerRow): string => row.code;

/** A titled table of stocks: their count, the table with news under its rows, and what it shows when it is empty. */
export function ScannerTable(props: ScannerTableProps): ReactNode {
  const { title, today, isLoading, isFolded = false } = props;
  useNewsRowAhead(!isLoading);
  const detail = useNewsDetail(today);
  const openRows = useOpenRows(undefined);
  const [menu, setMenu] = useState<RowMenuRequest | null>(null);
  const requested = useRequest(openRows, props.requestedCode ?? null);
  const isEmpty = props.isEmpty && !isLoading;
  const heading = (state: HeadingState<ScannerRow>) => (
    <>
      <Head {...props} {...state} />
      {props.isPrimary && <Summary {...props} {...state} />}
    </>
  );
  return (
    <section
      className="scanner-panel"
      data-empty={(isEmpty && !isFolded) || undefined}
      data-folded={isFolded || undefined}
      aria-label={title}
    >
      {isFolded
        ? heading(NOTHING_SHOWN)
        : tableOf(props, { detail, openRows, heading, requested, onMenu: setMenu })}
      {menu && (
        <Suspense fallback={null}>
          <RowMenu
            menu={menu}
            isOpen={openRows.open.has(menu.id)}
            onToggle={openRows.toggle}
            onClose={() => setMenu(null)}
          />
        </Suspense>
      )}
    </section>
  );
}

/** The news under a row; the same object while the day is the same, so that rows are not drawn again. */
function useNewsDetail(today: string): RowDetail<ScannerRow> {
  return useMemo(
    () => ({
      heading: 'News',
      label: (row) => `News for ${row.code}`,
      render: (row) => <NewsPanel row={row} today={today} hasAlertButton />,
    }),
    [today],
  );
}

type TableParts = Pick<
  ComponentProps<typeof DataTable<ScannerRow>>,
  'detail' | 'openRows' | 'heading' | 'requested' | 'onMenu'
>;

const tableOf = (props: ScannerTableProps, parts: TableParts) => (
  <DataTable
    label={props.title}
    columns={props.columns}
    columnActions={props.columnActions}
    rows={props.rows}
    rowId={codeOf}
    sort={props.sort}
    onSort={props.onSort}
    resetKey={props.resetKey}
    epoch={props.epoch}
    lookup={props.lookup}
    leavesAtOnce={props.leavesAtOnce}
    loading={props.isLoading}
    isPrimary={props.takesKeys ?? props.isPrimary}
    empty={<EmptyText today={props.today} hidden={props.hidden} note={props.emptyNote ?? null} />}
    {...parts}
  />
);

/** The row that was jumped to; opens its news, once, if it was jumped to for them. */
function useRequest({ open, toggle }: OpenRows, requestedCode: string | null): RowRequest | null {
  const { value } = requestedRow;
  const request = value?.code === requestedCode ? value : null;
  const done = useRef<RequestedRow | null>(null);
  useEffect(() => {
    if (request?.opensNews !== true || done.current === request) return;
    done.current = request;
    if (!open.has(request.code)) toggle(request.code);
  }, [request, open, toggle]);
  return useMemo(() => request && { id: request.code }, [request]);
}

const NOTHING_SHOWN: HeadingState<ScannerRow> = {
  count: 0,
  newestRows: () => [],
  pausedChip: null,
  openLeft: [],
};

type EmptyTextProps = { today: string; hidden: number; note: string | null };

function EmptyText({ today, hidden, note }: EmptyTextProps): ReactNode {
  return (
    <EmptyState detail={formatDate(today)}>
      No results yet
      {note !== null && <span className="scanner-hint muted">{note}</span>}
      {hidden > 0 && (
        <span className="scanner-hint muted">
          The filters hide {formatNumber(hidden, 0)} {hidden === 1 ? 'stock' : 'stocks'}.
        </span>
      )}
    </EmptyState>
  );
}
