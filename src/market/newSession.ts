import { isHalted, isActive } from './rules/halted.ts';
import { statusFor, type SessionPhase } from './rules/sessionClock.ts';
import { type Stock, type StockUpdate, emptyStock, type PreOpenSnapshot } from './rules/stock.ts';
import type { MarketSource } from '../sources/quotes/source.ts';
import { derive, mergeUpdate, matchOf } from './derive.ts';
import type { Listings, Listing } from './listings.ts';
import type { MarketSession } from './marketSession.ts';
import { sydneyDate } from './rules/sydneyTime.ts';

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
