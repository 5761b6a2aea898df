import { isTradingDay, previousTradingDay } from '../../../domain/market/tradingDay.ts';
import type { PriceLevel } from '../../../domain/market/auction.ts';
import type { StockUpdate } from '../../../domain/market/stock.ts';
import { sydneyDate } from '../../../domain/market/sydneyTime.ts';
import type { DailyBar, MinuteBar } from '../../../domain/market/bar.ts';
import { fillSession, minuteBarsOf, newBuffers } from './bars.ts';
import { MAX_SLOTS } from './dayPlan.ts';
import { outlinesUntil } from './history.ts';
import { createListings, type Listing } from './listings.ts';
import { type Live, newLive } from './live.ts';
import { phaseOf, type Schedule, scheduleOf } from './phases.ts';
import { barOf, recordOf } from './record.ts';
import { planStock, type StockDay } from './stockDay.ts';
import { tickStock, wholeStock } from './stockTick.ts';
import { createWorld } from './world.ts';

/**
 * A small exchange. Everything that will happen on a date follows from the seed and the date: each listing's close
 * is a walk between yearly anchors (history), its range, volume and auctions are drawn from the day (record), a
 * price and a volume are fixed for every minute (day plan), the orders of both auctions are listed (auction flow),
 * and so are announcements and halts. A moment is then read off that plan. So the same seed and date give the same
 * prices at the same minute, whatever moment the market was first looked at and in whatever steps it came there.
 */
export type Exchange = {
  readonly listings: readonly Listing[];
  /** Whether every listing's day is planned for the date of this moment. */
  ready(now: number): boolean;
  /** Plans up to `count` more listings of that date and gives each of them whole. */
  load(now: number, count: number): StockUpdate[];
  /**
   * Brings the exchange to a moment, epoch ms, and gives what changed since the last call. Listings that were not
   * loaded yet are, and come whole. A moment before the last one, or on another date, begins that day anew.
   */
  advanceTo(now: number): StockUpdate[];
  /** Forgets the running day: the next load or advance gives every listing whole again. */
  restart(): void;
  /** Finished days, oldest first, `until` included; RangeError for an unknown code. */
  dailyHistory(code: string, until: string, count: number): DailyBar[];
  /** A whole trading day in minutes, whatever the market's time is now; RangeError for an unknown code or a holiday. */
  minuteBars(code: string, date: string): MinuteBar[];
  /** The auction's order book, best first; null for a code that is not loaded. */
  orderBook(code: string): { bids: PriceLevel[]; asks: PriceLevel[] } | null;
};

type Day = {
  schedule: Schedule;
  previousEnd: number;
  stocks: { plan: StockDay; live: Live }[];
  second: number;
};

export function createExchange(options: { seed: number }): Exchange {
  const world = createWorld(options.seed);
  const listings = createListings();
  const indexOf = new Map(listings.map((listing, index) => [listing.code, index]));
  const buffers = newBuffers(listings.length);
  let day: Day | null = null;

  const startDay = (date: string): Day => ({
    schedule: scheduleOf(date),
    previousEnd: scheduleOf(previousTradingDay(date)).end,
    stocks: [],
    second: 0,
  });

  /** The day that a moment belongs to: on a day without trading, the one before it. */
  const dayAt = (now: number): Day => {
    const since = day ? (now - day.schedule.midnight) / 1000 : -1;
    if (day && since >= day.second && since < 86_400) {
      day.second = since;
      return day;
    }
    const date = sydneyDate(now);
    const trading = isTradingDay(date) ? date : previousTradingDay(date);
    const same = day?.schedule.date === trading && (trading !== date || since >= day.second);
    const current = same && day ? day : startDay(trading);
    current.second = (now - current.schedule.midnight) / 1000;
    day = current;
    return current;
  };

  const loadOne = (current: Day, now: number): StockUpdate | null => {
    const index = current.stocks.length;
    const listing = listings[index];
    if (!listing) return null;
    const { schedule, second } = current;
    const plan = planStock(world, listing, schedule, current.previousEnd);
    const offset = index * MAX_SLOTS;
    fillSession(buffers, offset, plan, schedule);
    const live = newLive();
    current.stocks.push({ plan, live });
    tickStock(live, plan, { buffers, offset }, schedule, second, now, phaseOf(schedule, second));
    return wholeStock(live, plan, schedule, second, now);
  };

  const load = (now: number, count: number): StockUpdate[] => {
    const current = dayAt(now);
    const updates: StockUpdate[] = [];
    while (updates.length < count) {
      const update = loadOne(current, now);
      if (!update) break;
      updates.push(update);
    }
    return updates;
  };

  const known = (code: string): Listing => {
    const listing = listings[indexOf.get(code) ?? -1];
    if (!listing) throw new RangeError(`${code} is not listed on the simulated market.`);
    return listing;
  };

  return {
    listings,
    ready: (now) => dayAt(now).stocks.length === listings.length,
    load,
    advanceTo(now) {
      const current = dayAt(now);
      const { schedule, second, stocks } = current;
      const phase = phaseOf(schedule, second);
      const updates: StockUpdate[] = [];
      for (let index = 0; index < stocks.length; index += 1) {
        const stock = stocks[index];
        if (!stock) continue;
        const plan = { buffers, offset: index * MAX_SLOTS };
        const update = tickStock(stock.live, stock.plan, plan, schedule, second, now, phase);
        if (update) updates.push(update);
      }
      for (const update of load(now, listings.length)) updates.push(update);
      return updates;
    },
    restart() {
      day = null;
    },
    dailyHistory(code, until, count) {
      const listing = known(code);
      return outlinesUntil(world, listing, until, count)
        .slice(-count)
        .map((outline) => barOf(recordOf(listing, outline)));
    },
    minuteBars(code, date) {
      const schedule = scheduleOf(date);
      const end = scheduleOf(previousTradingDay(date)).end;
      return minuteBarsOf(planStock(world, known(code), schedule, end), schedule);
    },
    orderBook: (code) => day?.stocks[indexOf.get(code) ?? -1]?.live.book.levels() ?? null,
  };
}
