import { statusFor } from '../domain/market/sessionClock.ts';
import type { Stock } from '../domain/market/stock.ts';
import type { Listings } from './listings.ts';
import type { MarketDay } from './marketDay.ts';
import { nextStock } from './nextStock.ts';

type News = NonNullable<Stock['news']>;

/** The days from `oldest` on; the identical record when none is older. */
function recentNews(news: News, oldest: string): News {
  const days = Object.entries(news);
  const recent = days.filter(([date]) => date >= oldest);
  return recent.length === days.length ? news : Object.fromEntries(recent);
}

/** Removes what belongs to the day before: pre-open snapshots, the count of announcements, news that is too old. */
export function startDay(listings: Listings, today: MarketDay): void {
  listings.dropRestored();
  for (const listing of listings.all()) {
    const { stock } = listing;
    if (!stock) continue;
    const news = stock.news && recentNews(stock.news, today.previous);
    if (!stock.preOpen && news === stock.news && stock.sensitiveAnnouncements === null) continue;
    const { preOpen: _preOpen, news: _news, ...rest } = stock;
    const next = { ...rest, sensitiveAnnouncements: null };
    listings.put(listing, news ? { ...next, news } : next);
  }
}

/** Gives the phase's status to the stocks whose source states none. */
export function startPhase(listings: Listings, today: MarketDay): void {
  const status = statusFor(today.phase);
  for (const listing of listings.all()) {
    if (!listing.stock || listing.hasOwnStatus) continue;
    const next = nextStock(listing, { code: listing.code, status }, today);
    if (next) listings.put(listing, next);
  }
}
