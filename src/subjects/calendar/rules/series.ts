import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import { hasFigure } from './reminders.ts';

/**
 * What an event belongs to that recurs: its source's own id where there is one, else country, name and kind of period. The
 * names differ from one provider to the next, so a series is one source's.
 */
export function seriesKey({
  series,
  countryCode,
  name,
  periodType,
}: Pick<CalendarEvent, 'series' | 'countryCode' | 'name' | 'periodType'>): string {
  return series ?? [countryCode, name.trim().toLowerCase(), periodType ?? ''].join('|');
}

/** Whether an event has a figure that is published, so that it is remembered. */
export const isPublished = (event: CalendarEvent): event is CalendarEvent & { actual: number } =>
  event.actual !== null && hasFigure(event);
