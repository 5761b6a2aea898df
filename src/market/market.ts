import type { PreOpenSnapshot, StockUpdate } from '../domain/market/stock.ts';
import type { Clock } from '../lib/clock.ts';
import type { RefusedUpdate } from '../sources/quotes/source.ts';
import { changeSetOf } from './changeSet.ts';
import { createListings, type Listings } from './listings.ts';
import { createMarketDay, type MarketDay } from './marketDay.ts';
import { startDay, startPhase } from './newDay.ts';
import { nextStock } from './nextStock.ts';
import type { Market } from './types.ts';
import { takeQuote } from './quoteOrder.ts';
import { refusalOf } from './validate.ts';

/**
 * The Market in memory. Records are immutable: a change replaces the record, so whoever holds the old one keeps
 * a consistent picture and "did it change" is a comparison of references.
 * @param deps.clock the market's clock (the source's), not the wall clock
 */
export function createMarket({ clock }: { clock: Clock }): Market {
  const listings = createListings();
  const readDay = createMarketDay(clock);
  let today = readDay();
  /** The number of the last change set. */
  let seq = 0;

  /** Brings the Market to the clock's date and phase. */
  function advance(): MarketDay {
    const before = today;
    today = readDay();
    if (today.date !== before.date) startDay(listings, today);
    if (today.phase !== before.phase) startPhase(listings, today);
    return today;
  }

  return {
    apply: (updates) => applyUpdates(listings, updates, advance()),
    setValues(code, { indicators, htf }, patch) {
      const listing = listings.get(code);
      const before = listing?.stock;
      if (!listing || !before) return;
      if (indicators && patch) listing.patch = { to: indicators, from: before.indicators, patch };
      const after = { ...before };
      if (indicators) after.indicators = indicators;
      else delete after.indicators;
      if (htf) after.htf = htf;
      else delete after.htf;
      listings.put(listing, after);
    },
    remove(codes) {
      for (const code of codes) {
        const listing = listings.get(code);
        if (listing?.stock) listings.delist(listing);
      }
    },
    get: (code) => listings.get(code)?.stock ?? undefined,
    all: listings.stocks,
    *flushed() {
      if (seq === 0) return yield* listings.stocks().values();
      for (const { flushed } of listings.all()) if (flushed) yield flushed;
    },
    flush() {
      advance();
      const changes = changeSetOf(listings.touched(), seq);
      listings.settle();
      if (changes) seq = changes.seq;
      return changes;
    },
    quoteTime: (code) => listings.get(code)?.quoteTime ?? null,
    statedQuoteTime: (code) => listings.get(code)?.statedTime ?? null,
    date: () => advance().date,
    restorePreOpen(date, snapshots) {
      const day = advance();
      if (date === day.date) restoreSnapshots(listings, snapshots, day.now);
    },
  };
}

function applyUpdates(
  listings: Listings,
  updates: readonly StockUpdate[],
  today: MarketDay,
): { applied: number; refused: RefusedUpdate[] } {
  const refused: RefusedUpdate[] = [];
  for (const update of updates) {
    const { code, status, quoteTime } = update;
    const refusal = refusalOf(update, listings.get(code)?.stock ?? null);
    if (refusal) {
      refused.push({ code: String(code), ...refusal });
      continue;
    }
    const listing = listings.ensure(code);
    if (status) listing.hasOwnStatus = true;
    const next = nextStock(listing, takeQuote(listing, update, today.now), today);
    if (next) listings.put(listing, next);
    listing.quoteTime = quoteTime ?? today.now;
  }
  return { applied: updates.length - refused.length, refused };
}

function restoreSnapshots(
  listings: Listings,
  snapshots: ReadonlyMap<string, PreOpenSnapshot>,
  now: number,
): void {
  for (const [code, snapshot] of snapshots) {
    if (Date.parse(snapshot.capturedAt) > now) continue;
    const listing = listings.ensure(code);
    const { stock } = listing;
    if (!stock) listing.restored = snapshot;
    else if (!stock.preOpen) listings.put(listing, { ...stock, preOpen: { snapshot } });
  }
}
