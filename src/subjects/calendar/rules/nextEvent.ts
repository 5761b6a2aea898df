import { MINUTE_MS, HOUR_MS } from '#lib/units.ts';
import { formatMinutes } from '#texts/format.ts';
import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import { compareEvents, timeOf } from '#market/calendar/rules/days.ts';

/** HIGH impact events within this time (ms) are shown next to the scanners. */
const NAMED_AHEAD_MS = HOUR_MS;

/**
 * If events are simultaneous, the one with the highest impact. All-day events do not count.
 * @param now by the calendar's clock, epoch ms
 */
export function nextEvent<Event extends CalendarEvent>(events: Iterable<Event>, now: number): Event | null {
  let next: Event | null = null;
  for (const event of events) {
    if (event.isAllDay || (timeOf(event) ?? now) <= now) continue;
    if (!next || compareEvents(event, next) < 0) next = event;
  }
  return next;
}

/** HIGH impact events of a currency within the next hour, in order. @param now by the calendar's clock, epoch ms */
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

/** Time left: '2 h 05 min', '12 min', '45 s'. Rounds up, so the last minute is counted in seconds. */
export function formatCountdown(ms: number): string {
  if (ms <= MINUTE_MS) return `${Math.max(0, Math.ceil(ms / 1000))} s`;
  return formatMinutes(Math.ceil(ms / MINUTE_MS));
}
