import type { ReadonlySignal } from '@preact/signals-react';
import {
  type ReactNode,
  useCallback,
  useState,
  type ComponentProps,
  useEffect,
  useMemo,
  useRef,
  type RefObject,
} from 'react';
import { counted, formatTime, formatDate } from '#texts/format.ts';
import { isPreOpen, phaseAt } from '#market/rules/sessionClock.ts';
import type { Stock } from '#market/rules/stock.ts';
import { SCANNERS, type ScannerKey, SNAPSHOT_TITLE, type Sort } from '#market/scanners/rules/scanners.ts';
import type { ColumnActions } from '#ui/table/columnActions.ts';
import type {
  TableColumn,
  LiveRows,
  OpenRows,
  RowDetail,
  RowMenuRequest,
  RowRequest,
} from '#ui/table/tableModel.ts';
import type { ScannerPreferences } from '../scannerPreferences.ts';
import type { ScannerRows } from '../useScannerRows.ts';
import type { ScannerRow } from '#market/scanners/rules/membership.ts';
import { normaliseSymbol } from '#market/rules/liveSymbols.ts';
import { stocks } from '#web/live/market.ts';
import { WholeMarketWatch } from '#web/live/useWatch.tsx';
import { Button } from '#ui/Button.tsx';
import { NewsPanel, useNewsRowAhead } from '#subjects/stock/web/shared/NewsPanel.tsx';
import { type RequestedRow, requestedRow } from '#web/shared/scannerRequests.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { DataTable, type HeadingState } from '#ui/table/DataTable.tsx';
import { useOpenRows } from '#ui/table/useOpenRows.ts';
import { ExportedTable } from './ExportedTable.ts';
import type { ExportedTables } from './MoreMenu.tsx';
import { late } from '#web/shared/lateStyles.ts';
import { showStock } from '#web/windows/stockPane.ts';

const SUMMARY_INTERVAL_MS = 60_000;

/**
 * The text of a live region for a table that changes constantly: updated when loaded, once a minute, and immediately
 * after a new choice.
 * @param chosen changes when something else is shown, or the table became empty
 * @param make called only when a new text is due
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

const NAMED_ROWS = 3;

type SummarisedTable = {
  title: string;
  columns: readonly TableColumn<ScannerRow>[];
  /** The rows in display order, which may be held and include stocks that left. */
  rows: readonly ScannerRow[];
  sort: Sort;
};

function screenReaderSummary({ title, columns, rows, sort }: SummarisedTable): string {
  if (rows.length === 0) return `${title}: nothing to show.`;
  const count = counted(rows.length, 'stock');
  const column = columns.find(({ id }) => id === sort.id);
  if (!column) return `${title}: ${count}.`;
  const first = rows.slice(0, NAMED_ROWS);
  const named = first.map((row) => (column.isRowHeader ? row.code : `${row.code} ${column.text(row)}`));
  return `${title}: ${count}. First by ${column.label}: ${named.join(', ')}.`;
}

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
    ? `${codes[0]} no longer matches and is removed when you close it`
    : `${codes.join(', ')} no longer match and are removed when you close them`;

function Head(props: ScannerTableProps & HeadingState<ScannerRow>): ReactNode {
  const { title, note, count, pausedChip, openLeft, isLoading, isPrimary, isFolded, today } = props;
  const Title = isPrimary ? 'h1' : 'h2';
  return (
    <header className="scanner-head">
      <Title className="scanner-title">{title}</Title>
      {!isFolded && (
        <span className="scanner-count muted small">{isLoading ? 'Loading…' : counted(count, 'stock')}</span>
      )}
      {props.tools}
      {openLeft.length > 0 && <span className="ellipsis muted small">{openLeftText(openLeft)}</span>}
      {note && <span className="ellipsis muted small">{note}</span>}
      {isFolded && (
        <span className="phone-hidden muted small">
          <span>No results yet</span> · <span>{formatDate(today)}</span>
        </span>
      )}
      {!isFolded && !isLoading && (
        <ExportedTable tables={props.tables} title={title} columns={props.columns} rows={props.newestRows} />
      )}
      {pausedChip}
    </header>
  );
}

const RowMenu = late(() => import('#subjects/stock/web/shared/RowMenu.tsx').then((code) => code.RowMenu));

type ScannerTableProps = {
  title: string;
  /** Text after the title, for example the capture time. */
  note?: ReactNode;
  /** Controls after the title. */
  tools?: ReactNode;
  tables: RefObject<ExportedTables>;
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
  /** Number of stocks that the filters hide; shown in the empty table. */
  hidden: number;
  /** Text of the filter by code or name. */
  typed?: string;
  emptyNote?: string | null;
  isPrimary: boolean;
  /** Code of the row that was jumped to; null for none. */
  requestedCode?: string | null;
  /** True to show only the heading, with the text of the empty table. */
  isFolded?: boolean;
  /** True to handle j, k and the arrows while nothing has the focus; default: the primary table. */
  takesKeys?: boolean;
  leavesAtOnce?: boolean;
};

const codeOf = (row: ScannerRow): string => row.code;

function ScannerTable(props: ScannerTableProps): ReactNode {
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
        <RowMenu
          menu={menu}
          isOpen={openRows.open.has(menu.id)}
          onToggle={openRows.toggle}
          onClose={() => setMenu(null)}
        />
      )}
    </section>
  );
}

/** Renders the news of a row. Stable for a day, so that rows are not drawn again. */
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
    onTap={showStock}
    empty={
      <EmptyText
        today={props.today}
        hidden={props.hidden}
        note={props.emptyNote ?? null}
        code={props.typed ? normaliseSymbol(props.typed) : ''}
      />
    }
    {...parts}
  />
);

/** Opens the news of the requested row once. */
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

type EmptyTextProps = { today: string; hidden: number; note: string | null; code: string };

/** The text of an empty table. If the filter's text is a stock's code, a button shows that stock. */

function EmptyText({ today, hidden, note, code }: EmptyTextProps): ReactNode {
  return (
    <EmptyState detail={formatDate(today)} action={code !== '' && <StockOffer code={code} />}>
      No results yet
      {note !== null && <span className="scanner-hint muted">{note}</span>}
      {hidden > 0 && <span className="scanner-hint muted">The filters hide {counted(hidden, 'stock')}.</span>}
    </EmptyState>
  );
}

/** A button that shows a stock of any scanner. This window may know only its own scanner's stocks, so it asks for all. */
function StockOffer({ code }: { code: string }): ReactNode {
  return (
    <>
      <WholeMarketWatch />
      {stocks.value.has(code) && <Button onClick={() => showStock(code)}>Show {code}</Button>}
    </>
  );
}

type SortableColumn = Pick<TableColumn<never>, 'id' | 'numeric'>;

/** The given sort, the scanner's default, or the first numeric column, because the sort column may be hidden. */
function visibleSort(sort: Sort, scanner: ScannerKey, columns: readonly SortableColumn[]): Sort {
  const { defaultSort } = SCANNERS[scanner];
  const found = [sort, defaultSort].find(({ id }) => columns.some((column) => column.id === id));
  const firstNumeric = columns.find(({ numeric }) => numeric);
  return found ?? (firstNumeric ? { id: firstNumeric.id, desc: true } : defaultSort);
}

const OpeningNote = late(() => import('./OpeningNote.tsx').then((code) => code.OpeningNote));

type ScannerTablesProps = {
  scanner: ScannerKey;
  found: ScannerRows;
  /** Text after the title of the first table. */
  note?: ReactNode;
  /** Controls after the title of the first table. */
  tools?: ReactNode;
  tables: RefObject<ExportedTables>;
  columns: readonly TableColumn<ScannerRow>[];
  columnActions: ColumnActions | undefined;
  preferences: ScannerPreferences;
  onPreferences(change: Partial<ScannerPreferences>): void;
  /** A new key updates the rows immediately, even while their order is held. */
  resetKey: string;
  /** A new epoch also stops holding rows for a while. */
  epoch: string;
  /** Sydney date, YYYY-MM-DD; '' before the first snapshot. */
  today: string;
  isLoading: boolean;
  emptyNote: string | null;
  /** Code of the row that was jumped to; null for none. */
  requestedCode: string | null;
  /** All stocks, or at least the scanner's. */
  stocks: ReadonlySignal<ReadonlyMap<string, Stock>>;
  /** The market's clock, epoch ms; null for no note about the open. */
  clock: (() => number) | null;
  isPopup: boolean;
  /** True to remove rows immediately when they no longer belong, even while the user reads the table. */
  leavesAtOnce: boolean;
};

export function ScannerTables(props: ScannerTablesProps): ReactNode {
  const { scanner, found, columns, preferences, onPreferences, resetKey, epoch, today } = props;
  const onSort = useCallback((sort: Sort) => onPreferences({ sort }), [onPreferences]);
  const isEmpty = found.isEmpty && found.hidden === 0 && !props.isLoading;
  const isFolded =
    isEmpty && found.hasSnapshots && props.clock !== null && !isPreOpen(phaseAt(props.clock()).phase);
  return (
    <>
      <ScannerTable
        title={SCANNERS[scanner].title}
        note={props.note ?? openingNote(props)}
        tools={props.tools}
        tables={props.tables}
        columns={columns}
        columnActions={props.columnActions}
        rows={found.rows}
        isEmpty={found.isEmpty}
        lookup={found.lookup}
        sort={visibleSort(preferences.sort, scanner, columns)}
        onSort={onSort}
        resetKey={resetKey}
        epoch={epoch}
        today={today}
        isLoading={props.isLoading}
        hidden={found.hidden}
        typed={preferences.filters.text}
        emptyNote={props.emptyNote}
        isPrimary
        requestedCode={props.requestedCode}
        isFolded={isFolded}
        leavesAtOnce={props.leavesAtOnce}
      />
      {found.hasSnapshots && <SnapshotTable {...props} takesKeys={isFolded} />}
    </>
  );
}

const openingNote = ({ scanner, clock, stocks, preferences, isPopup }: ScannerTablesProps): ReactNode =>
  scanner === 'preMarket' &&
  clock && (
    <OpeningNote
      clock={clock}
      stocks={stocks}
      priceGroup={preferences.filters.priceGroup}
      hasLink={!isPopup}
    />
  );

function SnapshotTable(props: ScannerTablesProps & { takesKeys: boolean }): ReactNode {
  const { scanner, found, columns, preferences, onPreferences } = props;
  const { capturedAt } = found;
  const onSort = useCallback((snapshotSort: Sort) => onPreferences({ snapshotSort }), [onPreferences]);
  return (
    <ScannerTable
      title={SNAPSHOT_TITLE}
      note={capturedAt ? `Last auction, ${formatTime(capturedAt)}` : ''}
      tables={props.tables}
      columns={columns}
      columnActions={props.columnActions}
      rows={found.snapshotRows}
      isEmpty={!found.hasSnapshots}
      lookup={found.lookupSnapshot}
      sort={visibleSort(preferences.snapshotSort, scanner, columns)}
      onSort={onSort}
      resetKey={props.resetKey}
      epoch={props.epoch}
      today={props.today}
      isLoading={false}
      hidden={0}
      isPrimary={false}
      takesKeys={props.takesKeys}
      requestedCode={props.requestedCode}
    />
  );
}
