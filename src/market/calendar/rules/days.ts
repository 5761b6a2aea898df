import { readTime } from '#lib/read.ts';
import { createZoneOffset } from '#lib/zoneOffset.ts';
import { addDays } from '#market/rules/sydneyTime.ts';
import { type CalendarEvent, IMPACTS } from './calendarEvent.ts';

/** The three days that the calendar shows, by the calendar date of some time zone. */
export const CALENDAR_DAYS = ['yesterday', 'today', 'tomorrow'] as const;
export type CalendarDay = (typeof CALENDAR_DAYS)[number];

type Timed = Pick<CalendarEvent, 'dateUtc' | 'isAllDay'>;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Yesterday begins at most a day of 24 hours and one of 25 ago; tomorrow ends as far ahead. */
export const WINDOW_MS = 49 * HOUR_MS;

/** When an event happens, epoch ms; of an all-day event the midnight UTC of its date. Null when it can't be read. */
export const timeOf = ({ dateUtc }: Pick<CalendarEvent, 'dateUtc'>): number | null => readTime(dateUtc);

/** @param zone an IANA name; case does not count */
export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en-AU', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/**
 * Reads calendar dates in a time zone; to be made once for many events.
 * @param zone an IANA name; throws a RangeError when it is none
 * @returns epoch ms to YYYY-MM-DD
 */
export function datesIn(zone: string): (time: number) => string {
  const offset = createZoneOffset(zone);
  return (time) => new Date(time + offset(time)).toISOString().slice(0, 10);
}

/**
 * Sorts events into the three days around now, by calendar date in a time zone, whatever daylight saving makes of their
 * length. An all-day event belongs to its date, which is the same everywhere: that of its UTC time.
 * @param zone an IANA name; throws a RangeError when it is none
 * @param now by the clock of the calendar, epoch ms
 * @returns the day of an event; null for any other day, and for a time that can't be read
 */
export function dayReader(zone: string, now: number): (event: Timed) => CalendarDay | null {
  const dateAt = datesIn(zone);
  const today = dateAt(now);
  const names = new Map<string, CalendarDay>([
    [addDays(today, -1), 'yesterday'],
    [today, 'today'],
    [addDays(today, 1), 'tomorrow'],
  ]);
  const dayAt = (event: Timed): CalendarDay | null => {
    const time = timeOf(event);
    if (time === null) return null;
    const date = event.isAllDay ? new Date(time).toISOString().slice(0, 10) : dateAt(time);
    return names.get(date) ?? null;
  };
  // When a figure arrives, one event of hundreds is another one.
  const known = new WeakMap<Timed, CalendarDay | null>();
  return (event) => {
    const found = known.get(event);
    const day = found === undefined ? dayAt(event) : found;
    known.set(event, day);
    return day;
  };
}

/** The day of one event; `dayReader` is cheaper for many. */
export const dayOf = (event: Timed, zone: string, now: number): CalendarDay | null =>
  dayReader(zone, now)(event);

/**
 * Whether some time zone of the world may show an event as yesterday's, today's or tomorrow's. An all-day event lasts
 * for the whole of its date in UTC, as somewhere that date is still yesterday when the midnight before it is long past.
 */
export function isInWindow(event: Timed, now: number): boolean {
  const time = timeOf(event);
  if (time === null) return false;
  const end = event.isAllDay ? time + DAY_MS : time;
  return end >= now - WINDOW_MS && time <= now + WINDOW_MS;
}

/**
 * Whether an event is over: its time has come, or its date has ended in the time zone.
 * @param today the date in the zone, YYYY-MM-DD (`datesIn(zone)(now)`)
 */
export function isPast(event: Timed, today: string, now: number): boolean {
  const time = timeOf(event);
  if (time === null) return false;
  return event.isAllDay ? new Date(time).toISOString().slice(0, 10) < today : time <= now;
}

/** A figure or the end of a speech that nobody states is awaited for this long. */
export const UNDER_WAY_MS = 3_600_000;

/** Whether an event of HIGH impact has begun and its figure is not there yet; for an hour at most, as a speech has none. */
export function isUnderWay(
  event: Timed & Pick<CalendarEvent, 'volatility' | 'actual'>,
  now: number,
): boolean {
  const time = timeOf(event);
  if (event.volatility !== 'HIGH' || event.isAllDay || event.actual !== null || time === null) return false;
  return time <= now && now < time + UNDER_WAY_MS;
}

type Listed = Timed & Pick<CalendarEvent, 'id' | 'name' | 'currencyCode' | 'volatility'>;

/**
 * The order in which the events of a day are listed: all-day ones first, then by time, the higher impact, currency and
 * name. One order whatever order they came in.
 */
export function compareEvents(a: Listed, b: Listed): number {
  if (a.isAllDay !== b.isAllDay) return a.isAllDay ? -1 : 1;
  return (
    (timeOf(a) ?? 0) - (timeOf(b) ?? 0) ||
    IMPACTS.indexOf(b.volatility) - IMPACTS.indexOf(a.volatility) ||
    compareTexts(a.currencyCode, b.currencyCode) ||
    compareTexts(a.name, b.name) ||
    compareTexts(a.id, b.id)
  );
}

const compareTexts = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/**
 * The events of one day in the order of `compareEvents`.
 * @param zone an IANA name; throws a RangeError when it is none
 */
export function eventsOn<Event extends Listed>(
  day: CalendarDay,
  events: Iterable<Event>,
  zone: string,
  now: number,
): Event[] {
  const read = dayReader(zone, now);
  return [...events].filter((event) => read(event) === day).sort(compareEvents);
}
