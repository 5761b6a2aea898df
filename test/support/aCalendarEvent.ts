import { type CalendarEvent, emptyEvent } from '#market/calendar/rules/calendarEvent.ts';

/** A calendar event with these members; the others are plausible. */
export const aCalendarEvent = (members: Partial<CalendarEvent> = {}): CalendarEvent => ({
  ...emptyEvent('event-1'),
  dateUtc: '2026-01-20T01:30:00Z',
  countryCode: 'AU',
  currencyCode: 'AUD',
  name: 'Consumer Price Index (YoY)',
  periodDateUtc: '2025-12-01T00:00:00Z',
  periodType: 'MONTH',
  consensus: 2.4,
  previous: 2.5,
  unit: '%',
  volatility: 'HIGH',
  ...members,
});
