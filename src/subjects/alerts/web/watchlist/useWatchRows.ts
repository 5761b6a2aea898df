import { signal } from '@preact/signals-react';
import { useMemo, useState } from 'react';
import type { WatchlistItem } from '../../rules/watchlist.ts';
import type { Stock } from '../../../../market/rules/stock.ts';
import { stocks } from '../../../../../web/live/market.ts';
import { alertsOn, type SymbolAlerts } from './alerts/alertStore.ts';
import { createPlacing, NO_ROWS, type WatchRow, type WatchRows } from './rows.ts';
import { items, removingSymbols } from './state.ts';

/** The symbol in whose alert editor somebody is at work; null for none. */
export const editedSymbol = signal<string | null>(null);

/** What was loaded of a symbol's alerts is newer than what the list says of them. */
function countOf({ alertCount }: WatchlistItem, { isLoaded, editors }: SymbolAlerts): number {
  return isLoaded ? editors.filter(({ state }) => state.value.saved !== null).length : alertCount;
}

const isWaiting = ({ editors }: SymbolAlerts): boolean =>
  editors.some(({ state }) => state.value.refusal !== null || state.value.conflict !== null);

function rowOf(item: WatchlistItem, market: ReadonlyMap<string, Stock>, isComplete: boolean): WatchRow {
  const alerts = alertsOn(item.symbol);
  const stock = market.get(item.symbol) ?? null;
  return {
    item,
    stock,
    isMissing: isComplete && stock === null,
    alerts: countOf(item, alerts),
    isUnsaved: isWaiting(alerts),
    isRemoving: removingSymbols.value.has(item.symbol),
  };
}

/**
 * The rows of both tables, live; the same lists and rows while nothing of them changed.
 * @param isComplete the stocks that the window was sent are all those of the list that there are
 */
export function useWatchRows(isComplete: boolean): WatchRows {
  const [place] = useState(createPlacing);
  const list = items.value;
  const market = stocks.value;
  const rows = list?.map((item) => rowOf(item, market, isComplete)) ?? null;
  const heldSymbol = editedSymbol.value;
  return rows === null ? NO_ROWS : place({ rows, heldSymbol });
}

/** The symbols that the window is to be sent. */
export function useWatchedCodes(): readonly string[] {
  const list = items.value;
  return useMemo(() => (list ?? []).map(({ symbol }) => symbol).sort(), [list]);
}
