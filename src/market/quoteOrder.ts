import type { StockUpdate } from './rules/stock.ts';
import type { Listing } from './listings.ts';

/** What a quote says of trading. */
const TRADING = [
  'open',
  'high',
  'low',
  'close',
  'last',
  'vwap',
  'volume',
  'value',
  'match_price',
  'match_vol',
  'buy_surplus',
  'relativeVolume',
] as const satisfies readonly (keyof StockUpdate)[];

function withoutTrading(update: StockUpdate): StockUpdate {
  const rest = { ...update };
  for (const field of TRADING) delete rest[field];
  return rest;
}

const hasPrice = ({ last, open, high, low }: StockUpdate): boolean =>
  [last, open, high, low].some((price) => price !== undefined && price !== null);

/**
 * Takes note of when an update's quote was made, and leaves out what an older quote than the last says of trading: late
 * packets and repeated answers must not turn prices back.
 *
 * @param now epoch ms on the market's clock; a stated time after it comes from a wrong clock and counts as now
 * @returns the update as it is to be merged
 */
export function takeQuote(listing: Listing, update: StockUpdate, now: number): StockUpdate {
  const { quoteTime } = update;
  if (quoteTime === undefined) {
    if (hasPrice(update)) listing.statedTime = null;
    return update;
  }
  const stated = Math.min(quoteTime, now);
  const { newestStated } = listing;
  // A newest time in the future was noted before the clock was set back.
  if (newestStated !== null && newestStated <= now && stated < newestStated) return withoutTrading(update);
  listing.newestStated = stated;
  if (hasPrice(update)) listing.statedTime = stated;
  return update;
}
