import type { Clock } from '../lib/clock.ts';
import type { MarketSource } from './sources/quotes.ts';
import { derive, matchOf, mergeUpdate } from './derive.ts';
import {
  createPhaseReader,
  type PhaseSpan,
  sessionAt,
  type SessionPhase,
  statusFor,
} from './rules/sessionClock.ts';
import { emptyStock, type PreOpenSnapshot, type Stock, type StockUpdate } from './rules/stock.ts';
import { isActive, isHalted } from './rules/stockState.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';
import { previousTradingDay } from './rules/tradingDay.ts';

export type MarketSession = {
  now: number;
  /** YYYY-MM-DD in Sydney; it stays until the next session begins. */
  date: string;
  since: number;
  previous: string;
  phase: PhaseSpan['phase'];
};

export function createMarketSession(clock: Clock): () => MarketSession {
  const readPhase = createPhaseReader();
  let span: PhaseSpan | undefined;
  let known: Omit<MarketSession, 'now'> | undefined;
  return () => {
    const now = clock.now();
    const current = readPhase(now);
    if (!known || current !== span) {
      span = current;
      const { date, since } = sessionAt(now);
      known = { date, since, previous: previousTradingDay(date), phase: span.phase };
    }
    return { now, ...known };
  };
}

type Indicators = NonNullable<Stock['indicators']>;

export type Listing = {
  readonly code: string;
  stock: Stock | null;
  flushed: Stock | null;
  /** Time of the last quote, or when the Market received it, epoch ms. Null before the first. */
  quoteTime: number | null;
  /** The session of the figures, YYYY-MM-DD in Sydney; '' before the first update. */
  session: string;
  statedTime: number | null;
  /** The newest stated time, never in the market's future; null if there is none. */
  newestStated: number | null;
  /** Whether the source states the traded value; otherwise it is computed. */
  hasOwnValue: boolean;
  /** Whether the source states the status; otherwise the phase gives it. */
  hasOwnStatus: boolean;
  /** A pre-open snapshot of an earlier run, kept until the code is listed. */
  restored: PreOpenSnapshot | null;
  /** The engine's patch between two indicator objects, if known. */
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

export class Listings {
  private readonly byCode = new Map<string, Listing>();
  private readonly listed = new Map<string, Stock>();
  private readonly changed = new Set<Listing>();

  get(code: string): Listing | undefined {
    return this.byCode.get(code);
  }

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

  dropRestored(): void {
    for (const listing of this.byCode.values()) {
      listing.restored = null;
      if (listing.stock === null && !this.changed.has(listing)) this.byCode.delete(listing.code);
    }
  }

  /** Listings changed since the last call of `settle`, in the order of the first change. */
  touched(): Iterable<Listing> {
    return this.changed;
  }

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
 * The last indicative result of the opening auction, at the change that ends it: the stock becomes active, or
 * the match price disappears.
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
 * The stated result of the opening auction for a stock first listed after it.
 * @param stock the new record; a restored snapshot has precedence
 * @returns null if none is stated, or it is not from the session's past
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

export function firstStock({ code, restored }: Listing, session: MarketSession): Stock {
  const stock = emptyStock(code);
  stock.status = statusFor(session.phase);
  if (restored) stock.preOpen = { snapshot: restored };
  return stock;
}

/**
 * An update without a 52-week high or low that today's own prices explain: the range before today stays, so that today's
 * prices can be compared with it.
 */
function withoutToday(update: StockUpdate, before: Stock): StockUpdate {
  const { yearRange, high, low, last } = update;
  const known = before.yearRange;
  if (!yearRange || !known) return update;
  const top = Math.max(high ?? before.high ?? 0, last ?? 0);
  const bottom = Math.min(low ?? before.low ?? Number.POSITIVE_INFINITY, last ?? Number.POSITIVE_INFINITY);
  const kept = { ...yearRange };
  if (kept.high != null && known.high !== null && kept.high > known.high && kept.high <= top)
    delete kept.high;
  if (kept.low != null && known.low !== null && kept.low < known.low && kept.low >= bottom) delete kept.low;
  return { ...update, yearRange: kept };
}

/** A 52-week range that includes the day which ends. */
const withDay = ({ yearRange, high, low }: Stock): Pick<Stock, 'yearRange'> =>
  yearRange
    ? {
        yearRange: {
          high: yearRange.high === null ? null : Math.max(yearRange.high, high ?? 0),
          low: yearRange.low === null ? null : Math.min(yearRange.low, low ?? yearRange.low),
        },
      }
    : {};

/**
 * The record after a valid update, with all derived members. Records in the listing whether the source states
 * the traded value.
 * @returns null if nothing changed
 */
export function nextStock(listing: Listing, update: StockUpdate, session: MarketSession): Stock | null {
  const before = listing.stock;
  const after = before
    ? mergeUpdate(before, withoutToday(update, before))
    : mergeUpdate(firstStock(listing, session), update);
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

const NO_FIGURES = {
  ...NO_TRADES,
  match_price: null,
  match_vol: null,
  buy_surplus: null,
  sensitiveAnnouncements: null,
} as const satisfies Partial<Stock>;

function recentNews(news: News, oldest: string): News {
  const days = Object.entries(news);
  const recent = days.filter(([date]) => date >= oldest);
  return recent.length === days.length ? news : Object.fromEntries(recent);
}

/** A stock at the start of a session. A halt may continue. @param close its previous close */
function freshStock(stock: Stock, session: MarketSession, close: number | null): Stock {
  const { preOpen: _preOpen, surplusFlip: _flip, news, ...rest } = stock;
  const status = isHalted(stock) ? stock.status : statusFor(session.phase);
  const next: Stock = { ...rest, ...withDay(stock), ...NO_FIGURES, status, close };
  if (news) next.news = recentNews(news, session.previous);
  derive(next, {}, false);
  return next;
}

/**
 * Removes the figures of the session before. Stocks already quoted in this session, before the clock stepped
 * back, stay. The last price becomes the previous close, unless a session was missed or days are independent:
 * it is then unknown until stated.
 * @param days of the source
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
 * The part of an update that belongs to the running session. An older quote's trading belongs to an earlier
 * session: its last price is the previous close until a trade, and the rest is dropped. Auction figures stay,
 * because some bridges state the last trade's time with them.
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
