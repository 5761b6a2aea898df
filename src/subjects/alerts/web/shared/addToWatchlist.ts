import { MESSAGES } from '../../../../texts/messages.ts';
import { readList, readRecord, readText } from '../../../../lib/read.ts';
import { api, messageOf, unwrap } from '../../../../../web/api/client.ts';
import { sayBriefly } from '../../../../../web/shared/saved.ts';
import { publishAlert } from './alertStream.ts';

const symbolsIn = (body: unknown): string[] =>
  readList(readRecord(body).items, (item) => readText(readRecord(item).symbol));

/** Whether a symbol is on the watchlist already; false when that can't be read. */
async function isThere(symbol: string): Promise<boolean> {
  try {
    return symbolsIn(await unwrap(api.watchlist.get())).includes(symbol);
  } catch {
    return false; // What keeps it from being read keeps it from being added, which says so.
  }
}

/** Adds a symbol to the user's watchlist and says briefly what came of it. */
export async function addToWatchlist(symbol: string): Promise<void> {
  if (await isThere(symbol)) return sayBriefly(`${symbol} is already on your watchlist`);
  try {
    await unwrap(api.watchlist.post({ symbol }));
    sayBriefly(`${symbol} added to your watchlist`);
    publishAlert({ type: 'changed', alertId: null, symbol });
  } catch (problem) {
    const sentence = messageOf(problem, '');
    sayBriefly([`${MESSAGES.watchlist.add} ${symbol}`, sentence].filter((part) => part !== '').join(': '));
  }
}
