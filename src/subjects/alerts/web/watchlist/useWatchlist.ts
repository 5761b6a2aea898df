import { useEffect } from 'react';
import { forgetAlert, requestedAlert, type RequestedAlert } from '../shared/showAlert.ts';
import { routeQuery, currentHash, goTo } from '#web/router/navigate.ts';
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
  tellTrigger,
} from './alerts/alertStore.ts';
import { readHeldAlerts } from './alerts/editorState.ts';
import { forgetDevices, loadDevices } from '#subjects/devices/web/shared/devices.ts';
import { forgetLinkedChats, loadLinkedChats } from '#subjects/chats/web/shared/linkedChats.ts';
import {
  items,
  loadWatchlist,
  resetWatchlist,
  setOpen,
  addSymbol,
  showFailure,
  showListOf,
} from './state.ts';
import { type AlertEvent, listenToAlerts } from '../shared/alertStream.ts';
import { type ReadonlySignal, signal } from '@preact/signals-react';
import type { RowRequest } from '#ui/table/types.ts';
import { normaliseSymbol } from '#market/rules/liveSymbols.ts';
import { WATCHLIST_PATH } from '#web/router/routes.ts';

/** A symbol that may be offered to be added has this form at least. */
const CODE = /^[A-Z0-9.]{1,12}$/;

const focused = signal<RowRequest | null>(null);
const offered = signal<string | null>(null);
const wanted = signal<RequestedAlert | null>(null);

/** The symbol whose row was asked for and gets the keyboard; null for none. */
export const requestedSymbol: ReadonlySignal<RowRequest | null> = focused;
/** A symbol that a link led to and that is not on the list; null for none. */
export const offeredSymbol: ReadonlySignal<string | null> = offered;
/** The alert whose editor is to be shown once its symbol's alerts are loaded; null for none. */
export const wantedAlert: ReadonlySignal<RequestedAlert | null> = wanted;

/** Whether the list that is shown has a symbol, or another one, which is shown then. */
const reached = async (symbol: string): Promise<boolean> => isWatched(symbol) || (await showListOf(symbol));

const isWatched = (symbol: string): boolean => items.peek()?.some((item) => item.symbol === symbol) ?? false;

/** Opens the row of a symbol and gives it the keyboard. */
export function showSymbol(symbol: string): void {
  setOpen(symbol, true);
  focused.value = { id: symbol };
}

/** Takes up `?symbol=` of the address, once: the row is opened, or its symbol offered to be added. */
async function takeUpLink(asked: string): Promise<void> {
  const symbol = normaliseSymbol(asked);
  // So that the same link works again.
  if (currentHash.peek().includes('?')) goTo(WATCHLIST_PATH);
  offered.value = null;
  if (await reached(symbol)) showSymbol(symbol);
  else if (CODE.test(symbol)) offered.value = symbol;
}

export function dropOffer(): void {
  offered.value = null;
}

/** Adds the symbol that is offered, and opens its row. */
export async function takeOffer(): Promise<void> {
  const symbol = offered.peek();
  if (symbol === null) return;
  const failure = await addSymbol(symbol);
  if (failure !== null) return showFailure(failure.message);
  offered.value = null;
  showSymbol(symbol);
}

/** Opens the editor of a requested alert, on a symbol that is added if it has to be. */
async function takeUpRequest({ symbol, alertId }: RequestedAlert): Promise<void> {
  const failure = (await reached(symbol)) ? null : await addSymbol(symbol);
  if (failure !== null) return showFailure(failure.message);
  wanted.value = { symbol, alertId };
  setOpen(symbol, true);
}

/** The editor of the wanted alert is shown. */
export function forgetWanted(): void {
  wanted.value = null;
}

/** Forgets what was asked for, when the screen is left. */
function resetRequests(): void {
  focused.value = null;
  offered.value = null;
  wanted.value = null;
}

/** What comes together, such as the echo of a save and what it caused, is read together. */
const GATHER_MS = 150;

/**
 * Puts a trigger into its alert's editor at once, and reads again what the alert stream says was changed: the list, and the
 * alerts that were loaded. Those that are being edited are left alone. Returns the stop function.
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
      tellTrigger(event.trigger);
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

/** Forgets everything that belongs to the user whose list was shown. */
export function forgetWatchlist(): void {
  resetWatchlist();
  resetAlerts();
  forgetLinkedChats();
  forgetDevices();
  resetRequests();
}

/** Goes on with the alerts that were being edited when the session ended. */
function goOn(): void {
  const kept = readHeldAlerts(keptInput('alerts'));
  restoreAlerts(kept);
  for (const { symbol } of kept) setOpen(symbol, true);
  dropKeptInput('alerts');
}

function begin(token: string): () => void {
  const user = userOf(token) ?? token;
  if (user !== owner) forgetWatchlist();
  owner = user;
  goOn();
  void loadWatchlist();
  void loadLinkedChats();
  void loadDevices();
  for (const symbol of loadedAlerts.peek().keys()) void loadAlerts(symbol);
  const stops = [followAlertEvents(), holdInput('alerts', unsavedAlerts), onLeaving(() => flushAlerts())];
  return () => {
    for (const stop of stops) stop();
    resetRequests();
    if (session.peek().isAuthenticated) flushAlerts();
    // What was typed is kept for the next login already.
    else forgetWatchlist();
  };
}

/** Calls back when the window is hidden or closed: it may not be shown again. Returns the stop function. */
function onLeaving(leave: () => void): () => void {
  const onHidden = () => {
    if (document.hidden) leave();
    else {
      void loadLinkedChats();
      void loadDevices();
    }
  };
  window.addEventListener('pagehide', leave);
  document.addEventListener('visibilitychange', onHidden);
  return () => {
    window.removeEventListener('pagehide', leave);
    document.removeEventListener('visibilitychange', onHidden);
  };
}

/** Loads the watchlist of anyone who is signed in, keeps it up to date, and takes up what was asked for. */
export function useWatchlist(): void {
  const { accessToken } = session.value;
  useEffect(() => (accessToken === null ? undefined : begin(accessToken)), [accessToken]);

  const hasItems = items.value !== null;
  const asked = routeQuery.value.get('symbol');
  useEffect(() => {
    if (hasItems && asked !== null) void takeUpLink(asked);
  }, [hasItems, asked]);

  const request = requestedAlert.value;
  useEffect(() => {
    if (!hasItems || request === null) return;
    forgetAlert();
    void takeUpRequest(request);
  }, [hasItems, request]);
}
