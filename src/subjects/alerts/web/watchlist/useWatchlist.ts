import { useEffect, useMemo, useState } from 'react';
import { forgetAlert, requestedAlert, type RequestedAlert } from '../shared/showAlert.ts';
import { currentHash, goTo, routeQuery } from '#web/router/navigate.ts';
import {
  dropKeptInput,
  holdInput,
  keptInput,
  userOf,
} from '#subjects/accounts/web/shared/session/interruption.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import {
  flushAlerts,
  loadAlerts,
  loadedAlerts,
  resetAlerts,
  restoreAlerts,
  unsavedAlerts,
  reportTrigger,
  alertsOn,
  type SymbolAlerts,
} from './alerts/alertStore.ts';
import { readHeldAlerts } from './alerts/editorState.ts';
import { forgetDevices, loadDevices, ownDevices } from '#subjects/devices/web/shared/devices.ts';
import { forgetLinkedChats, linkedChats, loadLinkedChats } from '#subjects/chats/web/shared/linkedChats.ts';
import {
  items,
  loadWatchlist,
  resetWatchlist,
  setOpen,
  addSymbol,
  showFailure,
  showListOf,
  removingSymbols,
} from './state.ts';
import { type AlertEvent, listenToAlerts } from '../shared/alertStream.ts';
import { type ReadonlySignal, signal } from '@preact/signals-react';
import type { RowRequest } from '#ui/table/tableModel.ts';
import { normaliseSymbol } from '#market/rules/liveSymbols.ts';
import { WATCHLIST_PATH } from '#web/router/routes.ts';
import { type WatchlistItem, type WatchTable, watchTableOf } from '../../rules/watchlist.ts';
import type { Stock } from '#market/rules/stock.ts';
import { stocks } from '#web/live/market.ts';

/** The page offers to add only texts of this form. */
const CODE = /^[A-Z0-9.]{1,12}$/;

const focused = signal<RowRequest | null>(null);
const offered = signal<string | null>(null);
const wanted = signal<RequestedAlert | null>(null);

export const requestedSymbol: ReadonlySignal<RowRequest | null> = focused;
/** The symbol of an opened link that is not on the list; the page offers to add it. */
export const offeredSymbol: ReadonlySignal<string | null> = offered;
/** The alert to show once its symbol's alerts have loaded. */
export const wantedAlert: ReadonlySignal<RequestedAlert | null> = wanted;

/** Shows the list that has the symbol. Returns false if no list has it. */
const reached = async (symbol: string): Promise<boolean> =>
  items.peek()?.some((item) => item.symbol === symbol) || (await showListOf(symbol));

export function showSymbol(symbol: string): void {
  setOpen(symbol, true);
  focused.value = { id: symbol };
}

/** Handles `?symbol=` once: opens the row, or offers to add the symbol. */
async function activateLink(asked: string): Promise<void> {
  const symbol = normaliseSymbol(asked);
  // Removed so that the same link works again.
  if (currentHash.peek().includes('?')) goTo(WATCHLIST_PATH);
  offered.value = null;
  if (await reached(symbol)) showSymbol(symbol);
  else if (CODE.test(symbol)) offered.value = symbol;
}

export function dropOffer(): void {
  offered.value = null;
}

export async function acceptOffer(): Promise<void> {
  const symbol = offered.peek();
  if (symbol === null) return;
  const failure = await addSymbol(symbol);
  if (failure !== null) return showFailure(failure.message);
  offered.value = null;
  showSymbol(symbol);
}

async function activateRequest({ symbol, alertId }: RequestedAlert): Promise<void> {
  const failure = (await reached(symbol)) ? null : await addSymbol(symbol);
  if (failure !== null) return showFailure(failure.message);
  wanted.value = { symbol, alertId };
  setOpen(symbol, true);
}

export function forgetWanted(): void {
  wanted.value = null;
}

function resetRequests(): void {
  focused.value = null;
  offered.value = null;
  wanted.value = null;
}

/** Reloads within this time are combined, for example for a save's own event and its effects; ms. */
const GATHER_MS = 150;

/**
 * Applies triggers to their editors immediately, and reloads what the stream reports as changed. Alerts that are being
 * edited are left alone. Returns the stop function.
 */
function followAlertEvents(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let symbols = new Set<string>();
  let isList = false;

  const read = (): void => {
    timer = undefined;
    const due = symbols;
    symbols = new Set();
    if (isList) void loadWatchlist();
    isList = false;
    for (const symbol of due) void loadAlerts(symbol);
  };
  const gather = (event: AlertEvent): void => {
    if (event.type === 'triggered') {
      if (event.trigger.of === 'scan') return;
      reportTrigger(event.trigger);
    }
    const symbol = event.type === 'triggered' ? event.trigger.symbol : event.symbol;
    const loaded = loadedAlerts.peek();
    if (symbol === null) symbols = new Set(loaded.keys());
    else if (loaded.has(symbol)) symbols.add(symbol);
    isList ||= event.type === 'changed';
    timer ??= setTimeout(read, GATHER_MS);
  };

  const stop = listenToAlerts(gather);
  return () => {
    stop();
    clearTimeout(timer);
  };
}

let owner: string | null = null;
/** The session whose list is loaded before the page is shown. */
let early: string | null = null;

export function startList(): void {
  early = session.peek().accessToken;
  if (early === null) return;
  owner = userOf(early) ?? early;
  void loadWatchlist();
}

export function forgetWatchlist(): void {
  resetWatchlist();
  resetAlerts();
  forgetLinkedChats();
  forgetDevices();
  resetRequests();
}

/** Resumes edits from before the session ended. */
function goOn(): void {
  const kept = readHeldAlerts(keptInput('alerts'));
  restoreAlerts(kept);
  for (const { symbol } of kept) setOpen(symbol, true);
  dropKeptInput('alerts');
}

/** Loads the chats and devices again. They are loaded with the first editor. */
function reloadDestinations(): void {
  if (linkedChats.peek() !== null) void loadLinkedChats();
  if (ownDevices.peek() !== null) void loadDevices();
}

function begin(token: string): () => void {
  const user = userOf(token) ?? token;
  if (user !== owner) forgetWatchlist();
  owner = user;
  goOn();
  reloadDestinations();
  for (const symbol of loadedAlerts.peek().keys()) void loadAlerts(symbol);
  const stops = [followAlertEvents(), holdInput('alerts', unsavedAlerts), onLeaving(() => flushAlerts())];
  return () => {
    for (const stop of stops) stop();
    resetRequests();
    if (session.peek().isAuthenticated) flushAlerts();
    // The input is already kept for the next login.
    else forgetWatchlist();
  };
}

/** Calls back when the window is hidden or closed, because it may not be shown again. Returns the stop function. */
function onLeaving(leave: () => void): () => void {
  const onHidden = () => {
    if (document.hidden) leave();
    else reloadDestinations();
  };
  window.addEventListener('pagehide', leave);
  document.addEventListener('visibilitychange', onHidden);
  return () => {
    window.removeEventListener('pagehide', leave);
    document.removeEventListener('visibilitychange', onHidden);
  };
}

/** @param isListShown whether the list itself is shown; the other tabs do without it */
export function useWatchlist(isListShown: boolean): void {
  const { accessToken } = session.value;
  useEffect(() => (accessToken === null ? undefined : begin(accessToken)), [accessToken]);
  useEffect(() => {
    if (accessToken === null || !isListShown) return;
    if (early !== accessToken) void loadWatchlist();
    early = null;
  }, [accessToken, isListShown]);

  const hasItems = items.value !== null;
  const asked = routeQuery.value.get('symbol');
  useEffect(() => {
    if (hasItems && asked !== null) void activateLink(asked);
  }, [hasItems, asked]);

  const request = requestedAlert.value;
  useEffect(() => {
    if (!hasItems || request === null) return;
    forgetAlert();
    void activateRequest(request);
  }, [hasItems, request]);
}

export type WatchRow = {
  item: WatchlistItem;
  /** Null if the live list lacks the symbol or is not known yet. */
  stock: Stock | null;
  isMissing: boolean;
  alerts: number;
  /** Number of alerts that work only until the open. */
  untilOpen: number;
  /** True if an alert is not saved and needs the user. */
  isUnsaved: boolean;
  isRemoving: boolean;
};

type WatchRows = Readonly<Record<WatchTable, readonly WatchRow[]>>;

const NO_ROWS: WatchRows = { preOpen: [], trading: [] };

type Placed = { table: WatchTable; row: WatchRow };

type PlaceRowsInput = {
  rows: readonly WatchRow[];
  /** The symbol that stays in its table while its row is edited; null for none. */
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
 * Assigns rows to the table for their status. Unchanged rows and tables stay the same objects, so that they are not
 * redrawn.
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

/** The number of alerts; loaded alerts are newer than the list's count. */
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
