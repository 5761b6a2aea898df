import { type WatchlistItem, type WatchTable, watchTableOf } from '#subjects/alerts/rules/watchlist.ts';
import type { Stock } from '#market/rules/stock.ts';
import { signal } from '@preact/signals-react';
import { useMemo, useState } from 'react';
import { stocks } from '#web/live/market.ts';
import { alertsOn, type SymbolAlerts } from './alerts/alertStore.ts';
import { items, removingSymbols } from './state.ts';

export type WatchRow = {
  item: WatchlistItem;
  /** Null when the live list does not have the symbol, and before it is known. */
  stock: Stock | null;
  /** The live list does not have it. */
  isMissing: boolean;
  alerts: number;
  /** How many of them are on until the open. */
  untilOpen: number;
  /** One of the alerts is not saved, and will not be by itself. */
  isUnsaved: boolean;
  isRemoving: boolean;
};

type WatchRows = Readonly<Record<WatchTable, readonly WatchRow[]>>;

const NO_ROWS: WatchRows = { preOpen: [], trading: [] };

type Placed = { table: WatchTable; row: WatchRow };

export type PlaceRowsInput = {
  /** In any order, each symbol once. */
  rows: readonly WatchRow[];
  /** A symbol that stays in the table where it is, as somebody is typing in its row; null for none. */
  heldSymbol: string | null;
};

const isSameRow = (a: WatchRow, b: WatchRow): boolean =>
  a.item === b.item &&
  a.stock === b.stock &&
  a.isMissing === b.isMissing &&
  a.alerts === b.alerts &&
  a.untilOpen === b.untilOpen &&
  a.isUnsaved === b.isUnsaved &&
  a.isRemoving === b.isRemoving;

const areSame = (a: readonly WatchRow[], b: readonly WatchRow[]): boolean =>
  a.length === b.length && a.every((row, index) => row === b[index]);

/**
 * Sorts rows into the table that fits each one's status. A row that did not change stays the same object, and a table in
 * which nothing changed the same list, so that neither is drawn again.
 */
function createPlacing() {
  let placed: ReadonlyMap<string, Placed> = new Map();
  let tables: WatchRows = NO_ROWS;
  return ({ rows, heldSymbol }: PlaceRowsInput): WatchRows => {
    const next = new Map<string, Placed>();
    for (const row of rows) {
      const { symbol } = row.item;
      const before = placed.get(symbol);
      const isHeld = before !== undefined && symbol === heldSymbol;
      const table = isHeld ? before.table : watchTableOf(row.stock);
      next.set(symbol, { table, row: before && isSameRow(before.row, row) ? before.row : row });
    }
    placed = next;
    const rowsOf = (table: WatchTable): readonly WatchRow[] => {
      const own = [...next.values()].flatMap((one) => (one.table === table ? [one.row] : []));
      return areSame(own, tables[table]) ? tables[table] : own;
    };
    tables = { preOpen: rowsOf('preOpen'), trading: rowsOf('trading') };
    return tables;
  };
}

/** The symbol in whose alert editor somebody is at work; null for none. */
export const editedSymbol = signal<string | null>(null);

/** What was loaded of a symbol's alerts is newer than what the list says of them. */
function countOf({ alertCount }: WatchlistItem, { isLoaded, editors }: SymbolAlerts): number {
  return isLoaded ? editors.filter(({ state }) => state.value.saved !== null).length : alertCount;
}

const untilOpenOf = ({ untilOpen }: WatchlistItem, { isLoaded, editors }: SymbolAlerts): number =>
  isLoaded
    ? editors.filter(({ state: { value } }) => value.saved?.active && value.saved.until_open).length
    : untilOpen;

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
    untilOpen: untilOpenOf(item, alerts),
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
