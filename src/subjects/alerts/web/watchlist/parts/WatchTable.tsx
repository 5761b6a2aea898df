import { lazy, type ReactNode, Suspense, useMemo, useState, useEffect, type KeyboardEvent } from 'react';
import {
  MAX_ITEM_NOTE,
  type WatchlistItem,
  type WatchTable as TableName,
} from '#subjects/alerts/rules/watchlist.ts';
import { formatNumber } from '#texts/format.ts';
import { meta, stocks } from '#web/live/market.ts';
import { NewsPanel } from '#subjects/stock/web/shared/rowPanel/NewsPanel.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { DataTable } from '#ui/table/DataTable.tsx';
import type {
  OpenRows,
  RowDetail,
  RowMenuRequest,
  RowRequest,
  SortState,
  TableColumn,
} from '#ui/table/types.ts';
import { type WatchRow, useWatchedCodes, useWatchRows } from '../rows.ts';
import { useLasting } from '#web/live/useLasting.ts';
import { useWatch } from '#web/live/useWatch.ts';
import { settings } from '#web/shared/settings.ts';
import { useWidthQuery } from '#ui/useWidthQuery.ts';
import { dropUntouched, flushAlerts } from '../alerts/alertStore.ts';
import { watchColumns } from '../columns.tsx';
import { requestedSymbol } from '../useWatchlist.ts';
import { items, loadError, openSymbols, setOpen, changeItem } from '../state.ts';
import { readBoolean, readRecord, readText } from '#lib/read.ts';
import { readStored, writeStored } from '#web/shared/storage.ts';
import { TakeButton } from '#web/shared/take/TakeButton.tsx';
import { messageOf } from '#web/api/client.ts';
import { FormError } from '#ui/FormError.tsx';
import { NumberField } from '#ui/NumberField.tsx';
import { TextField } from '#ui/TextField.tsx';

const TARGET_LIMITS = { min: 0, max: 1_000_000, step: 0.001 };

/** What is typed and not saved yet; undefined where nothing is. */
type Draft = { note?: string; target?: number | null };

/** Keeps what is typed until it is left or sent with Enter, and after a failure until it is saved. */
function useItemDraft(item: WatchlistItem) {
  const [draft, setDraft] = useState<Draft>({});
  const [error, setError] = useState<string | null>(null);
  const save = async (): Promise<void> => {
    // Text that is not a number leaves the target unchanged. It stays in its box with a message.
    const isUnread = Number.isNaN(draft.target);
    const kept: Draft = isUnread ? { target: Number.NaN } : {};
    const sent: Draft = {
      ...(draft.note !== undefined && draft.note.trim() !== (item.note ?? '') && { note: draft.note }),
      ...(draft.target !== undefined &&
        !isUnread &&
        draft.target !== item.target && { target: draft.target }),
    };
    if (Object.keys(sent).length === 0) return setDraft(kept);
    try {
      await changeItem(item, sent);
      setError(null);
      // What was typed meanwhile stays.
      setDraft((now) => (now.note === draft.note && Object.is(now.target, draft.target) ? kept : now));
    } catch (problem) {
      setError(messageOf(problem, 'Failed to save'));
    }
  };
  const type = (part: Draft) => setDraft((before) => ({ ...before, ...part }));
  return { draft, error, type, save };
}

/** A note and a target of a watched symbol. Nothing is saved while it is typed. */
function ItemFields({ item }: { item: WatchlistItem }): ReactNode {
  const { draft, error, type, save } = useItemDraft(item);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') void save();
  };
  return (
    <div
      className="item-fields wrap gap-2-3 pad-2-3"
      role="group"
      aria-label={`Note and target of ${item.symbol}`}
      onBlur={() => void save()}
      onKeyDown={onKeyDown}
    >
      <NumberField
        label="Target"
        limits={TARGET_LIMITS}
        value={draft.target === undefined ? item.target : draft.target}
        onNumber={(target) => type({ target })}
      />
      <TextField
        label="Note"
        value={draft.note ?? item.note ?? ''}
        maxLength={MAX_ITEM_NOTE}
        autoComplete="off"
        onChange={({ target }) => type({ note: target.value })}
      />
      {error !== null && <FormError>{error}</FormError>}
    </div>
  );
}

/** How a user has left both tables sorted: stored in this browser. */
type WatchSorts = Readonly<Record<TableName, SortState>>;

const KEY = 'bellbird.watchlist';
const BY_SYMBOL: SortState = { id: 'symbol', desc: false };
const IDS: Readonly<Record<TableName, readonly string[]>> = {
  preOpen: ['symbol', 'alerts', 'match_price', 'close', 'match_value', 'to_target', 'note'],
  trading: ['symbol', 'alerts', 'change_percent', 'last', 'close', 'relativeVolume', 'to_target', 'note'],
};

function sortOf(value: unknown, table: TableName): SortState {
  const { id, desc } = readRecord(value);
  const known = IDS[table].find((one) => one === readText(id));
  return known === undefined ? BY_SYMBOL : { id: known, desc: readBoolean(desc) ?? false };
}

/** The stored sorts; what is missing or makes no sense is by symbol. */
function readSorts(): WatchSorts {
  const { preOpen, trading } = readRecord(readStored(KEY, (value) => value));
  return { preOpen: sortOf(preOpen, 'preOpen'), trading: sortOf(trading, 'trading') };
}

const writeSorts = (sorts: WatchSorts): void => writeStored(KEY, sorts);

type PageTableProps = {
  label: string;
  /** The block that its own styles name. */
  block: 'watch-table' | 'listed-alerts';
  isLoading: boolean;
  children: ReactNode;
};

/** A section whose table is as tall as its rows, on a page that scrolls. */
export function PageTable({ label, block, isLoading, children }: PageTableProps): ReactNode {
  return (
    <section className={`page-table ${block}`} aria-label={label} data-loading={isLoading || undefined}>
      {children}
    </section>
  );
}

const AlertPanel = lazy(async () => ({ default: (await import('./AlertPanel.tsx')).AlertPanel }));

const RowMenu = lazy(async () => ({
  default: (await import('#subjects/stock/web/shared/rowMenu/RowMenu.tsx')).RowMenu,
}));

const TITLES: Readonly<Record<TableName, string>> = { preOpen: 'Pre-open', trading: 'Trading' };
const EMPTY: Readonly<Record<TableName, string>> = {
  preOpen: 'No pre-open symbols',
  trading: 'No trading symbols',
};

const DETAIL: RowDetail<WatchRow> = {
  heading: 'Alert editor',
  opensByClick: true,
  label: ({ item }) => `Alerts for ${item.symbol}`,
  render: (row) => <Detail row={row} />,
};

/** What opens under a symbol: its alerts, and beside them, or below where there is no room, its news where it is listed. */
function Detail({ row: { item, stock } }: { row: WatchRow }): ReactNode {
  const today = meta.value?.dateToday ?? '';
  return (
    <div className="watch-detail wrap gap-0">
      <div>
        <ItemFields item={item} />
        <Suspense fallback={<SkeletonRows rows={3} label="Loading the alert editor…" />}>
          <AlertPanel symbol={item.symbol} />
        </Suspense>
      </div>
      {stock && (
        <div className="watch-news">
          <NewsPanel row={stock} today={today} hasAlertButton={false} />
        </div>
      )}
    </div>
  );
}

type WatchTableProps = {
  table: TableName;
  columns: readonly TableColumn<WatchRow>[];
  rows: readonly WatchRow[];
  sort: SortState;
  onSort(sort: SortState): void;
  openRows: OpenRows;
  isLoading: boolean;
  /** Takes j, k and the arrows when nothing has the focus. */
  isPrimary: boolean;
  requested: RowRequest | null;
};

const idOf = ({ item }: WatchRow): string => item.symbol;

/** One of the watchlist's tables, with the alert editors under its rows. */
export function WatchTable(props: WatchTableProps): ReactNode {
  const { table, rows, isLoading, openRows } = props;
  // What came or went did so by the user's own doing or by the market's phase: it is shown at once, held or not.
  const members = useMemo(() => rows.map(idOf).sort().join(), [rows]);
  const title = TITLES[table];
  const [menu, setMenu] = useState<RowMenuRequest | null>(null);
  return (
    <PageTable block="watch-table" label={title} isLoading={isLoading}>
      <DataTable
        label={title}
        columns={props.columns}
        rows={rows}
        rowId={idOf}
        sort={props.sort}
        onSort={props.onSort}
        openRows={openRows}
        detail={DETAIL}
        resetKey={members}
        loading={isLoading}
        isPrimary={props.isPrimary}
        requested={props.requested}
        heading={({ pausedChip, newestRows }) => (
          <header className="watch-table-head cluster align-baseline">
            <h2>{title}</h2>
            <span className="muted small">{isLoading ? 'Loading…' : countText(rows.length)}</span>
            {!isLoading && <TakeButton label={title} columns={props.columns} rows={newestRows} />}
            {pausedChip}
          </header>
        )}
        empty={<EmptyState>{EMPTY[table]}</EmptyState>}
        onMenu={setMenu}
      />
      {menu && <LateRowMenu menu={menu} openRows={openRows} onClose={() => setMenu(null)} />}
    </PageTable>
  );
}

const countText = (count: number): string =>
  `${formatNumber(count, 0)} ${count === 1 ? 'symbol' : 'symbols'}`;

type LateRowMenuProps = { menu: RowMenuRequest; openRows: OpenRows; onClose(): void };

const LateRowMenu = ({ menu, openRows, onClose }: LateRowMenuProps): ReactNode => (
  <Suspense fallback={null}>
    <RowMenu
      menu={menu}
      isWatched
      isOpen={openRows.open.has(menu.id)}
      onToggle={openRows.toggle}
      onClose={onClose}
    />
  </Suspense>
);

/** Opens or closes a row; what waits to be saved of its alerts is saved as it closes. */
function toggleRow(symbol: string): void {
  const isOpen = openSymbols.peek().has(symbol);
  if (isOpen) {
    flushAlerts(symbol);
    dropUntouched(symbol);
  }
  setOpen(symbol, !isOpen);
}

/** True from the first time on that it is. */
function useOnce(isNow: boolean): boolean {
  const [was, setWas] = useState(isNow);
  if (isNow && !was) setWas(true);
  return isNow || was;
}

/** The columns of both tables. */
function useColumns(
  onRemove: (row: WatchRow) => void,
  hasUntilOpen: boolean,
): Readonly<Record<TableName, readonly TableColumn<WatchRow>[]>> {
  const isNarrow = useWidthQuery('phone');
  const quoteLink = settings.value?.quoteSite ?? 'none';
  const today = meta.value?.dateToday ?? '';
  const hasTargets = items.value?.some(({ target }) => target !== null) ?? false;
  const hasNotes = items.value?.some(({ note }) => note !== null) ?? false;
  return useMemo(() => {
    const of = (table: TableName) =>
      watchColumns({ table, isNarrow, quoteLink, today, hasTargets, hasNotes, hasUntilOpen, onRemove });
    return { preOpen: of('preOpen'), trading: of('trading') };
  }, [isNarrow, quoteLink, today, hasTargets, hasNotes, hasUntilOpen, onRemove]);
}

type TablesProps = { onRemove(row: WatchRow): void; hasStream: boolean };

/** Both tables; nothing while the list could not be loaded. */
export function Tables({ onRemove, hasStream }: TablesProps): ReactNode {
  const codes = useWatchedCodes();
  const hasStocks = useWatch({ codes });
  // The market comes in two parts: what the first one lacks may still follow.
  const isComplete = useLasting(hasStocks);
  const isKnown = hasStocks && (isComplete || codes.every((code) => stocks.value.has(code)));
  const isReady = useOnce(isKnown || items.value?.length === 0);
  const rows = useWatchRows(isComplete);
  const [sorts, setSorts] = useState(readSorts);
  useEffect(() => writeSorts(sorts), [sorts]);
  const hasUntilOpen = [...rows.preOpen, ...rows.trading].some(({ untilOpen }) => untilOpen > 0);
  const columns = useColumns(onRemove, hasUntilOpen);
  const open = openSymbols.value;
  const openRows = useMemo((): OpenRows => ({ open, toggle: toggleRow }), [open]);
  if (items.value === null && loadError.value !== null) return null;
  const isLoading = items.value === null || (!isReady && hasStream);
  const onSort = (table: TableName) => (sort: SortState) => setSorts((old) => ({ ...old, [table]: sort }));
  const primary: TableName = rows.preOpen.length > 0 ? 'preOpen' : 'trading';
  return (['preOpen', 'trading'] as const).map((table) => (
    <WatchTable
      key={table}
      table={table}
      columns={columns[table]}
      rows={rows[table]}
      sort={sorts[table]}
      onSort={onSort(table)}
      openRows={openRows}
      isLoading={isLoading}
      isPrimary={table === primary}
      requested={requestedSymbol.value}
    />
  ));
}
