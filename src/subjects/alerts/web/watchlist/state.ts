import { batch, computed, type ReadonlySignal, signal } from '@preact/signals-react';
import type { WatchlistItem, WatchlistView } from '#subjects/alerts/rules/watchlist.ts';
import { NO_LIVE_LIST } from '#market/rules/liveSymbols.ts';
import { MESSAGES } from '#texts/messages.ts';
import { ApiError, messageOf } from '#web/api/client.ts';
import { hasLiveList } from '#subjects/stock/web/shared/liveSymbols.ts';
import { Loader } from '#web/shared/loader.ts';
import { keepLastList, lastList } from '../shared/lastList.ts';
import { fetchLists } from '../shared/watchlists.ts';
import { deleteItem, deleteListOf, fetchItems, patchItem, patchList, postItem, postList } from './api.ts';
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

/** What is shown, and the lists to choose from. */
type Watched = {
  items: readonly WatchlistItem[];
  lists: readonly WatchlistView[];
  /** The list that the items stand on; null on a server that knows only one, and before there is any. */
  shown: WatchlistView | null;
};

/** The list that was used last, or the first one. */
async function fetchWatched(): Promise<Watched> {
  const lists = await fetchLists();
  const last = lastList();
  const shown = lists.find(({ id }) => id === last?.id) ?? lists[0] ?? null;
  keepLastList(shown);
  return { lists, shown, items: await fetchItems(shown?.id ?? null) };
}

const list = new Loader<Watched>(fetchWatched, MESSAGES.watchlist.load);
const changeFailure = signal<string | null>(null);
const removing = signal<ReadonlySet<string>>(new Set());
const open = signal<ReadonlySet<string>>(new Set());

/** The symbols on the list that is shown; null until they are loaded. */
export const items: ReadonlySignal<readonly WatchlistItem[] | null> = computed(
  () => list.data.value?.items ?? null,
);
const NO_LISTS: readonly WatchlistView[] = [];
/** The user's lists in their order. */
export const watchlists: ReadonlySignal<readonly WatchlistView[]> = computed(
  () => list.data.value?.lists ?? NO_LISTS,
);
/** The one whose symbols are shown; null while there is none to choose. */
export const shownList: ReadonlySignal<WatchlistView | null> = computed(() => list.data.value?.shown ?? null);
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

/** Puts other items in the place of those that are shown, and their symbols into their list. */
function setItems(items: readonly WatchlistItem[]): void {
  const before = list.data.peek();
  if (before === null) return;
  const symbols = items.map(({ symbol }) => symbol).sort();
  const shown = before.shown && { ...before.shown, symbols };
  const lists = before.lists.map((one) => (one.id === shown?.id ? shown : one));
  list.set({ items, lists, shown });
}

/** Shows a list, which is then the one that is added to. */
export async function chooseList(chosen: WatchlistView): Promise<void> {
  keepLastList(chosen);
  changeFailure.value = null;
  open.value = new Set();
  await loadWatchlist();
}

/** Shows the list that a symbol stands on, where the one that is shown has it not. @returns whether there is one */
export async function showListOf(symbol: string): Promise<boolean> {
  const other = watchlists.peek().find(({ symbols }) => symbols.includes(symbol));
  if (other) await chooseList(other);
  return other !== undefined;
}

/** Adds a list and shows it. @throws ApiError with the server's sentence */
export async function addList(name: string): Promise<void> {
  const added = await postList(name);
  if (added) await chooseList(added);
}

/** @throws ApiError with the server's sentence */
export async function renameList({ id }: WatchlistView, name: string): Promise<void> {
  await patchList(id, { name });
  await loadWatchlist();
}

/** Puts a list elsewhere among the others. @param position from 0 @throws ApiError with the server's sentence */
export async function moveList({ id }: WatchlistView, position: number): Promise<void> {
  await patchList(id, { position });
  await loadWatchlist();
}

/** Deletes a list with what stands on it; the first one is shown then. @throws ApiError with the server's sentence */
export async function deleteList({ id }: WatchlistView): Promise<void> {
  await deleteListOf(id);
  keepLastList(null);
  open.value = new Set();
  await loadWatchlist();
}

/** Changes a note or a target. @throws ApiError with the server's sentence */
export async function changeItem(
  { id }: WatchlistItem,
  change: { note?: string; target?: number | null },
): Promise<void> {
  const changed = await patchItem(id, change);
  if (changed) setItems((items.peek() ?? []).map((one) => (one.id === id ? changed : one)));
}

/** @returns why it was not added, with the field that is at fault, if one is; null when it was added */
export async function addSymbol(symbol: string): Promise<{ message: string; field: string | null } | null> {
  // Nothing is wrong with a symbol while the list that it is looked up in is missing (specification 5).
  if (!hasLiveList()) return { message: NO_LIVE_LIST, field: null };
  try {
    const item = await postItem(symbol, shownList.peek()?.id ?? null);
    // A list that was still being loaded would be this symbol alone.
    const before = items.peek();
    // The first symbol of all makes the first list.
    if (item === null || before === null || shownList.peek() === null) await loadWatchlist();
    else setItems([...before.filter((one) => one.symbol !== item.symbol), item]);
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

/** Forgets the list and what is open, when the session ends. */
export function resetWatchlist(): void {
  batch(() => {
    list.reset();
    changeFailure.value = null;
    removing.value = new Set();
    open.value = new Set();
  });
}
