import { statusFor } from '../domain/market/sessionClock.ts';
import { emptyStock, type Stock, type StockUpdate } from '../domain/market/stock.ts';
import { derive, mergeUpdate } from './derive.ts';
import type { Listing } from './listing.ts';
import type { MarketDay } from './marketDay.ts';
import { endOfPreOpen, pastPreOpen } from './preOpen.ts';

/** The record of a code that is about to be listed. */
function firstStock({ code, restored }: Listing, today: MarketDay): Stock {
  const stock = emptyStock(code);
  stock.status = statusFor(today.phase);
  if (restored) stock.preOpen = { snapshot: restored };
  return stock;
}

/**
 * The record that a valid update makes of a listing, with everything that the Market derives. Also notes in the listing
 * whether its traded value comes from the source.
 * @returns a new record; null when the update changes nothing
 */
export function nextStock(listing: Listing, update: StockUpdate, today: MarketDay): Stock | null {
  const before = listing.stock;
  const after = mergeUpdate(before ?? firstStock(listing, today), update);
  if (after === before) return null;
  if (update.value !== undefined) listing.hasOwnValue = update.value !== null;
  derive(after, update, listing.hasOwnValue);
  const snapshot = before
    ? endOfPreOpen(before, after, today.phase, today.now)
    : pastPreOpen(after, update.preOpen, today);
  if (snapshot) after.preOpen = { snapshot };
  return after;
}
