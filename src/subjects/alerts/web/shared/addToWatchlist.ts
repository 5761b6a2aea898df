import { MESSAGES } from '#texts/messages.ts';
import { readList, readRecord, readText } from '#lib/read.ts';
import { request, isMissing, messageOf } from '#web/api/client.ts';
import { sayBriefly } from '#web/shared/saved.ts';
import { publishAlert } from './alertStream.ts';
import { keepLastList, type LastList, lastList } from './lastList.ts';

const symbolsIn = (body: unknown): string[] =>
  readList(readRecord(body).items, (item) => readText(readRecord(item).symbol));

/** Whether a symbol is on a list already; false when that can't be read. */
async function isThere(symbol: string, list: LastList | null): Promise<boolean> {
  try {
    const query = list === null ? {} : { list: list.id };
    return symbolsIn(await request('GET /api/watchlist', { query })).includes(symbol);
  } catch {
    return false; // What keeps it from being read keeps it from being added, which says so.
  }
}

/** Adds a symbol to the list that was used last, and says briefly which that is and what came of it. */
export async function addToWatchlist(symbol: string): Promise<void> {
  const list = lastList();
  const called = list === null || list.name === '' ? 'your watchlist' : list.name;
  if (await isThere(symbol, list)) return sayBriefly(`${symbol} is already on ${called}`);
  try {
    await request('POST /api/watchlist', { body: { symbol, ...(list === null ? {} : { list: list.id }) } });
    sayBriefly(`${symbol} added to ${called}`);
    publishAlert({ type: 'changed', alertId: null, symbol });
  } catch (problem) {
    if (list !== null && isMissing(problem)) {
      keepLastList(null);
      return addToWatchlist(symbol);
    }
    const sentence = messageOf(problem, '');
    sayBriefly([`${MESSAGES.watchlist.add} ${symbol}`, sentence].filter((part) => part !== '').join(': '));
  }
}
