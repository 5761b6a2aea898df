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
import type { Sort } from '#subjects/scanners/rules/scanners.ts';
import type { ScannerRow } from '#subjects/scanners/rules/membership.ts';
import { withStyles } from '#web/shared/lateStyles.ts';
import { NewsPanel, useNewsRowAhead } from '#subjects/announcements/web/shared/NewsPanel.tsx';
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
import { Head, Summary } from './ScannerHead.tsx';
import './ScannerTable.css';

const RowMenu = lazy(() =>
  withStyles(import('#subjects/stock/web/shared/rowMenu/RowMenu.tsx')).then((code) => ({
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
      {note !== null && <span className="scanner-hint">{note}</span>}
      {hidden > 0 && (
        <span className="scanner-hint">
          The filters hide {formatNumber(hidden, 0)} {hidden === 1 ? 'stock' : 'stocks'}.
        </span>
      )}
    </EmptyState>
  );
}
