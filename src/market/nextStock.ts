import { statusFor } from './rules/sessionClock.ts';
import { emptyStock, type Stock, type StockUpdate } from './rules/stock.ts';
import { derive, mergeUpdate } from './derive.ts';
import type { Listing } from './listing.ts';
import type { MarketSession } from './marketSession.ts';
import { endOfPreOpen, pastPreOpen } from './preOpen.ts';

/** The record of a code that is about to be listed. */
function firstStock({ code, restored }: Listing, session: MarketSession): Stock {
  const stock = emptyStock(code);
  stock.status = statusFor(session.phase);
  if (restored) stock.preOpen = { snapshot: restored };
  return stock;
}

/**
 * The record that a valid update makes of a listing, with everything that the Market derives. Also notes in the listing
 * whether its traded value comes from the source.
 * @returns a new record; null when the update changes nothing
 */
export function nextStock(listing: Listing, update: StockUpdate, session: MarketSession): Stock | null {
  const before = listing.stock;
  const after = mergeUpdate(before ?? firstStock(listing, session), update);
  if (after === before) return null;
  if (update.value !== undefined) listing.hasOwnValue = update.value !== null;
  derive(after, update, listing.hasOwnValue);
  const snapshot = before
    ? endOfPreOpen(before, after, session.phase, session.now)
    : pastPreOpen(after, update.preOpen, session);
  if (snapshot) after.preOpen = { snapshot };
  return after;
}
