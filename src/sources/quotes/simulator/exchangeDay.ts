import type { StockUpdate } from '../../../market/rules/stock.ts';
import { sessionAt } from '../../../market/rules/session.ts';
import { sydneyDate } from '../../../market/rules/sydneyTime.ts';
import { previousTradingDay } from '../../../market/rules/tradingDay.ts';
import { fillSession } from './bars.ts';
import { MAX_SLOTS, type PlanBuffers } from './dayPlan.ts';
import type { Past } from './history.ts';
import type { Listing } from './listings.ts';
import { type Live, newLive } from './live.ts';
import { phaseOf, type Schedule, scheduleOf } from './phases.ts';
import { planStock, type StockDay } from './stockDay.ts';
import { tickStock, wholeStock } from './stockTick.ts';

/** What all days of a simulated exchange share. */
export type ExchangeBase = {
  readonly past: Past;
  readonly listings: readonly Listing[];
  /** One plan per listing, each `MAX_SLOTS` long, filled anew every day. */
  readonly buffers: PlanBuffers;
};

/** A running day of the exchange. */
export type ExchangeDay = {
  readonly schedule: Schedule;
  /** Second at which continuous trading ended on the trading day before. */
  readonly previousEnd: number;
  /** The listings that are planned so far, in the order of `listings`. */
  readonly stocks: { plan: StockDay; live: Live }[];
  /** How far the day has come, in seconds after midnight. */
  second: number;
};

const newDay = (date: string): ExchangeDay => ({
  schedule: scheduleOf(date),
  previousEnd: scheduleOf(previousTradingDay(date)).end,
  stocks: [],
  second: 0,
});

/**
 * The trading day whose session a moment, epoch ms, belongs to.
 * @param running the day so far; it goes on unless the moment lies before it or in another session
 */
export function dayAt(running: ExchangeDay | null, now: number): ExchangeDay {
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
export function planMore(base: ExchangeBase, day: ExchangeDay, now: number, count: number): StockUpdate[] {
  const planned = day.stocks.length;
  return base.listings.slice(planned, planned + count).map((listing) => planListing(base, day, listing, now));
}

/** Brings all planned listings to the moment of the day. @returns an update for each that changed */
export function tickPlanned({ buffers }: ExchangeBase, day: ExchangeDay, now: number): StockUpdate[] {
  const { schedule, second, stocks } = day;
  const phase = phaseOf(schedule, second);
  const updates: StockUpdate[] = [];
  for (let index = 0; index < stocks.length; index += 1) {
    const stock = stocks[index];
    if (!stock) continue;
    const plan = { buffers, offset: index * MAX_SLOTS };
    const update = tickStock(stock.live, stock.plan, plan, schedule, second, now, phase);
    if (update) updates.push(update);
  }
  return updates;
}
