import type { AuctionPoint } from '#market/auctions/rules/auction.ts';
import type { PriceLevel } from '#market/rules/auction.ts';
import type { DailyBar, MinuteBar } from '#market/rules/bar.ts';
import type { StockUpdate } from '#market/rules/stock.ts';
import type { PlannedAnnouncements } from '#sources/announcements/simulator/index.ts';
import { openingUntil } from './auctions.ts';
import {
  eachMinuteOf,
  dayAt,
  type ExchangeBase,
  type ExchangeDay,
  planMore,
  tickPlanned,
} from './exchangeDay.ts';
import { newBuffers } from './dayPlan.ts';
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
export class Exchange {
  readonly listings: readonly Listing[];
  private readonly base: ExchangeBase;
  private readonly pastSchedule = createSchedules();
  /** Filled again for every past day that is asked for. */
  private readonly pastBuffers = newBuffers(1);
  private readonly indexOf: ReadonlyMap<string, number>;
  private running: ExchangeDay | null = null;

  /**
   * @param listings what is listed there; each has the same days with others and without; the whole market when absent
   */
  constructor({ seed, listings = createListings() }: { seed: number; listings?: readonly Listing[] }) {
    this.listings = listings;
    this.indexOf = new Map(listings.map(({ code }, index) => [code, index]));
    this.base = { past: createPast(createWorld(seed)), listings, buffers: newBuffers(listings.length) };
  }

  /** Whether every listing's day is planned for the date of this moment, epoch ms. */
  ready(now: number): boolean {
    return this.dayOf(now).stocks.length === this.listings.length;
  }

  /** Plans up to `count` more listings of that date. @returns a complete update for each of them */
  load(now: number, count: number): StockUpdate[] {
    return planMore(this.base, this.dayOf(now), now, count);
  }

  /**
   * Brings the exchange to a moment, epoch ms. A moment before the last one, or on another date, begins that day again.
   * @returns what changed since the last call; complete updates for listings that were not loaded yet
   */
  advanceTo(now: number): StockUpdate[] {
    const day = this.dayOf(now);
    const changed = tickPlanned(this.base, day, now);
    const added = planMore(this.base, day, now, this.listings.length);
    return added.length === 0 ? changed : [...changed, ...added];
  }

  /** What the listings that are planned announce on the running day and the one before; null while no day is running. */
  announcements(): PlannedAnnouncements | null {
    const { running } = this;
    return running && { date: running.schedule.date, stocks: running.stocks };
  }

  /** Drops the running day, so that the next load or advance gives complete updates for every listing again. */
  restart(): void {
    this.running = null;
  }

  /**
   * Calls `visit` with the last days, oldest first, `until` included; the bar changes after the call. RangeError for an
   * unknown code.
   */
  eachDay(code: string, until: string, count: number, visit: (bar: DailyBar) => void): void {
    const listing = this.listingOf(code);
    const bar: DailyBar = { date: '', open: 0, high: 0, low: 0, close: 0, volume: 0 };
    eachOutlineUntil(this.base.past, listing, until, count, (outline) =>
      visit(putBar(bar, listing, outline)),
    );
  }

  /** The same with each minute of a whole trading day, whatever the market's time is now; RangeError also for a holiday. */
  eachMinute(code: string, date: string, visit: (bar: MinuteBar) => void): void {
    const schedule = this.pastSchedule(date);
    const path = planPath(this.base.past, this.listingOf(code), schedule);
    eachMinuteOf(path, schedule, this.pastBuffers, visit);
  }

  /** How the running day's opening auction formed until now, oldest first; empty for a code that is not loaded. */
  opening(code: string): AuctionPoint[] {
    const stock = this.stockOf(code);
    return this.running && stock ? openingUntil(stock.plan, this.running.schedule, this.running.second) : [];
  }

  /** The auction's order book, best first; null for a code that is not loaded. */
  orderBook(code: string): { bids: PriceLevel[]; asks: PriceLevel[] } | null {
    return this.stockOf(code)?.live.book.levels() ?? null;
  }

  private dayOf(now: number): ExchangeDay {
    this.running = dayAt(this.running, now);
    return this.running;
  }

  private stockOf(code: string) {
    return this.running?.stocks[this.indexOf.get(code) ?? -1];
  }

  private listingOf(code: string): Listing {
    const listing = this.listings[this.indexOf.get(code) ?? -1];
    if (!listing) throw new RangeError(`${code} is not listed on the simulated market.`);
    return listing;
  }
}
