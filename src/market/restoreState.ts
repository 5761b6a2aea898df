import { isHalted } from './rules/halted.ts';
import type { MarketState, QuoteFacts } from '../sources/quotes/source.ts';
import type { Listing, Listings } from './listings.ts';
import type { MarketSession } from './marketSession.ts';

/** What is known of a listed stock besides its record. */
export const factsOf = ({ quoteTime, newestStated, hasOwnValue, hasOwnStatus }: Listing): QuoteFacts => ({
  quoteTime,
  newestStated,
  hasOwnValue,
  hasOwnStatus,
});

/**
 * Puts the listings into another state. What was told of them last stays noted, so that the next change set leads from there
 * to the new state.
 */
export function restoreState(
  listings: Listings,
  { stocks, facts }: MarketState,
  { date }: Pick<MarketSession, 'date'>,
): void {
  listings.dropRestored();
  const listed = new Set(stocks.map(({ code }) => code));
  for (const listing of [...listings.all()]) {
    if (listing.stock && !listed.has(listing.code)) listings.delist(listing);
  }
  for (const stock of stocks) {
    const known = facts[stock.code];
    const listing = listings.ensure(stock.code);
    listing.session = date;
    listing.quoteTime = known?.quoteTime ?? null;
    listing.newestStated = known?.newestStated ?? null;
    listing.statedTime = listing.newestStated;
    listing.hasOwnValue = known?.hasOwnValue ?? false;
    listing.hasOwnStatus = known?.hasOwnStatus ?? isHalted(stock);
    listing.patch = null;
    listings.put(listing, stock);
  }
}
