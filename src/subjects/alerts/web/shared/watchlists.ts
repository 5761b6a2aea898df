import { ifMissing, isMissing, messageOf, readerOf, request } from '#web/api/client.ts';
import { itemsAnswer, watchlistsAnswer } from '../../answers/watchlist.ts';
import type { WatchlistView } from '../../rules/watchlist.ts';
import { readNumber, readRecord, readText, readList } from '#lib/read.ts';
import { readStored, writeStored } from '#web/shared/storage.ts';
import { MESSAGES } from '#texts/messages.ts';
import { showBriefly } from '#web/shared/saved.ts';
import { publishAlert } from './alertStream.ts';

type LastList = { id: number; name: string };

const KEY = 'bellbird.list';

function listOf(value: unknown): LastList | null {
  const { id, name } = readRecord(value);
  const known = readNumber(id);
  return known === null ? null : { id: known, name: readText(name) ?? '' };
}

export const lastList = (): LastList | null => readStored(KEY, listOf);

export function keepLastList(list: LastList | null): void {
  writeStored(KEY, list && { id: list.id, name: list.name });
}

/** In the user's order; empty if the server supports only one list. */
export const fetchLists = async (): Promise<WatchlistView[]> =>
  (await request('GET /api/watchlists', { read: readerOf(watchlistsAnswer) }).catch(ifMissing({ lists: [] })))
    .lists;

export async function fetchWatchedSymbols(): Promise<string[]> {
  const lists = await fetchLists();
  if (lists.length > 0) return [...new Set(lists.flatMap(({ symbols }) => symbols))];
  const { items } = await request('GET /api/watchlist', { query: {}, read: readerOf(itemsAnswer) });
  return items.map(({ symbol }) => symbol);
}

const symbolsIn = (body: unknown): string[] =>
  readList(readRecord(body).items, (item) => readText(readRecord(item).symbol));

async function isThere(symbol: string, list: LastList | null): Promise<boolean> {
  try {
    const query = list === null ? {} : { list: list.id };
    return symbolsIn(await request('GET /api/watchlist', { query })).includes(symbol);
  } catch {
    return false; // If the list cannot be read, adding fails too and reports the error.
  }
}

/** Adds a symbol to the last used list and shows the result briefly. */
export async function addToWatchlist(symbol: string): Promise<void> {
  const list = lastList();
  const called = list === null || list.name === '' ? 'your watchlist' : list.name;
  if (await isThere(symbol, list)) return showBriefly(`${symbol} is already on ${called}`);
  try {
    await request('POST /api/watchlist', { body: { symbol, ...(list === null ? {} : { list: list.id }) } });
    showBriefly(`${symbol} added to ${called}`);
    publishAlert({ type: 'changed', alertId: null, symbol });
  } catch (problem) {
    if (list !== null && isMissing(problem)) {
      keepLastList(null);
      return addToWatchlist(symbol);
    }
    const sentence = messageOf(problem, '');
    showBriefly([`${MESSAGES.watchlist.add} ${symbol}`, sentence].filter((part) => part !== '').join(': '));
  }
}
