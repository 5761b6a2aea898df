export const SYDNEY = 'Australia/Sydney';

export type SydneyParts = {
  /** YYYY-MM-DD. */
  date: string;
  /** 0 is Sunday, 6 is Saturday. */
  weekday: number;
  hour: number;
  minute: number;
  second: number;
};

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

// hourCycle h23 because `hour12: false` prints midnight as 24 in Chromium.
const formatter = new Intl.DateTimeFormat('en-AU', {
  timeZone: SYDNEY,
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/**
 * Sydney's wall-clock time written as if it were UTC, so that its fields can be read with the UTC methods of Date. It is
 * no instant: only its fields and its difference to `now` mean something.
 */
function asIfUtc(now: number): number {
  const read: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const part of formatter.formatToParts(now)) read[part.type] = Number(part.value);
  return Date.UTC(
    read.year ?? 0,
    (read.month ?? 1) - 1,
    read.day ?? 1,
    read.hour ?? 0,
    read.minute ?? 0,
    read.second ?? 0,
  );
}

const isoDate = (utc: number): string => new Date(utc).toISOString().slice(0, 10);

/**
 * Sydney's offset from UTC at an instant.
 * @param now epoch ms
 * @returns ms to add to UTC: 10 or 11 hours
 */
export const sydneyOffset = (now: number): number => asIfUtc(now) - Math.floor(now / 1000) * 1000;

/**
 * Date, weekday and time of day in Sydney.
 * @param now epoch ms
 */
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

/**
 * Sydney's calendar date.
 * @param now epoch ms
 * @returns YYYY-MM-DD
 */
export const sydneyDate = (now: number): string => isoDate(asIfUtc(now));

/** Midnight UTC of a calendar date; throws a RangeError when it is not a date. */
function dateToUtc(date: string): number {
  const utc = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(utc)) throw new RangeError(`"${date}" is not a date; write YYYY-MM-DD.`);
  return utc;
}

/**
 * The instant of a date and time of day in Sydney. A time that daylight saving skips gives the instant as many minutes
 * after the change; one that occurs twice gives the first.
 * @param date YYYY-MM-DD; @param hour 0–24; @param minute 0–59; @param second 0–59, fractions allowed
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
 * The date so many calendar days later. Computed without hours, so that daylight saving has no effect on it.
 * @param date YYYY-MM-DD; @param days may be negative
 * @returns YYYY-MM-DD
 */
export const addDays = (date: string, days: number): string => isoDate(dateToUtc(date) + days * DAY_MS);

/** @param date YYYY-MM-DD; @returns 0 for Sunday to 6 for Saturday */
export const weekdayOf = (date: string): number => new Date(dateToUtc(date)).getUTCDay();
