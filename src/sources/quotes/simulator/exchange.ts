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

const fillSession = (buffers: PlanBuffers, offset: number, day: DayPath, schedule: Schedule): void =>
  fillPlan(buffers, offset, day.listing, day.record, schedule, haltedSlots(schedule, day.halt), day.pathSeed);

/** Joins the trades of a minute into one bar, a reused object. */
function createMinute(visit: (bar: MinuteBar) => void) {
  const bar: MinuteBar = { time: Number.NaN, open: 0, high: 0, low: 0, close: 0, volume: 0 };
  const finish = (): void => {
    if (!Number.isNaN(bar.time)) visit(bar);
  };
  return {
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
 * Visits the minute bars of a day, auctions included; minutes without trades are skipped.
 * @param buffers for one listing
 * @param visit the bar changes after the call
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
      bar.add(time, aud(from), 0);
      bar.add(time, aud(to), volume);
    }
    from = to;
  }
  if (record.closeVolume > 0)
    bar.add(minute(schedule.closing), aud(record.closeStep), record.closeVolume + record.postVolume);
  bar.finish();
}

type ExchangeBase = {
  readonly past: Past;
  readonly listings: readonly Listing[];
  /** One plan per listing, each `MAX_SLOTS` long, filled again every day. */
  readonly buffers: PlanBuffers;
};

type ExchangeDay = {
  readonly schedule: Schedule;
  /** End of continuous trading on the previous trading day, in seconds. */
  readonly previousEnd: number;
  readonly stocks: { plan: StockDay; live: Live }[];
  second: number;
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
 * The trading day of a moment, epoch ms.
 * @param running continues unless the moment is before it or in another session
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

function planMore(base: ExchangeBase, day: ExchangeDay, now: number, count: number): StockUpdate[] {
  const planned = day.stocks.length;
  return base.listings.slice(planned, planned + count).map((listing) => planListing(base, day, listing, now));
}

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
 * A small exchange. Seed and date determine everything: each close is a walk between yearly anchors
 * (history); range, volume and auctions are drawn per day (record). Each minute has a fixed price and volume
 * (day plan), and orders, announcements and halts are listed. So the same seed and date give the same prices
 * at the same minute, whatever the steps.
 */
export class Exchange {
  readonly listings: readonly Listing[];
  private readonly base: ExchangeBase;
  private readonly pastSchedule = createSchedules();
  private readonly pastBuffers = newBuffers(1);
  private readonly indexOf: ReadonlyMap<string, number>;
  private running: ExchangeDay | null = null;

  /** @param listings all if absent; a listing's days do not depend on the others */
  constructor({ seed, listings = createListings() }: { seed: number; listings?: readonly Listing[] }) {
    this.listings = listings;
    this.indexOf = new Map(listings.map(({ code }, index) => [code, index]));
    this.base = { past: createPast(createWorld(seed)), listings, buffers: newBuffers(listings.length) };
  }

  ready(now: number): boolean {
    return this.dayOf(now).stocks.length === this.listings.length;
  }

  load(now: number, count: number): StockUpdate[] {
    return planMore(this.base, this.dayOf(now), now, count);
  }

  /**
   * Moves to a moment, epoch ms. An earlier moment or another date starts that day again.
   * @returns changes since the last call; complete updates of listings not loaded yet
   */
  advanceTo(now: number): StockUpdate[] {
    const day = this.dayOf(now);
    const changed = tickPlanned(this.base, day, now);
    const added = planMore(this.base, day, now, this.listings.length);
    return added.length === 0 ? changed : [...changed, ...added];
  }

  announcements(): PlannedAnnouncements | null {
    const { running } = this;
    return running && { date: running.schedule.date, stocks: running.stocks };
  }

  /** Drops the running day, so that every listing is sent completely again. */
  restart(): void {
    this.running = null;
  }

  /**
   * Visits the last days, oldest first, `until` included; the bar changes after the call. @throws RangeError
   * for an unknown code
   */
  eachDay(code: string, until: string, count: number, visit: (bar: DailyBar) => void): void {
    const listing = this.listingOf(code);
    const bar: DailyBar = { date: '', open: 0, high: 0, low: 0, close: 0, volume: 0 };
    eachOutlineUntil(this.base.past, listing, until, count, (outline) =>
      visit(putBar(bar, listing, outline)),
    );
  }

  /** Visits the minutes of a whole trading day, even a future one. @throws RangeError also for a holiday */
  eachMinute(code: string, date: string, visit: (bar: MinuteBar) => void): void {
    const schedule = this.pastSchedule(date);
    const path = planPath(this.base.past, this.listingOf(code), schedule);
    eachMinuteOf(path, schedule, this.pastBuffers, visit);
  }

  /** The opening auction until now, oldest first; empty for a code that is not loaded. */
  opening(code: string): AuctionPoint[] {
    const stock = this.stockOf(code);
    return this.running && stock ? openingUntil(stock.plan, this.running.schedule, this.running.second) : [];
  }

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
