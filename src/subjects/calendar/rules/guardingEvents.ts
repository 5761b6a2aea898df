import { GUARD_MS, type GuardingEvent } from '#subjects/alerts/rules/eventGuard.ts';
import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import { timeOf } from '#market/calendar/rules/days.ts';

/**
 * The events that alerts mention now: those of HIGH impact that have a time, within five minutes of it.
 * @param now by the clock of the calendar, epoch ms
 */
export function guardingEvents(events: Iterable<CalendarEvent>, now: number): GuardingEvent[] {
  const found: GuardingEvent[] = [];
  for (const event of events) {
    if (event.volatility !== 'HIGH' || event.isAllDay) continue;
    const at = timeOf(event);
    if (at === null || Math.abs(at - now) > GUARD_MS) continue;
    found.push({ name: event.name, currency: event.currencyCode, at });
  }
  return found;
}
