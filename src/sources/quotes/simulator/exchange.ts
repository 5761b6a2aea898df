import { lazy } from '#lib/lazy.ts';
import type { History } from '#market/sources/quotes.ts';
import type { AuctionPoint } from '#market/auctions/rules/auction.ts';
import type { DailyBar, MinuteBar } from '#market/bars/rules/bars.ts';
import type { PriceLevel } from '#market/rules/auction.ts';
import { sessionAt, type SessionPhase, statusFor } from '#market/rules/sessionClock.ts';
import type { StockStatus, StockUpdate } from '#market/rules/stock.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';
import type { PlannedAnnouncements } from '#sources/announcements/simulator.ts';
import { ARRIVAL_POWER } from './auctionFlow.ts';
import {
  closeMarket,
  collectClose,
  collectOpen,
  nextOrderAt,
  nextPostTradeAt,
  openingUntil,
  openMarket,
  prepareClose,
  tradeAfterClose,
} from './auctions.ts';
import { fillPlan, haltedSlots, MAX_SLOTS, newBuffers, type PlanBuffers, tradesIn } from './dayPlan.ts';
import { createPast, eachOutlineUntil, type Past } from './history.ts';
import { createListings, type Listing } from './listings.ts';
import { aud, type Live, matchFields, mils, newLive, applyPrice, tradedFields } from './live.ts';
import {
  createSchedules,
  phaseOf,
  ROUNDING_S,
  type Schedule,
  scheduleOf,
  slotAt,
  slotStart,
} from './phases.ts';
import { unit } from './random.ts';
import { closeShareOf, openShareOf, putBar } from './record.ts';
import {
  type DayPath,
  type PlannedDate,
  plannedDate,
  planPath,
  planStock,
  type SessionPlan,
  type StockDay,
} from './stockDay.ts';
import { createWorld } from './world.ts';

/** The simulator's past. Days without a trade, four equal prices, are skipped. */
export function simulatedHistory(exchangeOf: () => Exchange): History {
  const codes = lazy(() => new Set(exchangeOf().listings.map((listing) => listing.code)));
  return {
    isDeep: true,
    eachDay(code, until, count, visit) {
      if (!codes().has(code)) return;
      exchangeOf().eachDay(code, until, count, (bar) => {
        if (bar.volume > 0) visit(bar);
      });
    },
    opening: (code) => (codes().has(code) ? exchangeOf().opening(code) : []),
    eachMinute(code, date, visit) {
      if (codes().has(code)) exchangeOf().eachMinute(code, date, visit);
    },
  };
}

type TradingPlan = { buffers: PlanBuffers; offset: number };

const previousStep = (day: StockDay, plan: TradingPlan, slot: number): number =>
  slot === 0 ? day.record.openStep : (plan.buffers.steps[plan.offset + slot - 1] ?? day.record.openStep);

/** Adds the running slot. Its trades count at the mean of its first and last price. */
function finishSlot(live: Live, day: StockDay, plan: TradingPlan): boolean {
  const { slot } = live;
  const volume = plan.buffers.volumes[plan.offset + slot] ?? 0;
  live.slot += 1;
  live.trade = 0;
  if (volume <= 0) return false;
  const price = aud(plan.buffers.steps[plan.offset + slot] ?? day.record.openStep);
  live.baseVolume += volume;
  live.baseValue += (volume * (mils(aud(previousStep(day, plan, slot))) + mils(price))) / 2;
  applyPrice(live, price);
  live.volume = live.baseVolume;
  live.value = live.baseValue;
  return true;
}

function tradePrice(from: number, to: number, done: number, noise: number): number {
  const progress = Math.min(1, Math.max(0, done + (noise - 0.5) * 0.6));
  return aud(from + Math.round((to - from) * progress));
}

/** Position of a trade within its equal share of the slot, from 0 to 1. */
const momentOf = (day: StockDay, slot: number, trade: number): number =>
  unit(day.pathSeed, 10_000 + slot * 512 + trade);

function tradeInSlot(
  live: Live,
  day: StockDay,
  plan: TradingPlan,
  schedule: Schedule,
  second: number,
): boolean {
  const { slot } = live;
  const volume = plan.buffers.volumes[plan.offset + slot] ?? 0;
  if (volume <= 0) return false;
  const begin = slotStart(schedule, slot);
  const trades = tradesIn(day.listing, schedule, slot, volume, day.pathSeed);
  const passed = ((second - begin) / (slotStart(schedule, slot + 1) - begin)) * trades;
  const whole = Math.floor(passed);
  // Each trade has its own moment within its equal share of the slot.
  const done = whole + (passed - whole >= momentOf(day, slot, whole) ? 1 : 0);
  if (done <= live.trade) return false;
  live.trade = done;
  const from = previousStep(day, plan, slot);
  const to = plan.buffers.steps[plan.offset + slot] ?? from;
  const part = done / trades;
  const traded = done >= trades ? volume : Math.floor(volume * part);
  applyPrice(
    live,
    done >= trades ? aud(to) : tradePrice(from, to, part, unit(day.pathSeed, 300_000 + slot * 512 + done)),
  );
  live.volume = live.baseVolume + traded;
  // The running minute counts at its mean price so far, within the traded prices.
  const mean = aud(from) + (aud(to) - aud(from)) * (part / 2);
  live.value = live.baseValue + traded * 1000 * Math.min(live.high ?? mean, Math.max(live.low ?? mean, mean));
  return true;
}

/**
 * When continuous trading continues, in seconds of the day: the next trade or slot. It may be slightly early.
 */
function nextTradeAt(live: Live, day: StockDay, plan: TradingPlan, schedule: Schedule): number {
  const { slot, trade } = live;
  const begin = slotStart(schedule, slot);
  const end = slotStart(schedule, slot + 1);
  const trades = tradesIn(
    day.listing,
    schedule,
    slot,
    plan.buffers.volumes[plan.offset + slot] ?? 0,
    day.pathSeed,
  );
  if (trade >= trades) return end;
  const share = (trade + momentOf(day, slot, trade)) / trades;
  return Math.min(end, begin + share * (end - begin) - ROUNDING_S);
}

/**
 * Moves a listing's continuous trading to a moment. At a full minute the figures do not depend on the steps,
 * except the range inside the running minute.
 * @param second of the day
 * @returns whether anything traded
 */
function tradeUntil(
  live: Live,
  day: StockDay,
  plan: TradingPlan,
  schedule: Schedule,
  second: number,
): boolean {
  const target = second >= schedule.end ? schedule.slots : slotAt(second);
  let traded = false;
  while (live.slot < target) if (finishSlot(live, day, plan)) traded = true;
  if (target < schedule.slots && tradeInSlot(live, day, plan, schedule, second)) traded = true;
  return traded;
}

/** Share of a usual opening auction's volume matched at a second of the pre-open. */
function usualMatched(schedule: Schedule, second: number): number {
  const passed = (second - schedule.preOpen) / (schedule.ospa - schedule.preOpen);
  const arrived = 1 - (1 - Math.min(1, Math.max(0, passed))) ** (1 / ARRIVAL_POWER);
  return Math.max(0.02, arrived ** 1.5);
}

/** Share of a usual day's volume traded by a second of the day. */
function usualTraded(listing: Listing, schedule: Schedule, second: number): number {
  if (second >= schedule.closing) return 1;
  const open = openShareOf(listing);
  const session = 1 - open - closeShareOf(listing);
  if (second >= schedule.end) return open + session;
  const slot = slotAt(second);
  const begin = slotStart(schedule, slot);
  const part = (second - begin) / (slotStart(schedule, slot + 1) - begin);
  const from = schedule.passed[slot] ?? 0;
  return open + session * (from + part * ((schedule.passed[slot + 1] ?? 1) - from));
}

/** Share of a usual day's volume that is traded at a second of the day, before the open matched. */
export const usualShare = (listing: Listing, schedule: Schedule, second: number): number =>
  second < schedule.open
    ? openShareOf(listing) * usualMatched(schedule, second)
    : usualTraded(listing, schedule, second);

/**
 * Today's volume over the usual volume by this time; before the open the same for matched volume. The usual
 * volume is the mean of the last 20 days. Null without any volume.
 * @param usual share of a usual day
 */
export function relativeVolume(
  live: Pick<Live, 'match' | 'volume'>,
  day: SessionPlan,
  isWaiting: boolean,
  usual: number,
): number | null {
  if (day.averageVolume <= 0) return null;
  const volume = isWaiting ? (live.match?.volume ?? 0) : live.volume;
  if (volume === 0) return null;
  return Math.round((volume / (day.averageVolume * usual)) * 100) / 100;
}

const relativeAt = (live: Live, day: SessionPlan, schedule: Schedule, second: number): number | null =>
  relativeVolume(live, day, second < schedule.open, usualShare(day.listing, schedule, second));

type Changes = { traded: boolean; match: boolean };

export function statusAt(day: SessionPlan, second: number, phase: SessionPhase): StockStatus {
  if (day.listing.suspended) return 'Suspended';
  const { halt } = day;
  return halt && second >= halt.from && second < halt.until ? 'Halted' : statusFor(phase);
}

function session(live: Live, day: StockDay, plan: TradingPlan, schedule: Schedule, second: number): Changes {
  const opens = !live.opened;
  const matched = live.match !== null;
  if (opens) openMarket(live, day, schedule);
  const traded = tradeUntil(live, day, plan, schedule, second);
  prepareClose(live, day, schedule);
  return { traded: traded || opens, match: matched };
}

function afterSession(
  live: Live,
  day: StockDay,
  plan: TradingPlan,
  schedule: Schedule,
  second: number,
): Changes {
  const changes: Changes = { traded: false, match: false };
  if (!live.opened || live.slot < schedule.slots) {
    const before = session(live, day, plan, schedule, schedule.end);
    changes.traded = before.traded;
    changes.match = before.match;
  }
  if (second < schedule.closing) {
    if (collectClose(live, day, schedule, second)) changes.match = true;
    return changes;
  }
  if (!live.closed) {
    changes.match = true;
    if (closeMarket(live, day, schedule)) changes.traded = true;
  }
  if (second >= schedule.postClose && tradeAfterClose(live, day, schedule, second)) changes.traded = true;
  return changes;
}

function advance(live: Live, day: StockDay, plan: TradingPlan, schedule: Schedule, second: number): Changes {
  if (second < schedule.open) return { traded: false, match: collectOpen(live, day, schedule, second) };
  if (second < schedule.end) return session(live, day, plan, schedule, second);
  return afterSession(live, day, plan, schedule, second);
}

/** The earliest later second at which a listing may change within the market's phase. */
function nextChangeAt(
  live: Live,
  day: StockDay,
  plan: TradingPlan,
  schedule: Schedule,
  second: number,
): number {
  const { halt } = day;
  const bounds = halt ? [halt.from, halt.until].filter((bound) => bound > second) : [];
  if (second < schedule.open) return Math.min(nextOrderAt(live), ...bounds);
  if (second < schedule.end) return Math.min(nextTradeAt(live, day, plan, schedule), ...bounds);
  if (second < schedule.closing) return Math.min(nextOrderAt(live), schedule.closing, ...bounds);
  return Math.min(nextPostTradeAt(live, day, schedule), ...bounds);
}

/**
 * Moves a listing to a moment of its day.
 * @param second of the day, never decreasing
 * @param now the same moment, epoch ms
 * @returns an update with the changes; null if nothing changed
 */
function tickStock(
  live: Live,
  day: StockDay,
  plan: TradingPlan,
  schedule: Schedule,
  second: number,
  now: number,
  phase: SessionPhase,
): StockUpdate | null {
  const changes = advance(live, day, plan, schedule, second);
  live.due = nextChangeAt(live, day, plan, schedule, second);
  const status = statusAt(day, second, phase);
  const moved = status !== live.status;
  if (!changes.traded && !changes.match && !moved) return null;
  live.status = status;
  const update: StockUpdate = { code: day.listing.code, quoteTime: now };
  if (moved) update.status = status;
  if (changes.match) Object.assign(update, matchFields(live.match));
  if (changes.traded) Object.assign(update, tradedFields(live));
  if (changes.traded || (changes.match && second < schedule.open))
    update.relativeVolume = relativeAt(live, day, schedule, second);
  return update;
}

function preOpenOf(live: Live, day: StockDay, schedule: Schedule): StockUpdate['preOpen'] | null {
  if (!live.opened || !live.opening || statusAt(day, schedule.open, 'open') !== 'Open') return null;
  const { match_price = null, match_vol = null, buy_surplus = null } = matchFields(live.opening);
  const capturedAt = new Date(schedule.midnight + schedule.open * 1000).toISOString();
  return { capturedAt, match_price, match_vol, buy_surplus };
}

function wholeStock(live: Live, day: StockDay, schedule: Schedule, second: number, now: number): StockUpdate {
  const { listing } = day;
  const update: StockUpdate = {
    code: listing.code,
    name: listing.name,
    sector: listing.sector,
    securityType: listing.securityType,
    status: live.status ?? 'Post Trading',
    close: day.close,
    marketCap: day.marketCap,
    trend: day.trend,
    relativeVolume: relativeAt(live, day, schedule, second),
    ...tradedFields(live),
    ...matchFields(live.match),
    quoteTime: now,
  };
  const preOpen = preOpenOf(live, day, schedule);
  if (preOpen) update.preOpen = preOpen;
  return update;
}

export const fillSession = (buffers: PlanBuffers, offset: number, day: DayPath, schedule: Schedule): void =>
  fillPlan(buffers, offset, day.listing, day.record, schedule, haltedSlots(schedule, day.halt), day.pathSeed);

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
  readonly buffers: PlanBuffers;
};

type ExchangeDay = {
  readonly schedule: Schedule;
  readonly planned: PlannedDate;
  readonly stocks: { plan: StockDay; live: Live }[];
  second: number;
  phase: SessionPhase | null;
};

const newDay = (schedule: Schedule): ExchangeDay => ({
  schedule,
  planned: plannedDate(schedule),
  stocks: [],
  second: 0,
  phase: null,
});

/** The trading day of a moment, epoch ms. @param running continues unless the moment is outside of it */
function dayAt(running: ExchangeDay | null, now: number): ExchangeDay {
  const since = running ? (now - running.schedule.midnight) / 1000 : -1;
  if (running && since >= running.second && since < 86_400) {
    running.second = since;
    return running;
  }
  const date = sydneyDate(now);
  const { date: trading } = sessionAt(now);
  const goesOn = running?.schedule.date === trading && (trading !== date || since >= running.second);
  const day = goesOn ? running : newDay(scheduleOf(trading));
  day.second = (now - day.schedule.midnight) / 1000;
  return day;
}

function planListing(base: ExchangeBase, day: ExchangeDay, listing: Listing, now: number): StockUpdate {
  const { schedule, second, planned } = day;
  const { buffers } = base;
  const offset = day.stocks.length * MAX_SLOTS;
  const plan = planStock(base.past, listing, planned);
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

  restart(): void {
    this.running = null;
  }

  /**
   * Visits the last days up to `until`, oldest first, reusing the bar. @throws RangeError for an unknown code
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
