import type { Wire } from '#lib/contract/fields.ts';
import { ok, refuse, type Result } from '#lib/result.ts';
import { isPlainLine, nameKey } from '#lib/text.ts';
import { type LiveSymbols, NO_LIVE_LIST, normaliseSymbol } from '#market/rules/liveSymbols.ts';
import type { Stock } from '#market/rules/stock.ts';
import type { watchlist, watchlistItem } from '../answers/watchlist.ts';

export const MAX_WATCHED = 200;
export const MAX_WATCHLISTS = 20;
export const MAX_LIST_NAME = 40;
export const MAX_ITEM_NOTE = 200;
const MAX_TARGET = 1e6;

/** The name of a user's first list until it is renamed. */
export const FIRST_LIST = 'My list';

export type WatchlistItem = Wire<typeof watchlistItem>;

export type WatchlistView = Wire<typeof watchlist>;

function checkText(sent: string, what: string, field: string, most: number): Result<string> {
  const line = sent.trim();
  // Counts code points only if the result can matter, so that a huge text is not split.
  if (line.length > 2 * most || [...line].length > most) {
    return refuse(`${what} has at most ${most} characters.`, field);
  }
  return isPlainLine(line)
    ? ok(line)
    : refuse(`${what} must be one line of plain text without invisible characters.`, field);
}

/** @param others the names of the owner's other lists @returns the trimmed name */
export function checkListName(sent: string, others: readonly string[]): Result<string> {
  const checked = checkText(sent, 'The name of a list', 'name', MAX_LIST_NAME);
  if (!checked.ok) return checked;
  if (checked.value === '') return refuse('Enter a name for the list.', 'name');
  const key = nameKey(checked.value);
  return others.some((other) => nameKey(other) === key)
    ? refuse(`You already have a list called “${checked.value}”. Choose another name.`, 'name')
    : checked;
}

/** @returns the trimmed note; null if empty */
export function checkItemNote(sent: string | null): Result<string | null> {
  const checked = checkText(sent ?? '', 'The note on a symbol', 'note', MAX_ITEM_NOTE);
  return checked.ok ? ok(checked.value || null) : checked;
}

/** Checks a target price, AUD. */
export const checkTarget = (sent: number | null): Result<number | null> =>
  sent === null || (sent > 0 && sent <= MAX_TARGET)
    ? ok(sent)
    : refuse('The target must be a price above 0 and at most 1,000,000.', 'target');

/** Distance from price to target, in percent of the price; null if either is unknown. */
export function toTarget(
  stock: Pick<Stock, 'last' | 'match_price' | 'status'> | null,
  target: number | null,
): number | null {
  const price = stock && (stock.status === 'Pre Open' ? (stock.match_price ?? stock.last) : stock.last);
  return price === null || target === null || !(price > 0) ? null : ((target - price) / price) * 100;
}

export type WatchTable = 'preOpen' | 'trading';

/**
 * The table that shows a stock (specification, section 2.7): before the open with the auction's figures, otherwise with
 * those of trading.
 * @param stock null if it is not listed
 */
export const watchTableOf = (stock: Pick<Stock, 'status'> | null): WatchTable =>
  stock?.status === 'Pre Open' ? 'preOpen' : 'trading';

const NOT_LISTED_HERE = 'The stock is not listed here.';

/** Why an imported symbol is refused, as a sentence; null if it is accepted. */
export function whyNotListed(symbol: string, symbols: LiveSymbols): string | null {
  if (symbols.has(normaliseSymbol(symbol))) return null;
  return symbols.size === 0 ? NO_LIVE_LIST : NOT_LISTED_HERE;
}
