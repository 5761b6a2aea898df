import { type LiveSymbols, NO_LIVE_LIST, normaliseSymbol } from '#market/rules/liveSymbols.ts';

export const NOT_LISTED_HERE = 'Their stock is not listed here.';

/** Why something on a stock that a transfer file names can't be taken, in a sentence; null where it is listed. */
export function whyNotListed(symbol: string, symbols: LiveSymbols): string | null {
  if (symbols.has(normaliseSymbol(symbol))) return null;
  return symbols.size === 0 ? NO_LIVE_LIST : NOT_LISTED_HERE;
}
