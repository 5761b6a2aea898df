import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { WatchTable as TableName } from '../../../src/domain/alerts/watchTable.ts';
import { useActions } from '../../shared/actions.ts';
import { FeedPill } from '../../shared/live/FeedPill.tsx';
import { ZoneNote } from '../../shared/ZoneNote.tsx';
import { meta, retryLive, stocks, streamState } from '../../shared/live/market.ts';
import { useLasting } from '../../shared/live/useLasting.ts';
import { useStreamFailure } from '../../shared/live/useStreamFailure.ts';
import { useWatch } from '../../shared/live/useWatch.ts';
import { settings } from '../../shared/settings.ts';
import { GroupChip } from '../../shared/windows/GroupChip.tsx';
import type { OpenRows, SortState } from '../../ui/table/types.ts';
import { useFilterKey } from '../../ui/useFilterKey.ts';
import { useWidthQuery } from '../../ui/useWidthQuery.ts';
import { dropUntouched, flushAlerts, forgetAlerts } from './alerts/alertStore.ts';
import { watchColumns } from './columns.tsx';
import { AddSymbol } from './parts/AddSymbol.tsx';
import { Notices } from './parts/Notices.tsx';
import { WatchTable } from './parts/WatchTable.tsx';
import { readSorts, writeSorts } from './preferences.ts';
import { requestedSymbol, showSymbol } from './requests.ts';
import type { WatchRow } from './rows.ts';
import { items, loadError, openSymbols, removeSymbol, setOpen } from './state.ts';
import { useWatchedCodes, useWatchRows } from './useWatchRows.ts';
import { useWatchlist } from './useWatchlist.ts';
import './WatchlistPage.css';

const ScanAlerts = lazy(async () => ({
  default: (await import('./scanAlerts/ScanAlerts.tsx')).ScanAlerts,
}));

const RemoveDialog = lazy(async () => ({
  default: (await import('./parts/RemoveDialog.tsx')).RemoveDialog,
}));

/** Opens or closes a row; what waits to be saved of its alerts is saved as it closes. */
function toggleRow(symbol: string): void {
  const isOpen = openSymbols.peek().has(symbol);
  if (isOpen) {
    flushAlerts(symbol);
    dropUntouched(symbol);
  }
  setOpen(symbol, !isOpen);
}

/** @param next has the focus once the row is gone, and with it the button that was pressed */
async function remove({ item }: WatchRow, next: HTMLElement | null): Promise<void> {
  if (!(await removeSymbol(item))) return;
  forgetAlerts(item.symbol);
  next?.focus();
}

/** The symbols that the user watches, in the table that fits each one's status, with the editors of their alerts. */
export function WatchlistPage(): ReactNode {
  useWatchlist();
  const { hasFailed, retry } = useStreamFailure(meta.value === null, streamState.value, retryLive);
  const box = useRef<HTMLInputElement>(null);
  const isPhone = useWidthQuery('phone');
  useFilterKey(box);
  const [asked, setAsked] = useState<WatchRow | null>(null);
  const onRemove = useCallback((row: WatchRow) => {
    if (row.alerts > 0) setAsked(row);
    else void remove(row, box.current);
  }, []);
  useActions([
    {
      label: 'Add a symbol',
      words: 'watch watchlist',
      run: () => undefined,
      focus: () => box.current,
    },
  ]);
  return (
    <div className="watchlist-page">
      <header className="watchlist-head">
        <div className="watchlist-title">
          <h1>Watchlist &amp; Alerts</h1>
          <FeedPill />
          <ZoneNote />
        </div>
        <div className="watchlist-tools">
          {!isPhone && <GroupChip />}
          <AddSymbol box={box} onKnown={showSymbol} />
        </div>
      </header>
      <Notices retryStream={hasFailed ? retry : null} />
      <Tables onRemove={onRemove} hasStream={!hasFailed} />
      <Suspense fallback={null}>
        <ScanAlerts />
      </Suspense>
      {asked !== null && (
        <Suspense fallback={null}>
          <RemoveDialog
            symbol={asked.item.symbol}
            alerts={asked.alerts}
            onCancel={() => setAsked(null)}
            onConfirm={() => {
              setAsked(null);
              void remove(asked, box.current);
            }}
          />
        </Suspense>
      )}
    </div>
  );
}

/** True from the first time on that it is. */
function useOnce(isNow: boolean): boolean {
  const [was, setWas] = useState(isNow);
  if (isNow && !was) setWas(true);
  return isNow || was;
}

type TablesProps = { onRemove(row: WatchRow): void; hasStream: boolean };

/** Both tables; nothing while the list could not be loaded. */
function Tables({ onRemove, hasStream }: TablesProps): ReactNode {
  const codes = useWatchedCodes();
  const hasStocks = useWatch({ codes });
  // The market comes in two parts: what the first one lacks may still follow.
  const isComplete = useLasting(hasStocks);
  const isKnown = hasStocks && (isComplete || codes.every((code) => stocks.value.has(code)));
  const isReady = useOnce(isKnown || items.value?.length === 0);
  const rows = useWatchRows(isComplete);
  const [sorts, setSorts] = useState(readSorts);
  useEffect(() => writeSorts(sorts), [sorts]);
  const isNarrow = useWidthQuery('phone');
  const quoteLink = settings.value?.quoteSite ?? 'none';
  const today = meta.value?.dateToday ?? '';
  const columns = useMemo(() => {
    const of = (table: TableName) => watchColumns({ table, isNarrow, quoteLink, today, onRemove });
    return { preOpen: of('preOpen'), trading: of('trading') };
  }, [isNarrow, quoteLink, today, onRemove]);
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
      requestedSymbol={requestedSymbol.value}
    />
  ));
}
