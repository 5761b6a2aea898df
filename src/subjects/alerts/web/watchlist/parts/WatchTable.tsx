import { lazy, type ReactNode, Suspense, useMemo, useState, useEffect, type KeyboardEvent } from 'react';
import {
  MAX_ITEM_NOTE,
  type WatchlistItem,
  type WatchTable as TableName,
  toTarget,
} from '#subjects/alerts/rules/watchlist.ts';
import { counted, DASH, formatSigned } from '#texts/format.ts';
import { meta, stocks } from '#web/live/market.ts';
import { NewsPanel } from '#subjects/stock/web/shared/NewsPanel.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { DataTable } from '#ui/table/DataTable.tsx';
import type {
  OpenRows,
  RowDetail,
  RowMenuRequest,
  RowRequest,
  SortState,
  TableColumn,
} from '#ui/table/tableModel.ts';
import { type WatchRow, useWatchedCodes, useWatchRows, requestedSymbol } from '../useWatchlist.ts';
import { useLasting } from '#web/live/useStreamFailure.ts';
import { useWatch } from '#web/live/useWatch.tsx';
import { settings } from '#web/shared/settings.ts';
import { useWidthQuery } from '#ui/useWidthQuery.ts';
import { usePaneOn } from '#web/windows/stockPane.ts';
import { dropUntouched, flushAlerts } from '../alerts/alertStore.ts';
import { items, loadError, openSymbols, setOpen, changeItem } from '../state.ts';
import { readBoolean, readRecord, readText } from '#lib/read.ts';
import { readStored, writeStored } from '#web/shared/storage.ts';
import { ExportButton } from '#web/shared/export/ExportButton.tsx';
import { messageOf } from '#web/api/client.ts';
import { FormError } from '#ui/Banner.tsx';
import { NumberField } from '#ui/NumberField.tsx';
import { TextField } from '#ui/Field.tsx';
import { UNTIL_OPEN_REASON, untilOpenText } from '#subjects/alerts/rules/alertState.ts';
import { newestHeadline } from '#market/rules/announcements.ts';
import { haltOf } from '#market/rules/stockState.ts';
import { type QuoteLink, quoteLinkUrl } from '#market/rules/quoteSite.ts';
import { cellText } from '#market/scanners/rules/cellText.ts';
import { BASE_COLUMNS, type Column, DAY_COLUMN, toneOf } from '#market/scanners/rules/columns.ts';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';
import { sessionPhase } from '#web/live/marketHours.ts';
import { NameCell, LateDayCell, newsOf } from '#subjects/stock/web/shared/cells.tsx';
import SunriseIcon from 'lucide-react/icons/sunrise';
import TriangleAlertIcon from 'lucide-react/icons/triangle-alert';
import XIcon from 'lucide-react/icons/x';
import { late } from '#web/shared/lateStyles.ts';

type RemoveButtonProps = {
  symbol: string;
  isShort: boolean;
  isBusy: boolean;
  inTabOrder: boolean;
  onRemove(): void;
};

function RemoveButton({ symbol, isShort, isBusy, inTabOrder, onRemove }: RemoveButtonProps): ReactNode {
  return (
    <button
      type="button"
      className="remove-button tool is-quiet"
      aria-label={`Remove ${symbol}`}
      title={`Remove ${symbol} from the watchlist`}
      disabled={isBusy}
      tabIndex={inTabOrder ? 0 : -1}
      onClick={onRemove}
    >
      {isShort ? <XIcon size={16} aria-hidden /> : 'Remove'}
    </button>
  );
}

// One shared element, so that React skips it when a line shows another row.
const UNSAVED = (
  <TriangleAlertIcon className="warn-text" size={14} role="img" aria-label="An alert is not saved" />
);

/** The number of alerts: '2', '1 until the open', '3, 1 until the open'. */
function alertsText({ alerts, untilOpen }: Pick<WatchRow, 'alerts' | 'untilOpen'>): string {
  if (untilOpen === 0) return String(alerts);
  const when = untilOpenText(sessionPhase.value);
  return untilOpen === alerts ? `${alerts} ${when}` : `${alerts}, ${untilOpen} ${when}`;
}

function AlertsCell({ row, isShort }: { row: WatchRow; isShort: boolean }): ReactNode {
  const text = alertsText(row);
  return (
    <span className="cluster gap-1 justify-end" title={row.untilOpen > 0 ? UNTIL_OPEN_REASON : undefined}>
      {row.isUnsaved && UNSAVED}
      {isShort && row.untilOpen > 0 ? (
        <>
          <SunriseIcon className="warn-text" size={14} role="img" aria-label={text} />
          <span aria-hidden>{row.alerts}</span>
        </>
      ) : (
        text
      )}
    </span>
  );
}

type WatchColumnsInput = {
  table: TableName;
  isNarrow: boolean;
  quoteLink: QuoteLink;
  today: string;
  hasTargets: boolean;
  hasNotes: boolean;
  /** True if an alert works only until the open, which makes the text longer. */
  hasUntilOpen: boolean;
  onRemove(row: WatchRow): void;
};

/** Columns of each table (specification, section 2.7), defined by the scanner that has them. */
const FIGURES: Readonly<Record<TableName, { scanner: ScannerKey; ids: readonly string[] }>> = {
  // The gap is outside of the specification's list, so it is last.
  preOpen: {
    scanner: 'preMarket',
    ids: ['match_price', 'close', 'match_value', 'indicativeChangePercent'],
  },
  trading: { scanner: 'intraDaySmall', ids: ['change_percent', 'last', 'close', 'relativeVolume'] },
};

const figuresOf = (table: TableName): readonly Column[] => {
  const { scanner, ids } = FIGURES[table];
  return ids.flatMap((id) => BASE_COLUMNS[scanner].find((column) => column.id === id) ?? []);
};

const figure = (column: Column): TableColumn<WatchRow> => ({
  id: column.id,
  label: column.label,
  numeric: true,
  flashes: column.flashes,
  width: column.kind === 'money' ? 110 : 78,
  maxWidth: column.kind === 'money' ? 190 : 150,
  read: ({ stock }) => stock && column.value(stock),
  text: ({ stock }) => (stock ? cellText(column, stock) : DASH),
  tone: column.colour === 'plain' ? undefined : ({ stock }) => stock && toneOf(column, stock),
});

/** Omitted on phones for lack of space, and before the open because there is no data. */
const DAY: TableColumn<WatchRow> = {
  ...figure(DAY_COLUMN),
  width: 108,
  maxWidth: 132,
  render: ({ stock }) => stock && <LateDayCell stock={stock} />,
};

const percentToTarget = ({ stock, item }: WatchRow): number | null => toTarget(stock, item.target);

/** The distance to the target; sorts by its size, whether above or below. */
const TO_TARGET: TableColumn<WatchRow> = {
  id: 'to_target',
  label: 'To target',
  title: 'Distance from the price to the target, percent',
  numeric: true,
  flashes: false,
  width: 86,
  maxWidth: 130,
  read: (row) => {
    const percent = percentToTarget(row);
    return percent === null ? null : Math.abs(percent);
  },
  text: (row) => {
    const percent = percentToTarget(row);
    return percent === null ? DASH : `${formatSigned(percent, 1)}%`;
  },
  exported: [
    { label: 'Target', value: ({ item }) => item.target },
    { label: 'To target %', value: percentToTarget },
  ],
};

const NOTE: TableColumn<WatchRow> = {
  id: 'note',
  label: 'Note',
  numeric: false,
  flashes: false,
  isLong: true,
  width: 140,
  maxWidth: 320,
  read: ({ item }) => item.note?.toLowerCase() ?? null,
  text: ({ item }) => item.note ?? '',
  render: ({ item }) => item.note !== null && <span title={item.note}>{item.note}</span>,
};

/** Why a symbol does not trade; null if it does. */
const noteOf = ({ stock, isMissing }: WatchRow, isNarrow: boolean): string | null => {
  if (isMissing) return isNarrow ? 'Unlisted' : 'Not listed';
  return stock && haltOf(stock);
};

const symbolColumn = ({ isNarrow, quoteLink, today }: WatchColumnsInput): TableColumn<WatchRow> => ({
  id: 'symbol',
  label: 'Symbol',
  numeric: false,
  width: isNarrow ? 92 : 216,
  maxWidth: isNarrow ? 92 : 620,
  read: ({ item }) => item.symbol,
  text: ({ item }) => item.symbol,
  pinned: true,
  isRowHeader: true,
  exported: [
    { label: 'Symbol', value: ({ item }) => item.symbol },
    { label: 'Name', value: ({ stock }) => stock?.name ?? null },
  ],
  render: (row, inTabOrder) => (
    <NameCell
      code={row.item.symbol}
      name={row.stock?.name ?? ''}
      note={noteOf(row, isNarrow)}
      url={row.stock && quoteLinkUrl(quoteLink, row.item.symbol)}
      news={row.stock ? newsOf(row.stock, today) : 'none'}
      headline={row.stock && newestHeadline(row.stock, today)}
      isShort={isNarrow}
      inTabOrder={inTabOrder}
    />
  ),
});

/** Call it in a memo: a new array means new columns. */
const watchColumns = (input: WatchColumnsInput): TableColumn<WatchRow>[] => [
  symbolColumn(input),
  {
    id: 'alerts',
    label: 'Alerts',
    numeric: true,
    flashes: false,
    width: input.isNarrow ? 70 : input.hasUntilOpen ? 182 : 76,
    maxWidth: input.hasUntilOpen ? 220 : 110,
    read: ({ alerts }) => alerts,
    text: alertsText,
    render: (row) => <AlertsCell row={row} isShort={input.isNarrow} />,
  },
  ...figuresOf(input.table).map(figure),
  ...(input.isNarrow || input.table === 'preOpen' ? [] : [DAY]),
  ...(input.hasTargets ? [TO_TARGET] : []),
  ...(input.hasNotes ? [NOTE] : []),
  {
    id: 'remove',
    label: 'Remove',
    isSortable: false,
    numeric: false,
    width: input.isNarrow ? 48 : 96,
    maxWidth: input.isNarrow ? 48 : 96,
    read: () => '',
    text: () => '',
    render: (row, inTabOrder) => (
      <RemoveButton
        symbol={row.item.symbol}
        isShort={input.isNarrow}
        isBusy={row.isRemoving}
        inTabOrder={inTabOrder}
        onRemove={() => input.onRemove(row)}
      />
    ),
  },
];

const TARGET_LIMITS = { min: 0, max: 1_000_000, step: 0.001 };

type Draft = { note?: string; target?: number | null };

/** The edited note and target, kept until blur or Enter, and after a failure until they are saved. */
function useItemDraft(item: WatchlistItem) {
  const [draft, setDraft] = useState<Draft>({});
  const [error, setError] = useState<string | null>(null);
  const save = async (): Promise<void> => {
    // Text that is not a number does not change the target. It stays in its field with a message.
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
      // Keeps what was typed while saving.
      setDraft((now) => (now.note === draft.note && Object.is(now.target, draft.target) ? kept : now));
    } catch (problem) {
      setError(messageOf(problem, 'Failed to save'));
    }
  };
  const type = (part: Draft) => setDraft((before) => ({ ...before, ...part }));
  return { draft, error, type, save };
}

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

const KEY = 'bellbird.watchlist';
const BY_SYMBOL: SortState = { id: 'symbol', desc: false };
const IDS: Readonly<Record<TableName, readonly string[]>> = {
  preOpen: [
    'symbol',
    'alerts',
    'match_price',
    'close',
    'match_value',
    'indicativeChangePercent',
    'to_target',
    'note',
  ],
  trading: ['symbol', 'alerts', 'change_percent', 'last', 'close', 'relativeVolume', 'to_target', 'note'],
};

function sortOf(value: unknown, table: TableName): SortState {
  const { id, desc } = readRecord(value);
  const known = IDS[table].find((one) => one === readText(id));
  return known === undefined ? BY_SYMBOL : { id: known, desc: readBoolean(desc) ?? false };
}

/** Reads the stored sorts; a missing or invalid one becomes by symbol. */
function readSorts(): Readonly<Record<TableName, SortState>> {
  const { preOpen, trading } = readRecord(readStored(KEY, (value) => value));
  return { preOpen: sortOf(preOpen, 'preOpen'), trading: sortOf(trading, 'trading') };
}

type PageTableProps = {
  label: string;
  block: 'watch-table' | 'listed-alerts';
  isLoading?: boolean;
  children: ReactNode;
};

/** A section on a scrolling page whose table is as tall as its rows. */
export function PageTable({ label, block, isLoading, children }: PageTableProps): ReactNode {
  return (
    <section className={`page-table ${block}`} aria-label={label} data-loading={isLoading || undefined}>
      {children}
    </section>
  );
}

const AlertPanel = lazy(async () => ({ default: (await import('./AlertPanel.tsx')).AlertPanel }));

const RowMenu = late(() => import('#subjects/stock/web/shared/RowMenu.tsx').then((code) => code.RowMenu));

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

/** The open row: alerts of a symbol, with its news next to or below them unless the docked pane shows news. */
function Detail({ row: { item, stock } }: { row: WatchRow }): ReactNode {
  const today = meta.value?.dateToday ?? '';
  const isPaneOn = usePaneOn();
  return (
    <div className="watch-detail wrap gap-0">
      <div>
        <ItemFields item={item} />
        <Suspense fallback={<SkeletonRows rows={3} label="Loading the alert editor…" />}>
          <AlertPanel symbol={item.symbol} />
        </Suspense>
      </div>
      {stock && !isPaneOn && (
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
  /** True if the table handles j, k and the arrows while nothing has the focus. */
  isPrimary: boolean;
  requested: RowRequest | null;
};

const idOf = ({ item }: WatchRow): string => item.symbol;

export function WatchTable(props: WatchTableProps): ReactNode {
  const { table, rows, openRows } = props;
  // Rows change because of the user or the market phase, so they change immediately even while the table is held.
  const members = useMemo(() => rows.map(idOf).sort().join(), [rows]);
  const title = TITLES[table];
  const [menu, setMenu] = useState<RowMenuRequest | null>(null);
  if (rows.length === 0) {
    return (
      <PageTable block="watch-table" label={title}>
        <header className="watch-table-head cluster align-baseline">
          <h2>{title}</h2>
          <span className="muted">{EMPTY[table]}</span>
        </header>
      </PageTable>
    );
  }
  return (
    <PageTable block="watch-table" label={title}>
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
        isPrimary={props.isPrimary}
        requested={props.requested}
        heading={({ pausedChip, newestRows }) => (
          <header className="watch-table-head cluster align-baseline">
            <h2>{title}</h2>
            <span className="muted small">{counted(rows.length, 'symbol')}</span>
            <ExportButton label={title} columns={props.columns} rows={newestRows} />
            {pausedChip}
          </header>
        )}
        empty={null}
        onMenu={setMenu}
      />
      {menu && <LateRowMenu menu={menu} openRows={openRows} onClose={() => setMenu(null)} />}
    </PageTable>
  );
}

type LateRowMenuProps = { menu: RowMenuRequest; openRows: OpenRows; onClose(): void };

const LateRowMenu = ({ menu, openRows, onClose }: LateRowMenuProps): ReactNode => (
  <RowMenu
    menu={menu}
    isWatched
    isOpen={openRows.open.has(menu.id)}
    onToggle={openRows.toggle}
    onClose={onClose}
  />
);

/** Opens or closes a row. Pending alert changes are saved when it closes. */
function toggleRow(symbol: string): void {
  const isOpen = openSymbols.peek().has(symbol);
  if (isOpen) {
    flushAlerts(symbol);
    dropUntouched(symbol);
  }
  setOpen(symbol, !isOpen);
}

function useOnce(isNow: boolean): boolean {
  const [was, setWas] = useState(isNow);
  if (isNow && !was) setWas(true);
  return isNow || was;
}

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

type TablesProps = {
  onRemove(row: WatchRow): void;
  hasStream: boolean;
  /** Below the tables, once it is known how tall they are, so that nothing moves. */
  below: ReactNode;
};

export function Tables({ onRemove, hasStream, below }: TablesProps): ReactNode {
  const codes = useWatchedCodes();
  const hasStocks = useWatch({ codes });
  // The market arrives in two parts, so the second may add stocks that the first lacks.
  const isComplete = useLasting(hasStocks);
  const isKnown = hasStocks && (isComplete || codes.every((code) => stocks.value.has(code)));
  const isReady = useOnce(isKnown || items.value?.length === 0);
  const rows = useWatchRows(isComplete);
  const [sorts, setSorts] = useState(readSorts);
  useEffect(() => writeStored(KEY, sorts), [sorts]);
  const hasUntilOpen = [...rows.preOpen, ...rows.trading].some(({ untilOpen }) => untilOpen > 0);
  const columns = useColumns(onRemove, hasUntilOpen);
  const open = openSymbols.value;
  const openRows = useMemo((): OpenRows => ({ open, toggle: toggleRow }), [open]);
  const hasItems = items.value !== null;
  if (hasItems ? !isReady && hasStream : loadError.value === null) {
    return <SkeletonRows rows={8} label="Loading…" />;
  }
  const onSort = (table: TableName) => (sort: SortState) => setSorts((old) => ({ ...old, [table]: sort }));
  const primary: TableName = rows.preOpen.length > 0 ? 'preOpen' : 'trading';
  return (
    <>
      {hasItems &&
        (['preOpen', 'trading'] as const).map((table) => (
          <WatchTable
            key={table}
            table={table}
            columns={columns[table]}
            rows={rows[table]}
            sort={sorts[table]}
            onSort={onSort(table)}
            openRows={openRows}
            isPrimary={table === primary}
            requested={requestedSymbol.value}
          />
        ))}
      {below}
    </>
  );
}
