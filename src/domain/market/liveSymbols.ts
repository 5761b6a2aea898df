import { ok, refuse, type Result } from '../../lib/result.ts';

/** The live list, as far as rules look at it: how many symbols there are, and whether one is there. */
export type LiveSymbols = { readonly size: number; has(symbol: string): boolean };

export const NOT_IN_LIVE_LIST = 'Select a symbol from the live list';

/** A symbol as it is stored and compared: trimmed, upper case. */
export const normaliseSymbol = (typed: string): string => typed.trim().toUpperCase();

/**
 * Checks that a symbol is in the live list (specification, section 5).
 *
 * @param typed untrimmed and in any case
 * @returns the normalised symbol; a refusal's field is `symbol`
 */
export function checkLiveSymbol(typed: string, symbols: LiveSymbols): Result<string> {
  const symbol = normaliseSymbol(typed);
  if (symbols.size === 0) return refuse('Live symbol list unavailable. Try again shortly.', 'symbol');
  return symbols.has(symbol) ? ok(symbol) : refuse(NOT_IN_LIVE_LIST, 'symbol');
}
