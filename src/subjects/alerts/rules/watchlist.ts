import type { Wire } from '#lib/contract/fields.ts';
import { ok, refuse, type Result } from '#lib/result.ts';
import { isPlainLine, nameKey } from '#lib/text.ts';
import { type LiveSymbols, NO_LIVE_LIST, normaliseSymbol } from '#market/rules/liveSymbols.ts';
import type { Stock } from '#market/rules/stock.ts';
import type { watchlist, watchlistItem } from '../answers/watchlist.ts';

/** Symbols on one list, and lists of one user. */
export const MAX_WATCHED = 200;
export const MAX_WATCHLISTS = 20;
export const MAX_LIST_NAME = 40;
export const MAX_ITEM_NOTE = 200;
const MAX_TARGET = 1e6;

/** What a user's first list is called until it is renamed. */
export const FIRST_LIST = 'My list';

/** A symbol that a user watches, as answers carry it. */
export type WatchlistItem = Wire<typeof watchlistItem>;

/** One of a user's lists, as answers carry it. */
export type WatchlistView = Wire<typeof watchlist>;

function checkText(sent: string, what: string, field: string, most: number): Result<string> {
  const line = sent.trim();
  // Counted in code points only where that can make a difference: a huge text is not taken apart.
  if (line.length > 2 * most || [...line].length > most) {
    return refuse(`${what} has at most ${most} characters.`, field);
  }
  return isPlainLine(line)
    ? ok(line)
    : refuse(`${what} is one line of plain text, without invisible characters.`, field);
}

/**
 * Checks the name of a list.
 * @param others the names of its owner's other lists
 * @returns it trimmed
 */
export function checkListName(sent: string, others: readonly string[]): Result<string> {
  const checked = checkText(sent, 'The name of a list', 'name', MAX_LIST_NAME);
  if (!checked.ok) return checked;
  if (checked.value === '') return refuse('Give the list a name.', 'name');
  const key = nameKey(checked.value);
  return others.some((other) => nameKey(other) === key)
    ? refuse(`You already have a list called “${checked.value}”. Choose another name.`, 'name')
    : checked;
}

/** Checks what its owner writes beside a symbol. @returns it trimmed; null where there is nothing */
export function checkItemNote(sent: string | null): Result<string | null> {
  const checked = checkText(sent ?? '', 'The note on a symbol', 'note', MAX_ITEM_NOTE);
  return checked.ok ? ok(checked.value || null) : checked;
}

/** Checks a price that is waited for, AUD. */
export const checkTarget = (sent: number | null): Result<number | null> =>
  sent === null || (sent > 0 && sent <= MAX_TARGET)
    ? ok(sent)
    : refuse('A target is a price above 0, at most 1,000,000.', 'target');

/** How far a stock's price has to go to a target, percent of the price; null where one of them is not known. */
export function toTarget(
  stock: Pick<Stock, 'last' | 'match_price' | 'status'> | null,
  target: number | null,
): number | null {
  const price = stock && (stock.status === 'Pre Open' ? (stock.match_price ?? stock.last) : stock.last);
  return price === null || target === null || !(price > 0) ? null : ((target - price) / price) * 100;
}

/** The two tables of the watchlist. */
export type WatchTable = 'preOpen' | 'trading';

/**
 * The table that a symbol stands in (specification, section 2.7): with the auction's figures while it is in the
 * pre-open, with those of trading at any other time, halted or not listed any more.
 * @param stock null when the live list does not have it
 */
export const watchTableOf = (stock: Pick<Stock, 'status'> | null): WatchTable =>
  stock?.status === 'Pre Open' ? 'preOpen' : 'trading';

const NOT_LISTED_HERE = 'Their stock is not listed here.';

/** Why something on a stock that a transfer file names can't be taken, in a sentence; null where it is listed. */
export function whyNotListed(symbol: string, symbols: LiveSymbols): string | null {
  if (symbols.has(normaliseSymbol(symbol))) return null;
  return symbols.size === 0 ? NO_LIVE_LIST : NOT_LISTED_HERE;
}
