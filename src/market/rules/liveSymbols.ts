import { text } from '#lib/contract/fields.ts';
import { sent } from '#lib/contract/requests.ts';
import { ok, refuse, type Result } from '#lib/result.ts';
import { wordsOf } from '#lib/text.ts';

export type LiveSymbols = { readonly size: number; has(symbol: string): boolean };

export const NOT_IN_LIVE_LIST = 'Select a symbol from the live list';
export const NO_LIVE_LIST = 'Live symbol list unavailable. Try again shortly.';

export const NO_CODE = 'Send one stock code in `symbol`, such as symbol=BHP.';

export const unknownCode = (code: string): string =>
  `No stock has the code ${code}. If it was renamed, use its new code.`;

export const MARKET_LOADING = 'The market is still loading. Try again shortly.';

export const normaliseSymbol = (typed: string): string => typed.trim().toUpperCase();

/**
 * Checks that a symbol is in the live list (specification, section 5).
 * @param typed untrimmed and in any case
 * @returns the normalised symbol; a refusal's field is `symbol`
 */
export function checkLiveSymbol(typed: string, symbols: LiveSymbols): Result<string> {
  const symbol = normaliseSymbol(typed);
  if (symbols.size === 0) return refuse(NO_LIVE_LIST, 'symbol');
  return symbols.has(symbol) ? ok(symbol) : refuse(NOT_IN_LIVE_LIST, 'symbol');
}

/** A symbol in a request; the rules check whether it is listed. */
export const listedSymbol = sent(text, { default: '', maxLength: 40, error: NOT_IN_LIVE_LIST });

export const MIN_SEARCH_LENGTH = 2;
/** Delay before clearing an invalid text after the box loses focus, ms (specification, section 9). */
export const CLEAR_AFTER_MS = 75;

/**
 * Codes with this prefix, in alphabetical order.
 * @param typed in any case; fewer than two characters match nothing
 * @param codes upper case, in any order
 * @param limit maximum
 */
export function matchSymbols(typed: string, codes: Iterable<string>, limit = 20): string[] {
  const prefix = typed.trim().toUpperCase();
  if (prefix.length < MIN_SEARCH_LENGTH) return [];
  const matches: string[] = [];
  for (const code of codes) if (code.startsWith(prefix)) matches.push(code);
  return matches.sort().slice(0, limit);
}

/** Names match from this length on, so two characters find only codes. */
const MIN_NAME_LENGTH = 3;

/**
 * How well a company's name matches, both in the same case: 0 for its beginning, 1 if each word begins a word
 * of the name; otherwise null.
 */
export function nameRank(name: string, typed: string): 0 | 1 | null {
  if (name.startsWith(typed)) return 0;
  const names = wordsOf(name);
  return wordsOf(typed).every((word) => names.some((one) => one.startsWith(word))) ? 1 : null;
}

/**
 * Codes with this prefix, in alphabetical order, then stocks with a matching company name, from three
 * characters on.
 * @param typed in any case
 * @param stocks codes in upper case, in any order
 * @param limit maximum
 */
export function searchSymbols(
  typed: string,
  stocks: ReadonlyMap<string, { readonly name: string }>,
  limit = 20,
): string[] {
  const byCode = matchSymbols(typed, stocks.keys(), limit);
  const text = typed.trim().toUpperCase();
  if (text.length < MIN_NAME_LENGTH || byCode.length === limit) return byCode;
  const byName: { code: string; rank: number }[] = [];
  for (const [code, { name }] of stocks) {
    const rank = code.startsWith(text) ? null : nameRank(name.toUpperCase(), text);
    if (rank !== null) byName.push({ code, rank });
  }
  byName.sort((a, b) => a.rank - b.rank || (a.code < b.code ? -1 : 1));
  return [...byCode, ...byName.slice(0, limit - byCode.length).map(({ code }) => code)];
}
