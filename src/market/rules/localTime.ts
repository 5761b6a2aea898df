import { MINUTE_MS, DAY_MS } from '#lib/units.ts';
import { sydneyOffset } from '#lib/sydneyTime.ts';

const MINUTES_A_DAY = 1440;
const SPAN_MS = 1_800_000;

/**
 * Bars are keyed by Sydney time: a day number counts days since 1970-01-01, a minute key the minutes of
 * Sydney's wall clock. Daylight saving never changes on a trading day, so a day's minute keys have no gap.
 */

export const dayOf = (date: string): number => Math.round(Date.parse(`${date}T00:00:00Z`) / DAY_MS);

export const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

export const dayOfKey = (key: number): number => Math.floor(key / MINUTES_A_DAY);
export const minuteOfKey = (key: number): number => key % MINUTES_A_DAY;
export const keyOf = (day: number, minute: number): number => day * MINUTES_A_DAY + minute;

/** Converts epoch ms to minute keys. It computes Sydney's offset, which is slow, only once per half hour. */
export function createMinuteKeys(): (now: number) => number {
  let span = Number.NaN;
  let offset = 0;
  return (now) => {
    const current = Math.floor(now / SPAN_MS);
    if (current !== span) {
      span = current;
      offset = sydneyOffset(now);
    }
    return Math.floor((now + offset) / MINUTE_MS);
  };
}
