import type { MinuteBar } from '../../../domain/market/bar.ts';
import { aud } from './live.ts';
import { fillPlan, MAX_SLOTS, type PlanBuffers } from './dayPlan.ts';
import { type Schedule, slotStart } from './phases.ts';
import type { DayPath } from './stockDay.ts';
import { haltedSlots } from './waypoints.ts';

/** Room for the plans of so many listings. */
export const newBuffers = (listings: number): PlanBuffers => ({
  steps: new Int32Array(listings * MAX_SLOTS),
  volumes: new Uint32Array(listings * MAX_SLOTS),
});

/** Writes one listing's continuous trading into its part of the buffers. */
export const fillSession = (buffers: PlanBuffers, offset: number, day: DayPath, schedule: Schedule): void =>
  fillPlan(buffers, offset, day.listing, day.record, schedule, haltedSlots(schedule, day.halt), day.pathSeed);

/** Adds trades at one price: to the last bar when it is of the same minute, else to a new one. */
function addTrade(bars: MinuteBar[], time: number, price: number, volume: number): void {
  const bar = bars.at(-1);
  if (bar?.time !== time) {
    bars.push({ time, open: price, high: price, low: price, close: price, volume });
    return;
  }
  bar.high = Math.max(bar.high, price);
  bar.low = Math.min(bar.low, price);
  bar.close = price;
  bar.volume += volume;
}

/** The minute bars of a day, auctions included; a minute without a trade has none. */
export function minuteBarsOf(day: DayPath, schedule: Schedule): MinuteBar[] {
  const buffers = newBuffers(1);
  fillSession(buffers, 0, day, schedule);
  const { record } = day;
  const bars: MinuteBar[] = [];
  const minute = (second: number): number => schedule.midnight + Math.floor(second / 60) * 60_000;
  const opening = minute(schedule.open);
  if (record.openVolume > 0) addTrade(bars, opening, aud(record.openStep), record.openVolume);
  let from = record.openStep;
  for (let slot = 0; slot < schedule.slots; slot += 1) {
    const volume = buffers.volumes[slot] ?? 0;
    const to = buffers.steps[slot] ?? from;
    if (volume > 0) {
      const time = minute(slotStart(schedule, slot));
      // A minute opens at the last price of the one before.
      addTrade(bars, time, aud(from), 0);
      addTrade(bars, time, aud(to), volume);
    }
    from = to;
  }
  if (record.closeVolume > 0)
    addTrade(bars, minute(schedule.closing), aud(record.closeStep), record.closeVolume + record.postVolume);
  return bars;
}
