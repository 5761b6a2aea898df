import { HOUR_MS, DAY_MS } from '#lib/units.ts';
import { readTime } from '#lib/read.ts';
import { createZoneOffset } from '#lib/clock.ts';
import { addDays } from '#lib/sydneyTime.ts';
import { type CalendarEvent, hasFigure, IMPACTS } from './calendarEvent.ts';

export const CALENDAR_DAYS = ['yesterday', 'today', 'tomorrow'] as const;
export type CalendarDay = (typeof CALENDAR_DAYS)[number];

type Timed = Pick<CalendarEvent, 'dateUtc' | 'isAllDay'>;

/** Yesterday begins at most one day of 24 hours and one of 25 ago; tomorrow ends as far ahead. */
export const WINDOW_MS = 49 * HOUR_MS;

/** Epoch ms; for an all-day event the UTC midnight of its date. Null if unreadable. */
export const timeOf = ({ dateUtc }: Pick<CalendarEvent, 'dateUtc'>): number | null => readTime(dateUtc);

export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en-AU', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/**
 * Creates a converter of times to dates. Create it once for many events.
 * @param zone an IANA name
 * @returns converts epoch ms to YYYY-MM-DD
 * @throws RangeError for an unknown zone
 */
export function datesIn(zone: string): (time: number) => string {
  const offset = createZoneOffset(zone);
  return (time) => new Date(time + offset(time)).toISOString().slice(0, 10);
}

/**
 * Sorts events into the three days around now by the zone's calendar date. An all-day event belongs to its
 * UTC date.
 * @param zone an IANA name
 * @param now by the calendar's clock, epoch ms
 * @returns null for other days and unreadable times
 * @throws RangeError for an unknown zone
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
  // Cached by event, because an update changes one of hundreds.
  const known = new WeakMap<Timed, CalendarDay | null>();
  return (event) => {
    const found = known.get(event);
    const day = found === undefined ? dayAt(event) : found;
    known.set(event, day);
    return day;
  };
}

export const dayOf = (event: Timed, zone: string, now: number): CalendarDay | null =>
  dayReader(zone, now)(event);

/**
 * Whether an event is yesterday's, today's or tomorrow's in any time zone. An all-day event lasts for its
 * whole UTC date, because somewhere that date is still yesterday.
 */
export function isInWindow(event: Timed, now: number): boolean {
  const time = timeOf(event);
  if (time === null) return false;
  const end = event.isAllDay ? time + DAY_MS : time;
  return end >= now - WINDOW_MS && time <= now + WINDOW_MS;
}

/**
 * Whether an event's time, or an all-day event's date in the zone, has passed.
 * @param today the date in the zone, YYYY-MM-DD (`datesIn(zone)(now)`)
 */
export function isPast(event: Timed, today: string, now: number): boolean {
  const time = timeOf(event);
  if (time === null) return false;
  return event.isAllDay ? new Date(time).toISOString().slice(0, 10) < today : time <= now;
}

/** How long a missing figure is awaited, ms. */
const AWAITED_MS = DAY_MS;

/** Whether an event has begun whose figure is missing. */
export function isAwaited(
  event: Timed & Pick<CalendarEvent, 'actual' | 'isSpeech' | 'isReport'>,
  now: number,
): boolean {
  const time = timeOf(event);
  if (!hasFigure(event) || event.actual !== null || time === null) return false;
  return time <= now && now < time + AWAITED_MS;
}

/** How long an event is under way, ms: a speech, or the wait for a figure. */
export const UNDER_WAY_MS = HOUR_MS;

/** Whether an event of HIGH impact has begun without a figure; for an hour at most, because a speech has none. */
export function isUnderWay(
  event: Timed & Pick<CalendarEvent, 'volatility' | 'actual'>,
  now: number,
): boolean {
  const time = timeOf(event);
  if (event.volatility !== 'HIGH' || event.isAllDay || event.actual !== null || time === null) return false;
  return time <= now && now < time + UNDER_WAY_MS;
}

type Listed = Timed & Pick<CalendarEvent, 'id' | 'name' | 'currencyCode' | 'volatility'>;

/** All-day events first, then by time, higher impact, currency and name. */
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

export function eventsOn<Event extends Listed>(
  day: CalendarDay,
  events: Iterable<Event>,
  zone: string,
  now: number,
): Event[] {
  const read = dayReader(zone, now);
  return [...events].filter((event) => read(event) === day).sort(compareEvents);
}
