import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { WatchTable as TableName } from '../../../rules/watchTable.ts';
import { meta, stocks } from '../../../../../../web/live/market.ts';
import { useLasting } from '../../../../../../web/live/useLasting.ts';
import { useWatch } from '../../../../../../web/live/useWatch.ts';
import { settings } from '../../../../../../web/shared/settings.ts';
import type { OpenRows, SortState } from '../../../../../../web/ui/table/types.ts';
import { useWidthQuery } from '../../../../../../web/ui/useWidthQuery.ts';
import { dropUntouched, flushAlerts } from '../alerts/alertStore.ts';
import { watchColumns } from '../columns.tsx';
import { WatchTable } from '../parts/WatchTable.tsx';
import { readSorts, writeSorts } from '../preferences.ts';
import { requestedSymbol } from '../requests.ts';
import type { WatchRow } from '../rows.ts';
import { items, loadError, openSymbols, setOpen } from '../state.ts';
import { useWatchedCodes, useWatchRows } from '../useWatchRows.ts';

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
