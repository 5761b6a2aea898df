import { ok, refuse, type Result } from '#lib/result.ts';

/** The live list, as far as rules look at it: how many symbols there are, and whether one is there. */
export type LiveSymbols = { readonly size: number; has(symbol: string): boolean };

export const NOT_IN_LIVE_LIST = 'Select a symbol from the live list';
export const NO_LIVE_LIST = 'Live symbol list unavailable. Try again shortly.';

/** What is asked for by a code, without one. */
export const NO_CODE = 'Give one stock code, such as symbol=BHP.';

/** Why there is no picture of a stock: nothing is known of its code. @param code normalised */
export const unknownCode = (code: string): string =>
  `No stock with the code ${code} is known here. One that was renamed is known by its new code.`;

export const MARKET_LOADING = 'The market is still loading. Try again shortly.';

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
  if (symbols.size === 0) return refuse(NO_LIVE_LIST, 'symbol');
  return symbols.has(symbol) ? ok(symbol) : refuse(NOT_IN_LIVE_LIST, 'symbol');
}
