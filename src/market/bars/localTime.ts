import { sydneyOffset } from '../../domain/market/sydneyTime.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MINUTES_A_DAY = 1440;
/** Daylight saving changes at a full hour. */
const SPAN_MS = 1_800_000;

/**
 * Times of bars. A day is the number of days since 1970-01-01 of a Sydney date; a minute key counts the minutes of
 * Sydney's wall clock since then. A trading day never holds a daylight-saving change, so that its keys are even.
 */
export const dayOf = (date: string): number => Math.round(Date.parse(`${date}T00:00:00Z`) / DAY_MS);

/** @returns YYYY-MM-DD */
export const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

export const dayOfKey = (key: number): number => Math.floor(key / MINUTES_A_DAY);
export const minuteOfKey = (key: number): number => key % MINUTES_A_DAY;
export const keyOf = (day: number, minute: number): number => day * MINUTES_A_DAY + minute;

/** Minute keys of instants; asks for Sydney's offset once per half hour only. @returns epoch ms → minute key */
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
