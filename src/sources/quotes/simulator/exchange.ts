import type { AuctionPoint } from '#market/auctions/rules/auction.ts';
import type { PriceLevel } from '#market/rules/auction.ts';
import type { DailyBar, MinuteBar } from '#market/bars/rules/bars.ts';
import type { StockUpdate } from '#market/rules/stock.ts';
import type { PlannedAnnouncements } from '#sources/announcements/simulator.ts';
import { openingUntil } from './auctions.ts';
import { fillPlan, haltedSlots, MAX_SLOTS, newBuffers, type PlanBuffers } from './dayPlan.ts';
import { createPast, eachOutlineUntil, type Past } from './history.ts';
import { createListings, type Listing } from './listings.ts';
import { createSchedules, phaseOf, type Schedule, scheduleOf, slotStart } from './phases.ts';
import { putBar } from './record.ts';
import { planPath, planStock, type StockDay, type DayPath } from './stockDay.ts';
import { createWorld } from './world.ts';
import { sessionAt, type SessionPhase } from '#market/rules/sessionClock.ts';
import { sydneyDate } from '#market/rules/sydneyTime.ts';
import { previousTradingDay } from '#market/rules/tradingDay.ts';
import { type Live, newLive, aud } from './live.ts';
import { tickStock, wholeStock } from './stockTick.ts';

/** Writes one listing's continuous trading into its part of the buffers. */
const fillSession = (buffers: PlanBuffers, offset: number, day: DayPath, schedule: Schedule): void =>
  fillPlan(buffers, offset, day.listing, day.record, schedule, haltedSlots(schedule, day.halt), day.pathSeed);

/** Joins the trades of a minute into one bar, an object that is used again for the next minute. */
function createMinute(visit: (bar: MinuteBar) => void) {
  const bar: MinuteBar = { time: Number.NaN, open: 0, high: 0, low: 0, close: 0, volume: 0 };
  const finish = (): void => {
    if (!Number.isNaN(bar.time)) visit(bar);
  };
  return {
    /** Adds trades at one price. */
    add(time: number, price: number, volume: number): void {
      if (bar.time === time) {
        bar.high = Math.max(bar.high, price);
        bar.low = Math.min(bar.low, price);
      } else {
        finish();
        bar.time = time;
        bar.open = price;
        bar.high = price;
        bar.low = price;
        bar.volume = 0;
      }
      bar.close = price;
      bar.volume += volume;
    },
    finish,
  };
}

/**
 * Calls `visit` with the minute bars of a day, auctions included; a minute without a trade has none.
 * @param buffers for one listing; @param visit the bar changes after the call
 */
function eachMinuteOf(
  day: DayPath,
  schedule: Schedule,
  buffers: PlanBuffers,
  visit: (bar: MinuteBar) => void,
): void {
  fillSession(buffers, 0, day, schedule);
  const { record } = day;
  const bar = createMinute(visit);
  const minute = (second: number): number => schedule.midnight + Math.floor(second / 60) * 60_000;
  if (record.openVolume > 0) bar.add(minute(schedule.open), aud(record.openStep), record.openVolume);
  let from = record.openStep;
  for (let slot = 0; slot < schedule.slots; slot += 1) {
    const volume = buffers.volumes[slot] ?? 0;
    const to = buffers.steps[slot] ?? from;
    if (volume > 0) {
      const time = minute(slotStart(schedule, slot));
      // A minute opens at the last price of the one before.
      bar.add(time, aud(from), 0);
      bar.add(time, aud(to), volume);
    }
    from = to;
  }
  if (record.closeVolume > 0)
    bar.add(minute(schedule.closing), aud(record.closeStep), record.closeVolume + record.postVolume);
  bar.finish();
}

/** What all days of a simulated exchange share. */
type ExchangeBase = {
  readonly past: Past;
  readonly listings: readonly Listing[];
  /** One plan per listing, each `MAX_SLOTS` long, filled again every day. */
  readonly buffers: PlanBuffers;
};

/** A running day of the exchange. */
type ExchangeDay = {
  readonly schedule: Schedule;
  /** Second at which continuous trading ended on the trading day before. */
  readonly previousEnd: number;
  /** The listings that are planned so far, in the order of `listings`. */
  readonly stocks: { plan: StockDay; live: Live }[];
  /** How far the day has come, in seconds after midnight. */
  second: number;
  /** The market's phase when the listings were last brought to a moment; null before. */
  phase: SessionPhase | null;
};

const newDay = (date: string): ExchangeDay => ({
  schedule: scheduleOf(date),
  previousEnd: scheduleOf(previousTradingDay(date)).end,
  stocks: [],
  second: 0,
  phase: null,
});

/**
 * The trading day whose session a moment, epoch ms, belongs to.
 * @param running the day so far; it goes on unless the moment lies before it or in another session
 */
function dayAt(running: ExchangeDay | null, now: number): ExchangeDay {
  const since = running ? (now - running.schedule.midnight) / 1000 : -1;
  if (running && since >= running.second && since < 86_400) {
    running.second = since;
    return running;
  }
  const date = sydneyDate(now);
  const { date: trading } = sessionAt(now);
  const goesOn = running?.schedule.date === trading && (trading !== date || since >= running.second);
  const day = goesOn ? running : newDay(trading);
  day.second = (now - day.schedule.midnight) / 1000;
  return day;
}

/** Plans one listing's day and brings it to the moment of the day. */
function planListing(base: ExchangeBase, day: ExchangeDay, listing: Listing, now: number): StockUpdate {
  const { schedule, second, previousEnd } = day;
  const { buffers } = base;
  const offset = day.stocks.length * MAX_SLOTS;
  const plan = planStock(base.past, listing, schedule, previousEnd);
  fillSession(buffers, offset, plan, schedule);
  const live = newLive();
  day.stocks.push({ plan, live });
  tickStock(live, plan, { buffers, offset }, schedule, second, now, phaseOf(schedule, second));
  return wholeStock(live, plan, schedule, second, now);
}

/** Plans up to `count` more listings. @returns a complete update for each of them */
function planMore(base: ExchangeBase, day: ExchangeDay, now: number, count: number): StockUpdate[] {
  const planned = day.stocks.length;
  return base.listings.slice(planned, planned + count).map((listing) => planListing(base, day, listing, now));
}

/** Brings all planned listings to the moment of the day. @returns an update for each that changed */
function tickPlanned({ buffers }: ExchangeBase, day: ExchangeDay, now: number): StockUpdate[] {
  const { schedule, second, stocks } = day;
  const phase = phaseOf(schedule, second);
  const isSamePhase = phase === day.phase;
  day.phase = phase;
  const updates: StockUpdate[] = [];
  for (let index = 0; index < stocks.length; index += 1) {
    const stock = stocks[index];
    if (!stock || (isSamePhase && second < stock.live.due)) continue;
    const plan = { buffers, offset: index * MAX_SLOTS };
    const update = tickStock(stock.live, stock.plan, plan, schedule, second, now, phase);
    if (update) updates.push(update);
  }
  return updates;
}

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
