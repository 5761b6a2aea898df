import type { Stock, PreOpenSnapshot } from './rules/stock.ts';

type Indicators = NonNullable<Stock['indicators']>;

/** Everything that the Market keeps of one stock code. */
export type Listing = {
  readonly code: string;
  /** The record now; null while the code is not listed. */
  stock: Stock | null;
  /** The record as the last change set left it; null when the code was not listed then. */
  flushed: Stock | null;
  /** When the last quote was made, epoch ms; else when the Market took it. Null while nothing was applied. */
  quoteTime: number | null;
  /** The session that the record's figures are of: its Sydney date, YYYY-MM-DD; '' before anything was applied. */
  session: string;
  /** When its provider says that the last quote with a price was made, epoch ms; null when it does not say. */
  statedTime: number | null;
  /** The newest of the times that its provider stated, never in the market's future; null while there was none. */
  newestStated: number | null;
  /** Whether the source states the traded value; else it is computed from VWAP and volume. */
  hasOwnValue: boolean;
  /** Whether the source states the status; else it is the one of the exchange's phase. */
  hasOwnStatus: boolean;
  /** The session's pre-open snapshot of an earlier run, kept for the moment when the code is listed. */
  restored: PreOpenSnapshot | null;
  /** The patch from the indicators `from` to those `to`, where the engine supplied it. */
  patch: { to: Indicators; from: Indicators | undefined; patch: Indicators } | null;
};

const newListing = (code: string): Listing => ({
  code,
  stock: null,
  flushed: null,
  quoteTime: null,
  session: '',
  statedTime: null,
  newestStated: null,
  hasOwnValue: false,
  hasOwnStatus: false,
  restored: null,
  patch: null,
});

/** The listings of the Market, and which of them changed since the last flush. */
export class Listings {
  private readonly byCode = new Map<string, Listing>();
  private readonly listed = new Map<string, Stock>();
  private readonly changed = new Set<Listing>();

  get(code: string): Listing | undefined {
    return this.byCode.get(code);
  }

  /** The listing of a code, made when there is none; its stock is null then. */
  ensure(code: string): Listing {
    const existing = this.byCode.get(code);
    if (existing) return existing;
    const listing = newListing(code);
    this.byCode.set(code, listing);
    return listing;
  }

  all(): Iterable<Listing> {
    return this.byCode.values();
  }

  stocks(): ReadonlyMap<string, Stock> {
    return this.listed;
  }

  put(listing: Listing, stock: Stock): void {
    listing.stock = stock;
    this.listed.set(listing.code, stock);
    this.changed.add(listing);
  }

  delist(listing: Listing): void {
    const { code, flushed, restored } = listing;
    Object.assign(listing, newListing(code), { flushed, restored });
    this.listed.delete(code);
    this.changed.add(listing);
  }

  /** Forgets the snapshots of an earlier run, and the listings that were made for them alone. */
  dropRestored(): void {
    for (const listing of this.byCode.values()) {
      listing.restored = null;
      if (listing.stock === null && !this.changed.has(listing)) this.byCode.delete(listing.code);
    }
  }

  /** Those put or delisted since the last call of `settle`, in the order of their first change. */
  touched(): Iterable<Listing> {
    return this.changed;
  }

  /** Takes the present records as those of the last change set. */
  settle(): void {
    for (const listing of this.changed) {
      listing.flushed = listing.stock;
      listing.patch = null;
      if (listing.stock === null && listing.restored === null) this.byCode.delete(listing.code);
    }
    this.changed.clear();
  }
}
