import { type ReadonlySignal, signal } from '@preact/signals-react';
import { normaliseSymbol } from '../../../../market/rules/liveSymbols.ts';
import type { RequestedAlert } from '../shared/requestedAlert.ts';
import { currentHash, goTo } from '../../../../../web/router/navigate.ts';
import { WATCHLIST_PATH } from '../../../../../web/router/routes.ts';
import { addSymbol, items, setOpen, showFailure } from './state.ts';

/** A symbol that may be offered to be added has this form at least. */
const CODE = /^[A-Z0-9.]{1,12}$/;

const focused = signal<string | null>(null);
const offered = signal<string | null>(null);
const wanted = signal<RequestedAlert | null>(null);

/** The symbol whose row was asked for and gets the keyboard; null for none. */
export const requestedSymbol: ReadonlySignal<string | null> = focused;
/** A symbol that a link led to and that is not on the list; null for none. */
export const offeredSymbol: ReadonlySignal<string | null> = offered;
/** The alert whose editor is to be shown once its symbol's alerts are loaded; null for none. */
export const wantedAlert: ReadonlySignal<RequestedAlert | null> = wanted;

const isWatched = (symbol: string): boolean => items.peek()?.some((item) => item.symbol === symbol) ?? false;

/** Opens the row of a symbol and gives it the keyboard. */
export function showSymbol(symbol: string): void {
  setOpen(symbol, true);
  focused.value = symbol;
}

/** Takes up `?symbol=` of the address, once: the row is opened, or its symbol offered to be added. */
export function takeUpLink(asked: string): void {
  const symbol = normaliseSymbol(asked);
  // So that the same link works again.
  if (currentHash.peek().includes('?')) goTo(WATCHLIST_PATH);
  offered.value = null;
  if (isWatched(symbol)) showSymbol(symbol);
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
export async function takeUpRequest({ symbol, alertId }: RequestedAlert): Promise<void> {
  const failure = isWatched(symbol) ? null : await addSymbol(symbol);
  if (failure !== null) return showFailure(failure.message);
  wanted.value = { symbol, alertId };
  setOpen(symbol, true);
}

/** The editor of the wanted alert is shown. */
export function forgetWanted(): void {
  wanted.value = null;
}

/** Forgets what was asked for, when the screen is left. */
export function resetRequests(): void {
  focused.value = null;
  offered.value = null;
  wanted.value = null;
}
