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
