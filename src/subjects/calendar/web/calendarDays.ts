import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import { type CalendarDay, compareEvents } from '#market/calendar/rules/days.ts';
import { type Choices, isChosen } from './choices.ts';

/** The events of the three days, each in the order in which it lists them. */
export type CalendarDays = Readonly<Record<CalendarDay, readonly CalendarEvent[]>>;

/**
 * Sorts the events that the choices let through into the three days of the chosen zone.
 * @param dayOf the day of an event in that zone (`dayReader`)
 */
export function daysOf(
  events: Iterable<CalendarEvent>,
  choices: Choices,
  dayOf: (event: CalendarEvent) => CalendarDay | null,
): CalendarDays {
  const days: Record<CalendarDay, CalendarEvent[]> = { yesterday: [], today: [], tomorrow: [] };
  for (const event of events) {
    const day = isChosen(event, choices) ? dayOf(event) : null;
    if (day !== null) days[day].push(event);
  }
  for (const list of Object.values(days)) list.sort(compareEvents);
  return days;
}
