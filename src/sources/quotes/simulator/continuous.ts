import type { PlanBuffers } from './dayPlan.ts';
import { tradesIn } from './dayPlan.ts';
import { aud, type Live, mils, print } from './live.ts';
import { type Schedule, slotAt, slotStart } from './phases.ts';
import { unit } from './random.ts';
import type { StockDay } from './stockDay.ts';

/** Where a listing's plan stands. */
export type TradingPlan = { buffers: PlanBuffers; offset: number };

const previousStep = (day: StockDay, plan: TradingPlan, slot: number): number =>
  slot === 0 ? day.record.openStep : (plan.buffers.steps[plan.offset + slot - 1] ?? day.record.openStep);

/** Takes a whole slot in. Its trades are counted at the mean of the prices it begins and ends with. */
function finishSlot(live: Live, day: StockDay, plan: TradingPlan): boolean {
  const { slot } = live;
  const volume = plan.buffers.volumes[plan.offset + slot] ?? 0;
  live.slot += 1;
  live.trade = 0;
  if (volume <= 0) return false;
  const price = aud(plan.buffers.steps[plan.offset + slot] ?? day.record.openStep);
  live.baseVolume += volume;
  live.baseValue += (volume * (mils(aud(previousStep(day, plan, slot))) + mils(price))) / 2;
  print(live, price);
  live.volume = live.baseVolume;
  live.value = live.baseValue;
  return true;
}

/** The price of one of a slot's trades: on its way from the slot's first price to its last, with some to and fro. */
function tradePrice(from: number, to: number, done: number, noise: number): number {
  const way = Math.min(1, Math.max(0, done + (noise - 0.5) * 0.6));
  return aud(from + Math.round((to - from) * way));
}

/** Takes the trades of the running slot in that have happened until `second`. */
function enterSlot(
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
  const done = whole + (passed - whole >= unit(day.pathSeed, 10_000 + slot * 512 + whole) ? 1 : 0);
  if (done <= live.trade) return false;
  live.trade = done;
  const from = previousStep(day, plan, slot);
  const to = plan.buffers.steps[plan.offset + slot] ?? from;
  const part = done / trades;
  const traded = done >= trades ? volume : Math.floor(volume * part);
  print(
    live,
    done >= trades ? aud(to) : tradePrice(from, to, part, unit(day.pathSeed, 300_000 + slot * 512 + done)),
  );
  live.volume = live.baseVolume + traded;
  // The running minute counts at its mean price so far, but not at one that nobody has seen yet.
  const mean = aud(from) + (aud(to) - aud(from)) * (part / 2);
  live.value = live.baseValue + traded * 1000 * Math.min(live.high ?? mean, Math.max(live.low ?? mean, mean));
  return true;
}

/**
 * Brings a listing's continuous trading to a moment. A pure function of the plan and the moment but for the range
 * inside the running minute: whoever comes at a full minute, by whatever steps, finds the same figures.
 * @param second of the day; at or after the end of trading everything is taken in
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
  if (target < schedule.slots && enterSlot(live, day, plan, schedule, second)) traded = true;
  return traded;
}
