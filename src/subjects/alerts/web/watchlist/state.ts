import { batch, computed, type ReadonlySignal, signal } from '@preact/signals-react';
import type { WatchlistItem, WatchlistView } from '#subjects/alerts/rules/watchlist.ts';
import { NO_LIVE_LIST } from '#market/rules/liveSymbols.ts';
import { MESSAGES } from '#texts/messages.ts';
import { ApiError, messageOf } from '#web/api/client.ts';
import { hasLiveList } from '#subjects/stock/web/shared/SymbolBox.tsx';
import { Loader } from '#web/shared/loader.ts';
import { keepLastList, lastList, fetchLists } from '../shared/watchlists.ts';
import { deleteItem, deleteListOf, fetchItems, patchItem, patchList, postItem, postList } from './api.ts';
import { alertPreferences, preferAlerts } from '../shared/alertPreferences.ts';

const isOpen = signal(false);

export const soundOffer: ReadonlySignal<boolean> = isOpen;

/** Offers the sound once per browser, unless it is already on. */
export function offerSound(): void {
  const { sound, wasOffered } = alertPreferences.peek();
  if (sound || wasOffered) return;
  preferAlerts({ wasOffered: true });
  isOpen.value = true;
}

export function answerSoundOffer(sound: boolean): void {
  isOpen.value = false;
  if (sound) preferAlerts({ sound });
}

type Watched = {
  items: readonly WatchlistItem[];
  lists: readonly WatchlistView[];
  /** The shown list; null if the server supports only one, or before there is any. */
  shown: WatchlistView | null;
};

/** Fetches the lists and the items of the list that was used last, or of the first one. */
async function fetchWatched(): Promise<Watched> {
  const last = lastList()?.id ?? null;
  const [lists, lastItems] = await Promise.allSettled([fetchLists(), fetchItems(last)]);
  if (lists.status === 'rejected') throw lists.reason;
  const shown = lists.value.find(({ id }) => id === last) ?? lists.value[0] ?? null;
  keepLastList(shown);
  const isLast = last === null || shown?.id === last;
  if (isLast && lastItems.status === 'rejected') throw lastItems.reason;
  const items =
    isLast && lastItems.status === 'fulfilled' ? lastItems.value : await fetchItems(shown?.id ?? null);
  return { lists: lists.value, shown, items };
}

const list = new Loader<Watched>(fetchWatched, MESSAGES.watchlist.load);
const changeFailure = signal<string | null>(null);
const removing = signal<ReadonlySet<string>>(new Set());
const open = signal<ReadonlySet<string>>(new Set());

export const items: ReadonlySignal<readonly WatchlistItem[] | null> = computed(
  () => list.data.value?.items ?? null,
);
const NO_LISTS: readonly WatchlistView[] = [];
export const watchlists: ReadonlySignal<readonly WatchlistView[]> = computed(
  () => list.data.value?.lists ?? NO_LISTS,
);
export const shownList: ReadonlySignal<WatchlistView | null> = computed(() => list.data.value?.shown ?? null);
export const loadError: ReadonlySignal<string | null> = list.error;
export const changeError: ReadonlySignal<string | null> = changeFailure;
export const removingSymbols: ReadonlySignal<ReadonlySet<string>> = removing;
export const openSymbols: ReadonlySignal<ReadonlySet<string>> = open;

/** Shows an error until it is dismissed (null) or replaced. */
export function showFailure(message: string | null): void {
  changeFailure.value = message;
}

export function setOpen(symbol: string, isOpen: boolean): void {
  if (open.peek().has(symbol) === isOpen) return;
  const others = [...open.peek()].filter((other) => other !== symbol);
  open.value = new Set(isOpen ? [...others, symbol] : others);
}

export const loadWatchlist = list.load;

/** Replaces the shown items and the symbols of their list. */
function setItems(items: readonly WatchlistItem[]): void {
  const before = list.data.peek();
  if (before === null) return;
  const symbols = items.map(({ symbol }) => symbol).sort();
  const shown = before.shown && { ...before.shown, symbols };
  const lists = before.lists.map((one) => (one.id === shown?.id ? shown : one));
  list.set({ items, lists, shown });
}

/** Shows a list, to which new symbols are then added. */
export async function chooseList(chosen: WatchlistView): Promise<void> {
  keepLastList(chosen);
  changeFailure.value = null;
  open.value = new Set();
  await loadWatchlist();
}

/** Shows the list that has a symbol. @returns whether there is one */
export async function showListOf(symbol: string): Promise<boolean> {
  const other = watchlists.peek().find(({ symbols }) => symbols.includes(symbol));
  if (other) await chooseList(other);
  return other !== undefined;
}

export async function addList(name: string): Promise<void> {
  const added = await postList(name);
  if (added) await chooseList(added);
}

export async function renameList({ id }: WatchlistView, name: string): Promise<void> {
  await patchList(id, { name });
  await loadWatchlist();
}

export async function moveList({ id }: WatchlistView, position: number): Promise<void> {
  await patchList(id, { position });
  await loadWatchlist();
}

/** Deletes a list with its items and shows the first one. */
export async function deleteList({ id }: WatchlistView): Promise<void> {
  await deleteListOf(id);
  keepLastList(null);
  open.value = new Set();
  await loadWatchlist();
}

export async function changeItem(
  { id }: WatchlistItem,
  change: { note?: string; target?: number | null },
): Promise<void> {
  const changed = await patchItem(id, change);
  if (changed) setItems((items.peek() ?? []).map((one) => (one.id === id ? changed : one)));
}

/** @returns why it was not added and which field caused it; null on success */
export async function addSymbol(symbol: string): Promise<{ message: string; field: string | null } | null> {
  // A symbol cannot be invalid while the list to check it against is missing (specification 5).
  if (!hasLiveList()) return { message: NO_LIVE_LIST, field: null };
  try {
    const item = await postItem(symbol, shownList.peek()?.id ?? null);
    // If the list is still loading, it would otherwise contain only this symbol.
    const before = items.peek();
    // The first symbol creates the first list.
    if (item === null || before === null || shownList.peek() === null) await loadWatchlist();
    else setItems([...before.filter((one) => one.symbol !== item.symbol), item]);
    return null;
  } catch (problem) {
    const field = problem instanceof ApiError ? problem.field : null;
    return { message: messageOf(problem, MESSAGES.watchlist.add), field };
  }
}

/** Removes a symbol from the list. Returns whether that succeeded; `changeError` shows a failure. */
export async function removeSymbol({ id, symbol }: WatchlistItem): Promise<boolean> {
  if (removing.peek().has(symbol)) return false;
  removing.value = new Set([...removing.peek(), symbol]);
  changeFailure.value = null;
  try {
    await deleteItem(id);
    batch(() => {
      setItems((items.peek() ?? []).filter((one) => one.id !== id));
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

export function resetWatchlist(): void {
  batch(() => {
    list.reset();
    changeFailure.value = null;
    removing.value = new Set();
    open.value = new Set();
  });
}
