import { batch, type ReadonlySignal, signal } from '@preact/signals-react';
import type { WatchlistItem } from '../../rules/watchlist.ts';
import { NO_LIVE_LIST } from '../../../../market/rules/liveSymbols.ts';
import { MESSAGES } from '../../../../texts/messages.ts';
import { ApiError, messageOf } from '../../../../../web/api/client.ts';
import { hasLiveList } from '../../../stock/web/shared/liveSymbols.ts';
import { Loader } from '../../../../../web/shared/loader.ts';
import { deleteItem, fetchItems, postItem } from './api.ts';
import { alertPreferences, preferAlerts } from '../shared/alertPreferences.ts';

const isOpen = signal(false);

/** Whether the sound of alerts is being offered. */
export const soundOffer: ReadonlySignal<boolean> = isOpen;

/** An alert was made: the sound is offered once in this browser, unless it is on. */
export function offerSound(): void {
  const { sound, wasOffered } = alertPreferences.peek();
  if (sound || wasOffered) return;
  preferAlerts({ wasOffered: true });
  isOpen.value = true;
}

/** Ends the offer. @param sound whether it was taken */
export function answerSoundOffer(sound: boolean): void {
  isOpen.value = false;
  if (sound) preferAlerts({ sound });
}

const list = new Loader<readonly WatchlistItem[]>(fetchItems, MESSAGES.watchlist.load);
const changeFailure = signal<string | null>(null);
const removing = signal<ReadonlySet<string>>(new Set());
const open = signal<ReadonlySet<string>>(new Set());

/** The symbols that the user watches; null until they are loaded. */
export const items: ReadonlySignal<readonly WatchlistItem[] | null> = list.data;
/** Why they could not be loaded; null when they could. */
export const loadError: ReadonlySignal<string | null> = list.error;
/** Why the last change failed; null when it did not. */
export const changeError: ReadonlySignal<string | null> = changeFailure;
/** The symbols whose removal is under way. */
export const removingSymbols: ReadonlySignal<ReadonlySet<string>> = removing;
/** The symbols whose rows are open. */
export const openSymbols: ReadonlySignal<ReadonlySet<string>> = open;

/** Shows why something failed, until it is dismissed (null) or something else fails. */
export function showFailure(message: string | null): void {
  changeFailure.value = message;
}

/** Opens the row of a symbol, or closes it. */
export function setOpen(symbol: string, isOpen: boolean): void {
  if (open.peek().has(symbol) === isOpen) return;
  const others = [...open.peek()].filter((other) => other !== symbol);
  open.value = new Set(isOpen ? [...others, symbol] : others);
}

export const loadWatchlist = list.load;

/** @returns why it was not added, with the field that is at fault, if one is; null when it was added */
export async function addSymbol(symbol: string): Promise<{ message: string; field: string | null } | null> {
  // Nothing is wrong with a symbol while the list that it is looked up in is missing (specification 5).
  if (!hasLiveList()) return { message: NO_LIVE_LIST, field: null };
  try {
    const item = await postItem(symbol);
    // A list that was still being loaded would be this symbol alone.
    const before = items.peek();
    if (item === null || before === null) await loadWatchlist();
    else list.set([...before.filter((one) => one.symbol !== item.symbol), item]);
    return null;
  } catch (problem) {
    const field = problem instanceof ApiError ? problem.field : null;
    return { message: messageOf(problem, MESSAGES.watchlist.add), field };
  }
}

/** Removes a symbol and its alerts; a failure is shown by `changeError`. Returns whether it is gone. */
export async function removeSymbol({ id, symbol }: WatchlistItem): Promise<boolean> {
  if (removing.peek().has(symbol)) return false;
  removing.value = new Set([...removing.peek(), symbol]);
  changeFailure.value = null;
  try {
    await deleteItem(id);
    batch(() => {
      list.set((items.peek() ?? []).filter((one) => one.id !== id));
      setOpen(symbol, false);
    });
    return true;
  } catch (problem) {
    changeFailure.value = messageOf(problem, MESSAGES.watchlist.remove);
    return false;
  } finally {
    removing.value = new Set([...removing.peek()].filter((other) => other !== symbol));
  }
}

/** Forgets the list and what is open, when the session ends. */
export function resetWatchlist(): void {
  batch(() => {
    list.reset();
    changeFailure.value = null;
    removing.value = new Set();
    open.value = new Set();
  });
}
