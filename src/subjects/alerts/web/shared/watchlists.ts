import { request, isMissing } from '#web/api/client.ts';
import { readerOf } from '#web/api/readerOf.ts';
import { itemsAnswer, watchlistsAnswer } from '#subjects/alerts/answers/watchlist.ts';
import type { WatchlistView } from '#subjects/alerts/rules/watchlist.ts';

/** The user's lists in their order; none on a server that knows only one. @throws ApiError with the server's sentence */
export async function fetchLists(): Promise<WatchlistView[]> {
  try {
    return (await request('GET /api/watchlists', { read: readerOf(watchlistsAnswer) })).lists;
  } catch (problem) {
    if (isMissing(problem)) return [];
    throw problem;
  }
}

/** The symbols on all lists, each once. @throws ApiError with the server's sentence */
export async function fetchWatchedSymbols(): Promise<string[]> {
  const lists = await fetchLists();
  if (lists.length > 0) return [...new Set(lists.flatMap(({ symbols }) => symbols))];
  const { items } = await request('GET /api/watchlist', { query: {}, read: readerOf(itemsAnswer) });
  return items.map(({ symbol }) => symbol);
}
