import { formatMinutes } from '#texts/format.ts';
import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import { compareEvents, timeOf } from '#market/calendar/rules/days.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** How far ahead events of HIGH impact are named beside the scanners. */
const NAMED_AHEAD_MS = HOUR_MS;

/**
 * The event that comes next: of those that happen at the same time the one of the highest impact. All-day events have no
 * time at which they come.
 * @param now by the clock of the calendar, epoch ms
 */
export function nextEvent<Event extends CalendarEvent>(events: Iterable<Event>, now: number): Event | null {
  let next: Event | null = null;
  for (const event of events) {
    if (event.isAllDay || (timeOf(event) ?? now) <= now) continue;
    if (!next || compareEvents(event, next) < 0) next = event;
  }
  return next;
}

/**
 * The events of HIGH impact for a currency that happen within the next hour, in their order.
 * @param now by the clock of the calendar, epoch ms
 */
export function highImpactSoon<Event extends CalendarEvent>(
  events: Iterable<Event>,
  now: number,
  currency = 'AUD',
): Event[] {
  const found: Event[] = [];
  for (const event of events) {
    if (event.volatility !== 'HIGH' || event.currencyCode !== currency || event.isAllDay) continue;
    const time = timeOf(event);
    if (time !== null && time > now && time - now <= NAMED_AHEAD_MS) found.push(event);
  }
  return found.sort(compareEvents);
}

/** A countdown: '2 h 05 min', '12 min', '45 s'; begun units count, so that the last minute is counted in seconds. */
export function formatCountdown(ms: number): string {
  if (ms <= MINUTE_MS) return `${Math.max(0, Math.ceil(ms / 1000))} s`;
  return formatMinutes(Math.ceil(ms / MINUTE_MS));
}
