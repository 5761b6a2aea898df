/** Autocomplete starts at this many characters. */
export const MIN_SEARCH_LENGTH = 2;
/** How long after leaving the box text that is no symbol is cleared, ms. */
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

/**
 * The price of a live stock: last, else match, else previous close (specification, section 3).
 *
 * @returns AUD, or null when none is known
 */
export const livePrice = (
  stock: { last: number | null; match_price: number | null; close: number | null } | undefined,
): number | null => stock?.last ?? stock?.match_price ?? stock?.close ?? null;
