import { type WatchlistItem, type WatchTable, watchTableOf } from '#subjects/alerts/rules/watchlist.ts';
import type { Stock } from '#market/rules/stock.ts';
import { signal } from '@preact/signals-react';
import { useMemo, useState } from 'react';
import { stocks } from '#web/live/market.ts';
import { alertsOn, type SymbolAlerts } from './alerts/alertStore.ts';
import { items, removingSymbols } from './state.ts';

export type WatchRow = {
  item: WatchlistItem;
  /** Null if the live list lacks the symbol or is not known yet. */
  stock: Stock | null;
  isMissing: boolean;
  alerts: number;
  /** How many alerts are on only until the open. */
  untilOpen: number;
  /** An alert is not saved and needs the user. */
  isUnsaved: boolean;
  isRemoving: boolean;
};

type WatchRows = Readonly<Record<WatchTable, readonly WatchRow[]>>;

const NO_ROWS: WatchRows = { preOpen: [], trading: [] };

type Placed = { table: WatchTable; row: WatchRow };

export type PlaceRowsInput = {
  rows: readonly WatchRow[];
  /** A symbol that stays in its table while its row is edited; null for none. */
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
 * Assigns rows to the table that fits their status. Unchanged rows and tables stay the same objects, so they
 * are not redrawn.
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

export const editedSymbol = signal<string | null>(null);

/** Loaded alerts are newer than the list's count. */
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
 * Live rows of both tables. Unchanged lists and rows stay the same objects.
 * @param isComplete all stocks of the list have been received
 */
export function useWatchRows(isComplete: boolean): WatchRows {
  const [place] = useState(createPlacing);
  const list = items.value;
  const market = stocks.value;
  const rows = list?.map((item) => rowOf(item, market, isComplete)) ?? null;
  const heldSymbol = editedSymbol.value;
  return rows === null ? NO_ROWS : place({ rows, heldSymbol });
}

export function useWatchedCodes(): readonly string[] {
  const list = items.value;
  return useMemo(() => (list ?? []).map(({ symbol }) => symbol).sort(), [list]);
}
