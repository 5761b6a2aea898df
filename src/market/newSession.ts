import type { MarketSource } from '../sources/quotes/source.ts';
import { derive, matchOf, mergeUpdate } from './derive.ts';
import type { MarketSession } from './marketSession.ts';
import { emptyStock, type PreOpenSnapshot, type Stock, type StockUpdate } from './rules/stock.ts';
import { isActive, isHalted } from './rules/stockState.ts';
import { type SessionPhase, statusFor } from './rules/sessionClock.ts';
import { sydneyDate } from './rules/sydneyTime.ts';

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

/**
 * The last indicative result of the opening auction, at the change that ends it: the stock becomes active, or the auction
 * has run and taken the match price away.
 * @param now the market's clock, epoch ms
 * @returns null at any other change
 */
function endOfPreOpen(before: Stock, after: Stock, phase: SessionPhase, now: number): PreOpenSnapshot | null {
  if (before.status !== 'Pre Open') return null;
  const isMatched = phase === 'ospa' && after.match_price === null;
  if (!isActive(after) && !isMatched) return null;
  const from = after.match_price === null ? before : after;
  if (from.match_price === null) return null;
  return {
    capturedAt: new Date(now).toISOString(),
    indicativeChangePercent: from.indicativeChangePercent,
    match_price: from.match_price,
    match_vol: from.match_vol,
    match_value: from.match_value,
    buy_surplus: from.buy_surplus,
  };
}

/**
 * The result of the opening auction for a stock that is first listed after it, as its source states it.
 * @param stock the new record; a snapshot restored from an earlier run takes precedence
 * @returns null when the source states none, or one that is not of a past moment of the session's date
 */
function pastPreOpen(
  stock: Stock,
  stated: StockUpdate['preOpen'],
  session: Pick<MarketSession, 'now' | 'date'>,
): PreOpenSnapshot | null {
  if (!stated || stock.preOpen) return null;
  const time = Date.parse(stated.capturedAt);
  if (!(time <= session.now) || sydneyDate(time) !== session.date) return null;
  return { ...stated, ...matchOf(stated.match_price, stated.match_vol, stock.close) };
}

/** The record of a code that is about to be listed. */
export function firstStock({ code, restored }: Listing, session: MarketSession): Stock {
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

type News = NonNullable<Stock['news']>;

/** What was traded in one session. */
const NO_TRADES = {
  open: null,
  high: null,
  low: null,
  last: null,
  vwap: null,
  volume: null,
  value: null,
  relativeVolume: null,
} as const satisfies Partial<Stock>;

/** What belongs to one session alone. */
const NO_FIGURES = {
  ...NO_TRADES,
  match_price: null,
  match_vol: null,
  buy_surplus: null,
  sensitiveAnnouncements: null,
} as const satisfies Partial<Stock>;

/** The days from `oldest` on; the identical record when none is older. */
function recentNews(news: News, oldest: string): News {
  const days = Object.entries(news);
  const recent = days.filter(([date]) => date >= oldest);
  return recent.length === days.length ? news : Object.fromEntries(recent);
}

/**
 * A stock before anything is known of the new session. A halt may last over many.
 * @param close its previous close
 */
function freshStock(stock: Stock, session: MarketSession, close: number | null): Stock {
  const { preOpen: _preOpen, surplusFlip: _flip, news, ...rest } = stock;
  const status = isHalted(stock) ? stock.status : statusFor(session.phase);
  const next: Stock = { ...rest, ...NO_FIGURES, status, close };
  if (news) next.news = recentNews(news, session.previous);
  derive(next, {}, false);
  return next;
}

/**
 * Removes what belongs to the session before: prices, volumes, the auction and its snapshot, the count of announcements,
 * news that is too old. Stocks that were quoted in this session already, before a clock stepped back, stay as they are.
 * The last price becomes the previous close, but for a session that was slept through and for days that do not follow each
 * other: then it is unknown until the source states it.
 * @param days what the source declares of its days
 */
export function startSession(listings: Listings, session: MarketSession, days: MarketSource['days']): void {
  listings.dropRestored();
  for (const listing of listings.all()) {
    if (!listing.stock || listing.session >= session.date) continue;
    const { last, close } = listing.stock;
    const follows = days === 'consecutive' && listing.session === session.previous;
    listing.session = session.date;
    listing.hasOwnValue = false;
    listing.hasOwnStatus = listing.hasOwnStatus && isHalted(listing.stock);
    listings.put(listing, freshStock(listing.stock, session, follows ? (last ?? close) : null));
  }
}

/** Gives the phase's status to the stocks whose source states none. */
export function startPhase(listings: Listings, session: MarketSession): void {
  const status = statusFor(session.phase);
  for (const listing of listings.all()) {
    if (!listing.stock || listing.hasOwnStatus) continue;
    const next = nextStock(listing, { code: listing.code, status }, session);
    if (next) listings.put(listing, next);
  }
}

const TRADED = Object.keys(NO_TRADES) as (keyof typeof NO_TRADES)[];

/**
 * What an update says of the running session. What was traded by a quote of before it belongs to an earlier one: its last
 * price is the previous close as long as nothing has traded since, and the rest says nothing. The auction's figures stay:
 * some bridges state the time of the last trade beside them.
 */
export function ofSession(
  update: StockUpdate,
  before: Stock | null,
  { since }: Pick<MarketSession, 'since'>,
  days: MarketSource['days'],
): StockUpdate {
  const { quoteTime, last } = update;
  if (typeof quoteTime !== 'number' || !(quoteTime < since)) return update;
  const rest: StockUpdate = { ...update };
  for (const field of TRADED) delete rest[field];
  if (typeof last !== 'number') return rest;
  delete rest.close;
  return days === 'consecutive' && (before?.last ?? null) === null ? { ...rest, close: last } : rest;
}
