import { useEffect } from 'react';
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

/** Minimal format of a symbol that may be offered. */
const CODE = /^[A-Z0-9.]{1,12}$/;

const focused = signal<RowRequest | null>(null);
const offered = signal<string | null>(null);
const wanted = signal<RequestedAlert | null>(null);

export const requestedSymbol: ReadonlySignal<RowRequest | null> = focused;
/** A linked symbol that is not on the list. */
export const offeredSymbol: ReadonlySignal<string | null> = offered;
/** The alert to show once its symbol's alerts have loaded. */
export const wantedAlert: ReadonlySignal<RequestedAlert | null> = wanted;

/** Whether a list has the symbol; that list is then shown. */
const reached = async (symbol: string): Promise<boolean> =>
  items.peek()?.some((item) => item.symbol === symbol) || (await showListOf(symbol));

export function showSymbol(symbol: string): void {
  setOpen(symbol, true);
  focused.value = { id: symbol };
}

/** Handles `?symbol=` once: opens the row, or offers to add the symbol. */
async function takeUpLink(asked: string): Promise<void> {
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

export async function takeOffer(): Promise<void> {
  const symbol = offered.peek();
  if (symbol === null) return;
  const failure = await addSymbol(symbol);
  if (failure !== null) return showFailure(failure.message);
  offered.value = null;
  showSymbol(symbol);
}

async function takeUpRequest({ symbol, alertId }: RequestedAlert): Promise<void> {
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

/** Batches reloads, for example for a save's own event and its effects. */
const GATHER_MS = 150;

/**
 * Applies triggers to their editors immediately and reloads what the stream reports as changed. Alerts that
 * are being edited are left alone. Returns the stop function.
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
    // Input is already kept for the next login.
    else forgetWatchlist();
  };
}

/** Calls back when the window is hidden or closed, because it may not be shown again. Returns the stop function. */
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
