import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import { timeOf } from '#market/calendar/rules/days.ts';

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
