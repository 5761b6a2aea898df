import { DAY_MS } from '#lib/units.ts';
import type { HtfPeriod } from '#market/indicators/rules/indicatorKey.ts';
import type { Timeframe } from '#market/indicators/rules/types.ts';
import { dayOfKey, keyOf, minuteOfKey } from '#market/rules/localTime.ts';

export type FrameKey = Timeframe | `htf:${HtfPeriod}`;

export function minutesOf(frame: FrameKey): number | null {
  const minutes = Number(frame);
  return Number.isInteger(minutes) ? minutes : null;
}

/** 10:00, in minutes after midnight; earlier trades of the opening auction belong to the first bar. */
export const OPEN_MINUTE = 600;

/**
 * The first minute of an intraday bar. Bars are counted from 10:00 of each trading day.
 * @param minutes length of a bar
 * @param key minute key
 */
export function minuteBucket(minutes: number, key: number): number {
  const since = Math.max(0, minuteOfKey(key) - OPEN_MINUTE);
  return keyOf(dayOfKey(key), OPEN_MINUTE + Math.floor(since / minutes) * minutes);
}

const utc = (day: number): Date => new Date(day * DAY_MS);
const firstOfMonth = (year: number, month: number): number => Date.UTC(year, month, 1) / DAY_MS;

const MONTHS: Readonly<Record<HtfPeriod, number>> = { '1M': 1, '2M': 2, '3M': 3, '6M': 6, '12M': 12 };
const isPeriod = (text: string): text is HtfPeriod => Object.hasOwn(MONTHS, text);

export function monthsOf(frame: FrameKey): number | null {
  if (frame === 'M') return 1;
  const period = frame.replace('htf:', '');
  return frame !== period && isPeriod(period) ? MONTHS[period] : null;
}

/** The first day of a bar: the day, its Monday, or the first day of its months or year. */
export function dayBucket(frame: FrameKey, day: number): number {
  const months = monthsOf(frame);
  if (months !== null) {
    const date = utc(day);
    return firstOfMonth(date.getUTCFullYear(), Math.floor(date.getUTCMonth() / months) * months);
  }
  return frame === 'W' ? day - ((day + 3) % 7) : day;
}
