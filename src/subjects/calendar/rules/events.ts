import { type CalendarEvent, hasFigure } from '#market/calendar/rules/calendarEvent.ts';
import { timeOf } from '#market/calendar/rules/days.ts';
import { GUARD_MS, type FilterEvent } from '#subjects/alerts/rules/eventFilter.ts';

/**
 * The recurring series of an event: its source's id, otherwise country, name and kind of period. Providers use
 * different names, so a series belongs to one source.
 */
export function seriesKey({
  series,
  countryCode,
  name,
  periodType,
}: Pick<CalendarEvent, 'series' | 'countryCode' | 'name' | 'periodType'>): string {
  return series ?? [countryCode, name.trim().toLowerCase(), periodType ?? ''].join('|');
}

/** Whether an event has a published figure; only those are stored. */
export const isPublished = (event: CalendarEvent): event is CalendarEvent & { actual: number } =>
  event.actual !== null && hasFigure(event);

/** Known providers use at most 40 characters. */
const MAX_ID = 100;
const MAX_NAME = 200;
const MAX_WORD = 20;

/** Why an event cannot be stored and shown, for the log; null if it can. */
export function eventFault(event: CalendarEvent): string | null {
  const { id, name, countryCode, currencyCode, unit, periodType } = event;
  // Events are members of a JSON object, in which this name is special.
  if (id === '' || id.length > MAX_ID || id === '__proto__') return 'its id is invalid';
  if (timeOf(event) === null) return 'its time is invalid';
  if (name.trim() === '' || name.length > MAX_NAME) return 'its name is empty or too long';
  if ([countryCode, currencyCode, unit ?? '', periodType ?? ''].some((word) => word.length > MAX_WORD)) {
    return 'one of its texts is too long';
  }
  const figures = [event.actual, event.consensus, event.previous, event.revised];
  return figures.every((value) => value === null || Number.isFinite(value))
    ? null
    : 'a figure is not a number';
}

/** HIGH impact events with a time that is within five minutes. @param now by the calendar's clock, epoch ms */
export function guardingEvents(events: Iterable<CalendarEvent>, now: number): FilterEvent[] {
  const found: FilterEvent[] = [];
  for (const event of events) {
    if (event.volatility !== 'HIGH' || event.isAllDay) continue;
    const at = timeOf(event);
    if (at === null || Math.abs(at - now) > GUARD_MS) continue;
    found.push({ name: event.name, currency: event.currencyCode, at });
  }
  return found;
}
