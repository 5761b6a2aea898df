import { type PlanBuffers, tradesIn } from './dayPlan.ts';
import { aud, type Live, mils, takePrice } from './live.ts';
import { ROUNDING_S, type Schedule, slotAt, slotStart } from './phases.ts';
import { unit } from './random.ts';
import type { StockDay } from './stockDay.ts';

/** A listing's plan: its part of the buffers begins at `offset`. */
export type TradingPlan = { buffers: PlanBuffers; offset: number };

const previousStep = (day: StockDay, plan: TradingPlan, slot: number): number =>
  slot === 0 ? day.record.openStep : (plan.buffers.steps[plan.offset + slot - 1] ?? day.record.openStep);

/** Takes the running slot in as a whole. Its trades count at the mean of the prices with which it begins and ends. */
function finishSlot(live: Live, day: StockDay, plan: TradingPlan): boolean {
  const { slot } = live;
  const volume = plan.buffers.volumes[plan.offset + slot] ?? 0;
  live.slot += 1;
  live.trade = 0;
  if (volume <= 0) return false;
  const price = aud(plan.buffers.steps[plan.offset + slot] ?? day.record.openStep);
  live.baseVolume += volume;
  live.baseValue += (volume * (mils(aud(previousStep(day, plan, slot))) + mils(price))) / 2;
  takePrice(live, price);
  live.volume = live.baseVolume;
  live.value = live.baseValue;
  return true;
}

/** The price of one of a slot's trades: between the slot's first and last price as far as it has come, with some noise. */
function tradePrice(from: number, to: number, done: number, noise: number): number {
  const progress = Math.min(1, Math.max(0, done + (noise - 0.5) * 0.6));
  return aud(from + Math.round((to - from) * progress));
}

/** Where in its equal share of the slot a trade happens, from 0 to 1. */
const momentOf = (day: StockDay, slot: number, trade: number): number =>
  unit(day.pathSeed, 10_000 + slot * 512 + trade);

/** Takes the trades of the running slot in that have happened until `second`. */
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
  // Each trade has its own moment inside its equal share of the slot.
  const done = whole + (passed - whole >= momentOf(day, slot, whole) ? 1 : 0);
  if (done <= live.trade) return false;
  live.trade = done;
  const from = previousStep(day, plan, slot);
  const to = plan.buffers.steps[plan.offset + slot] ?? from;
  const part = done / trades;
  const traded = done >= trades ? volume : Math.floor(volume * part);
  takePrice(
    live,
    done >= trades ? aud(to) : tradePrice(from, to, part, unit(day.pathSeed, 300_000 + slot * 512 + done)),
  );
  live.volume = live.baseVolume + traded;
  // The running minute counts at its mean price so far, kept within the prices that were traded.
  const mean = aud(from) + (aud(to) - aud(from)) * (part / 2);
  live.value = live.baseValue + traded * 1000 * Math.min(live.high ?? mean, Math.max(live.low ?? mean, mean));
  return true;
}

/**
 * When continuous trading goes on, in seconds of the day: with the running slot's next trade, or with the slot after it.
 * It is that moment itself or shortly before it.
 */
export function nextTradeAt(live: Live, day: StockDay, plan: TradingPlan, schedule: Schedule): number {
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
 * Brings a listing's continuous trading to a moment. But for the range inside the running minute the figures depend on
 * plan and moment alone: at a full minute they are the same in whatever steps it was reached.
 * @param second of the day; from the end of trading on all slots are taken in
 * @returns whether anything traded
 */
export function tradeUntil(
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
