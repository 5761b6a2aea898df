import type { AuctionPoint } from '../../../market/auctions/rules/auction.ts';
import type { PriceLevel } from '../../../market/rules/auction.ts';
import type { DailyBar, MinuteBar } from '../../../market/rules/bar.ts';
import type { StockUpdate } from '../../../market/rules/stock.ts';
import type { PlannedAnnouncements } from '../../announcements/simulator/index.ts';
import { openingUntil } from './auctions.ts';
import { eachMinuteOf } from './bars.ts';
import { newBuffers } from './dayPlan.ts';
import { dayAt, type ExchangeBase, type ExchangeDay, planMore, tickPlanned } from './exchangeDay.ts';
import { createPast, eachOutlineUntil } from './history.ts';
import { createListings, type Listing } from './listings.ts';
import { createSchedules } from './phases.ts';
import { putBar } from './record.ts';
import { planPath } from './stockDay.ts';
import { createWorld } from './world.ts';

/**
 * A small exchange. Everything that will happen on a date follows from the seed and the date: each listing's close
 * is a walk between yearly anchors (history), its range, volume and auctions are drawn from the day (record), a
 * price and a volume are fixed for every minute (day plan), the orders of both auctions are listed (auction flow),
 * and so are announcements and halts. The figures of a moment are then read from that plan. So the same seed and date
 * give the same prices at the same minute, whenever the market was started and in whatever steps it came there.
 */
export type Exchange = {
  readonly listings: readonly Listing[];
  /** Whether every listing's day is planned for the date of this moment, epoch ms. */
  ready(now: number): boolean;
  /** Plans up to `count` more listings of that date. @returns a complete update for each of them */
  load(now: number, count: number): StockUpdate[];
  /**
   * Brings the exchange to a moment, epoch ms. A moment before the last one, or on another date, begins that day anew.
   * @returns what changed since the last call; complete updates for listings that were not loaded yet
   */
  advanceTo(now: number): StockUpdate[];
  /** What the listings that are planned announce on the running day and the one before; null while no day is running. */
  announcements(): PlannedAnnouncements | null;
  /** Drops the running day, so that the next load or advance gives complete updates for every listing again. */
  restart(): void;
  /**
   * Calls `visit` with the last days, oldest first, `until` included; the bar changes after the call. RangeError for an
   * unknown code.
   */
  eachDay(code: string, until: string, count: number, visit: (bar: DailyBar) => void): void;
  /** The same with each minute of a whole trading day, whatever the market's time is now; RangeError also for a holiday. */
  eachMinute(code: string, date: string, visit: (bar: MinuteBar) => void): void;
  /** How the running day's opening auction formed until now, oldest first; empty for a code that is not loaded. */
  opening(code: string): AuctionPoint[];
  /** The auction's order book, best first; null for a code that is not loaded. */
  orderBook(code: string): { bids: PriceLevel[]; asks: PriceLevel[] } | null;
};

/**
 * @param options.listings what is listed there; each has the same days with others and without; the whole market when
 *   absent
 */
export function createExchange(options: { seed: number; listings?: readonly Listing[] }): Exchange {
  const past = createPast(createWorld(options.seed));
  const pastSchedule = createSchedules();
  const { listings = createListings() } = options;
  /** Filled anew for every past day that is asked for. */
  const pastBuffers = newBuffers(1);
  const indexOf = new Map(listings.map((listing, index) => [listing.code, index]));
  const base: ExchangeBase = { past, listings, buffers: newBuffers(listings.length) };
  let running: ExchangeDay | null = null;

  function advance(now: number): ExchangeDay {
    running = dayAt(running, now);
    return running;
  }

  function listingOf(code: string): Listing {
    const listing = listings[indexOf.get(code) ?? -1];
    if (!listing) throw new RangeError(`${code} is not listed on the simulated market.`);
    return listing;
  }

  return {
    listings,
    ready: (now) => advance(now).stocks.length === listings.length,
    load: (now, count) => planMore(base, advance(now), now, count),
    advanceTo(now) {
      const day = advance(now);
      const changed = tickPlanned(base, day, now);
      const added = planMore(base, day, now, listings.length);
      return added.length === 0 ? changed : [...changed, ...added];
    },
    announcements: () => running && { date: running.schedule.date, stocks: running.stocks },
    restart() {
      running = null;
    },
    eachDay(code, until, count, visit) {
      const listing = listingOf(code);
      const bar: DailyBar = { date: '', open: 0, high: 0, low: 0, close: 0, volume: 0 };
      eachOutlineUntil(past, listing, until, count, (outline) => visit(putBar(bar, listing, outline)));
    },
    eachMinute(code, date, visit) {
      const schedule = pastSchedule(date);
      eachMinuteOf(planPath(past, listingOf(code), schedule), schedule, pastBuffers, visit);
    },
    opening(code) {
      const stock = running?.stocks[indexOf.get(code) ?? -1];
      return running && stock ? openingUntil(stock.plan, running.schedule, running.second) : [];
    },
    orderBook: (code) => running?.stocks[indexOf.get(code) ?? -1]?.live.book.levels() ?? null,
  };
}
