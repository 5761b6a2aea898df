import { isHalted } from './rules/halted.ts';
import { phaseAt, statusFor } from './rules/sessionClock.ts';
import type { Stock } from './rules/stock.ts';
import type { MarketState, QuoteFacts } from '../sources/quotes/source.ts';
import { derive, mergeUpdate } from './derive.ts';
import type { Listing, Listings } from './listings.ts';
import type { MarketSession } from './marketSession.ts';
import { firstStock, nextStock } from './newSession.ts';
import type { KeptStock } from './types.ts';

/** What is known of a listed stock besides its record. */
export const factsOf = ({ quoteTime, newestStated, hasOwnValue, hasOwnStatus }: Listing): QuoteFacts => ({
  quoteTime,
  newestStated,
  hasOwnValue,
  hasOwnStatus,
});

function putFacts(listing: Listing, facts: QuoteFacts | undefined, date: string, stock: Stock): void {
  listing.session = date;
  listing.quoteTime = facts?.quoteTime ?? null;
  listing.newestStated = facts?.newestStated ?? null;
  listing.statedTime = listing.newestStated;
  listing.hasOwnValue = facts?.hasOwnValue ?? false;
  listing.hasOwnStatus = facts?.hasOwnStatus ?? isHalted(stock);
}

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
    const listing = listings.ensure(stock.code);
    putFacts(listing, facts[stock.code], date, stock);
    listing.patch = null;
    listings.put(listing, stock);
  }
}

/**
 * Lists a stock as an earlier run of the same session had it last. Its quote keeps its age. A status that its source
 * stated holds within the phase of that quote; a halt lasts.
 */
export function restoreStock(
  listings: Listings,
  { facts, ...update }: KeptStock,
  session: MarketSession,
): void {
  const { quoteTime } = facts;
  const phase = quoteTime === null ? session.phase : phaseAt(quoteTime).phase;
  const listing = listings.ensure(update.code);
  const stock = mergeUpdate({ ...firstStock(listing, session), status: statusFor(phase) }, update);
  derive(stock, {}, facts.hasOwnValue);
  putFacts(listing, facts, session.date, stock);
  listing.hasOwnStatus = facts.hasOwnStatus && (isHalted(stock) || phase === session.phase);
  listings.put(listing, stock);
  if (listing.hasOwnStatus) return;
  // The opening auction may have ended since: its last figures are as old as the quote.
  const status = { code: stock.code, status: statusFor(session.phase) };
  const next = nextStock(listing, status, { ...session, now: quoteTime ?? session.now });
  if (next) listings.put(listing, next);
}
