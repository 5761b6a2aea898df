import type { Stock } from './rules/stock.ts';
import { type Listing, newListing } from './listing.ts';

/** The listings of the Market, and which of them changed since the last flush. */
export type Listings = {
  get(code: string): Listing | undefined;
  /** The listing of a code, made when there is none; its stock is null then. */
  ensure(code: string): Listing;
  all(): Iterable<Listing>;
  /** The stocks that are listed, by code. */
  stocks(): ReadonlyMap<string, Stock>;
  /** Replaces the record of a listing. */
  put(listing: Listing, stock: Stock): void;
  /** Takes a stock off the Market. */
  delist(listing: Listing): void;
  /** Forgets the snapshots of an earlier run, and the listings that were made for them alone. */
  dropRestored(): void;
  /** Those put or delisted since the last call of `settle`, in the order of their first change. */
  touched(): Iterable<Listing>;
  /** Takes the present records as those of the last change set. */
  settle(): void;
};

export function createListings(): Listings {
  const listings = new Map<string, Listing>();
  const stocks = new Map<string, Stock>();
  const touched = new Set<Listing>();

  return {
    get: (code) => listings.get(code),
    ensure(code) {
      const existing = listings.get(code);
      if (existing) return existing;
      const listing = newListing(code);
      listings.set(code, listing);
      return listing;
    },
    all: () => listings.values(),
    stocks: () => stocks,
    put(listing, stock) {
      listing.stock = stock;
      stocks.set(listing.code, stock);
      touched.add(listing);
    },
    delist(listing) {
      const { code, flushed, restored } = listing;
      Object.assign(listing, newListing(code), { flushed, restored });
      stocks.delete(code);
      touched.add(listing);
    },
    dropRestored() {
      for (const listing of listings.values()) {
        listing.restored = null;
        if (listing.stock === null && !touched.has(listing)) listings.delete(listing.code);
      }
    },
    touched: () => touched,
    settle() {
      for (const listing of touched) {
        listing.flushed = listing.stock;
        listing.patch = null;
        if (listing.stock === null && listing.restored === null) listings.delete(listing.code);
      }
      touched.clear();
    },
  };
}
