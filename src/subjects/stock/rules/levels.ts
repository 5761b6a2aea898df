import { ok, refuse, type Result } from '#lib/result.ts';
import { roundToStep } from '#market/rules/priceStep.ts';

/** Limits per user. */
export const MAX_LEVELS = 20;
export const MAX_LEVEL_STOCKS = 200;
export const TOO_MANY_LEVELS = `A stock can have ${MAX_LEVELS} levels. Remove one first.`;
export const TOO_MANY_LEVEL_STOCKS = `You have levels on ${MAX_LEVEL_STOCKS} stocks, which is the maximum. Remove those of one stock first.`;

/** The highest price of a level, AUD. */
const MAX_PRICE = 1_000_000;

export type StockLevels = { symbol: string; prices: number[] };

/** Checks the levels of a stock's chart. Prices are rounded to price steps, and duplicates removed. */
export function checkLevels({ symbol, prices }: StockLevels): Result<StockLevels> {
  const code = symbol.trim().toUpperCase();
  if (!/^[A-Z0-9.]{1,12}$/.test(code)) return refuse('Send one stock code in `symbol`, such as BHP.');
  if (!prices.every((price) => price > 0 && price <= MAX_PRICE)) {
    return refuse('Each price must be above 0 and at most 1,000,000.');
  }
  const rounded = [...new Set(prices.map(roundToStep))];
  return rounded.length > MAX_LEVELS ? refuse(TOO_MANY_LEVELS) : ok({ symbol: code, prices: rounded });
}
