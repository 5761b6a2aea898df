import { MINUTE_MS, HOUR_MS, DAY_MS } from '#lib/units.ts';
import { lazy } from '#lib/lazy.ts';
import { createZoneOffset } from '#lib/clock.ts';

export const SYDNEY = 'Australia/Sydney';

export type SydneyParts = {
  date: string;
  weekday: number;
  hour: number;
  minute: number;
  second: number;
};

const STANDARD_MS = 10 * HOUR_MS;
/** `rulesOffset` holds from here on: before 2008 daylight saving changed on other Sundays. */
const RULED_SINCE = Date.UTC(2009, 0, 1);
const APRIL = 3;
const OCTOBER = 9;

const wholeSeconds = (now: number): number => Math.floor(now / 1000) * 1000;

/** 02:00 standard time of the first Sunday of a month, when daylight saving begins and ends; epoch ms. */
function firstSunday(year: number, month: number): number {
  const first = Date.UTC(year, month, 1);
  const daysLater = (7 - new Date(first).getUTCDay()) % 7;
  return first + daysLater * DAY_MS + 2 * HOUR_MS - STANDARD_MS;
}

/**
 * Sydney's offset: an hour more from the first Sunday of October to that of April. Written out, because the
 * first use of the runtime's time zones takes as long as a third of the server's code.
 */
function rulesOffset(now: number): number {
  const year = new Date(now + STANDARD_MS).getUTCFullYear();
  const isSummer = now < firstSunday(year, APRIL) || now >= firstSunday(year, OCTOBER);
  return isSummer ? STANDARD_MS + HOUR_MS : STANDARD_MS;
}

const knownOffset = lazy(() => createZoneOffset(SYDNEY));

export const sydneyOffset = (now: number): number =>
  now >= RULED_SINCE ? rulesOffset(now) : knownOffset()(now);

/** Sydney's wall-clock time to the second, as if it were UTC, for Date's UTC methods. Not an instant. */
const asIfUtc = (now: number): number => wholeSeconds(now) + sydneyOffset(now);

const isoDate = (utc: number): string => new Date(utc).toISOString().slice(0, 10);

export function sydneyParts(now: number): SydneyParts {
  const local = asIfUtc(now);
  const read = new Date(local);
  return {
    date: isoDate(local),
    weekday: read.getUTCDay(),
    hour: read.getUTCHours(),
    minute: read.getUTCMinutes(),
    second: read.getUTCSeconds(),
  };
}

export const sydneyDate = (now: number): string => isoDate(asIfUtc(now));

function dateToUtc(date: string): number {
  const utc = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(utc)) throw new RangeError(`"${date}" is not a date; write YYYY-MM-DD.`);
  return utc;
}

/**
 * The instant of a Sydney date and time. A skipped time gives the instant as many minutes after the change; a
 * repeated one gives the first.
 * @param date YYYY-MM-DD
 * @param hour 0–24
 * @param minute 0–59
 * @param second 0–59, fractions allowed
 * @returns epoch ms
 */
export function fromSydney(date: string, hour: number, minute: number, second = 0): number {
  const local = dateToUtc(date) + hour * HOUR_MS + minute * MINUTE_MS + second * 1000;
  const before = sydneyOffset(local - DAY_MS);
  const after = sydneyOffset(local + DAY_MS);
  const early = local - before;
  if (sydneyOffset(early) === before) return early;
  const late = local - after;
  return sydneyOffset(late) === after ? late : early;
}

/**
 * Computed without hours, so daylight saving has no effect.
 * @param date YYYY-MM-DD
 * @param days may be negative
 * @returns YYYY-MM-DD
 */
export const addDays = (date: string, days: number): string => isoDate(dateToUtc(date) + days * DAY_MS);

export const weekdayOf = (date: string): number => new Date(dateToUtc(date)).getUTCDay();
