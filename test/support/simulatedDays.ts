import { keptAnnouncement, type StockNews, stockNewsOf } from '#subjects/announcements/rules/stockNews.ts';
import type { StockUpdate } from '#market/rules/stock.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { previousTradingDay } from '#market/rules/tradingDay.ts';
import type { Exchange } from '#sources/quotes/simulator/exchange.ts';
import { createListings } from '#sources/quotes/simulator/listings.ts';

/** A Sydney time of day as epoch ms. */
export function at(date: string, time: string): number {
  const [hour = 0, minute = 0, second = 0] = time.split(':').map(Number);
  return fromSydney(date, hour, minute, second);
}

/** Every tenth listing: enough of each kind and size to compare, in a tenth of the time. */
export const SOME_LISTINGS = createListings().filter((_, index) => index % 10 === 0);

export type Seen = Map<string, StockUpdate>;

const DAY_MS = 86_400_000;

/** The exchange’s announcements up to a moment, by code, as in the records of the stocks. */
function newsAt(exchange: Exchange, now: number): Map<string, StockNews> {
  const planned = exchange.announcements();
  const today = planned?.date ?? '';
  const days = { today, previous: previousTradingDay(today) };
  return new Map(
    (planned?.stocks ?? []).map(({ plan }) => {
      const out = plan.releases.filter(({ time }) => time <= now);
      const kept = out.flatMap((release) => keptAnnouncement(release, now + DAY_MS) ?? []);
      return [plan.listing.code, stockNewsOf(kept, days, new Map())];
    }),
  );
}

/** Advances the exchange to a moment and merges its updates into what was seen. */
export function advance(exchange: Exchange, seen: Seen, now: number): StockUpdate[] {
  const updates = exchange.advanceTo(now);
  for (const update of updates) seen.set(update.code, { ...seen.get(update.code), ...update });
  return updates;
}

/** Merges the announcements up to a moment into `seen`. It takes longer than a step of the exchange. */
export function announce(exchange: Exchange, seen: Seen, now: number): void {
  for (const [code, { news, sensitiveAnnouncements }] of newsAt(exchange, now)) {
    const before = seen.get(code);
    if (!before) continue;
    const isNewsless = Object.keys(news).length === 0;
    seen.set(code, { ...before, ...(isNewsless ? {} : { news }), sensitiveAnnouncements });
  }
}

/** The figures of every listing at a moment that must not depend on the earlier steps. */
export const figures = (seen: Seen): Record<string, unknown> =>
  Object.fromEntries(
    [...seen].map(([code, { status, open, high, low, last, volume, value, match_price, match_vol }]) => [
      code,
      { status, open, high, low, last, volume, value, match_price, match_vol },
    ]),
  );
