import { batch, type ReadonlySignal, signal } from '@preact/signals-react';
import type { WatchlistItem } from '../../rules/watchlist.ts';
import { NO_LIVE_LIST } from '../../../../market/rules/liveSymbols.ts';
import { MESSAGES } from '../../../../texts/messages.ts';
import { ApiError, messageOf } from '../../../../../web/api/client.ts';
import { hasLiveList } from '../../../stock/web/shared/liveSymbols.ts';
import { onReconnect } from '../../../../../web/shared/onReconnect.ts';
import { deleteItem, fetchItems, postItem } from './api.ts';

const list = signal<readonly WatchlistItem[] | null>(null);
const loadFailure = signal<string | null>(null);
const changeFailure = signal<string | null>(null);
const removing = signal<ReadonlySet<string>>(new Set());
const open = signal<ReadonlySet<string>>(new Set());

/** The symbols that the user watches; null until they are loaded. */
export const items: ReadonlySignal<readonly WatchlistItem[] | null> = list;
/** Why they could not be loaded; null when they could. */
export const loadError: ReadonlySignal<string | null> = loadFailure;
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

let newest = 0;

/** Loads the list. When loads overlap, the one that was started last wins. A failure is shown by `loadError`. */
export async function loadWatchlist(): Promise<void> {
  newest += 1;
  const own = newest;
  loadFailure.value = null;
  try {
    const loaded = await fetchItems();
    if (own === newest) list.value = loaded;
  } catch (problem) {
    if (own !== newest) return;
    loadFailure.value = messageOf(problem, MESSAGES.watchlist.load);
    onReconnect(loadMissing);
  }
}

function loadMissing(): void {
  // Left meanwhile, the screen has forgotten the failure.
  if (loadFailure.peek() !== null) void loadWatchlist();
}

/** @returns why it was not added, with the field that is at fault, if one is; null when it was added */
export async function addSymbol(symbol: string): Promise<{ message: string; field: string | null } | null> {
  // Nothing is wrong with a symbol while the list that it is looked up in is missing (specification 5).
  if (!hasLiveList()) return { message: NO_LIVE_LIST, field: null };
  try {
    const item = await postItem(symbol);
    newest += 1;
    // A list that was still being loaded would be this symbol alone.
    const before = list.peek();
    if (item === null || before === null) await loadWatchlist();
    else list.value = [...before.filter((one) => one.symbol !== item.symbol), item];
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
    newest += 1;
    batch(() => {
      list.value = (list.peek() ?? []).filter((one) => one.id !== id);
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
  newest += 1;
  batch(() => {
    list.value = null;
    loadFailure.value = null;
    changeFailure.value = null;
    removing.value = new Set();
    open.value = new Set();
  });
}
