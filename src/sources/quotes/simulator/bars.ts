import type { MinuteBar } from '../../../market/rules/bar.ts';
import { aud } from './live.ts';
import { fillPlan, type PlanBuffers } from './dayPlan.ts';
import { type Schedule, slotStart } from './phases.ts';
import type { DayPath } from './stockDay.ts';
import { haltedSlots } from './waypoints.ts';

/** Writes one listing's continuous trading into its part of the buffers. */
export const fillSession = (buffers: PlanBuffers, offset: number, day: DayPath, schedule: Schedule): void =>
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
export function eachMinuteOf(
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
