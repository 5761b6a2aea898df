import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import { timeOf } from '#market/calendar/rules/days.ts';
import { GUARD_MS, type GuardingEvent } from '#subjects/alerts/rules/eventGuard.ts';
import { hasFigure } from './reminderMessage.ts';

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

/** Ids are at most 40 characters with every known provider. */
const MAX_ID = 100;
/** Longer than the names of events, codes and units ever are. */
const MAX_NAME = 200;
const MAX_WORD = 20;

/**
 * Whether an event can be kept and shown, whatever its provider meant by it.
 * @returns why not, for the log; null when it can
 */
export function eventFault(event: CalendarEvent): string | null {
  const { id, name, countryCode, currencyCode, unit, periodType } = event;
  // Events are members of an object on the wire, where this name is none.
  if (id === '' || id.length > MAX_ID || id === '__proto__') return 'its id can’t be used';
  if (timeOf(event) === null) return 'its time can’t be read';
  if (name.trim() === '' || name.length > MAX_NAME) return 'its name is empty or too long';
  if ([countryCode, currencyCode, unit ?? '', periodType ?? ''].some((word) => word.length > MAX_WORD)) {
    return 'one of its words is too long';
  }
  const figures = [event.actual, event.consensus, event.previous, event.revised];
  return figures.every((value) => value === null || Number.isFinite(value)) ? null : 'a figure is no number';
}

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
