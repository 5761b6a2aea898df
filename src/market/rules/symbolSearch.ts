import { wordsOf } from '#lib/text.ts';

/** Autocomplete starts at this many characters (specification, section 5). */
export const MIN_SEARCH_LENGTH = 2;
/** How long after the box loses the focus a text that is no symbol is cleared, ms (specification, section 9). */
export const CLEAR_AFTER_MS = 75;

/**
 * Codes that start with what was typed, in alphabetical order.
 *
 * @param typed in any case; fewer than two characters match nothing
 * @param codes the live list, upper case, in any order
 * @param limit how many at most
 */
export function matchSymbols(typed: string, codes: Iterable<string>, limit = 20): string[] {
  const prefix = typed.trim().toUpperCase();
  if (prefix.length < MIN_SEARCH_LENGTH) return [];
  const matches: string[] = [];
  for (const code of codes) if (code.startsWith(prefix)) matches.push(code);
  return matches.sort().slice(0, limit);
}

/** Names answer from this many characters on, so that two show codes alone. */
const MIN_NAME_LENGTH = 3;

/**
 * How well a company's name answers to what was typed, both in the same case: 0 when it begins with it, 1 when each word
 * that was typed begins one of the name's; null when it does not.
 */
export function nameRank(name: string, typed: string): 0 | 1 | null {
  if (name.startsWith(typed)) return 0;
  const names = wordsOf(name);
  return wordsOf(typed).every((word) => names.some((one) => one.startsWith(word))) ? 1 : null;
}

/**
 * Codes for a symbol box: those that start with what was typed, in alphabetical order, then those whose company's name
 * answers to it, from three characters on.
 *
 * @param typed in any case
 * @param stocks the live list, codes in upper case, in any order
 * @param limit how many at most
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
