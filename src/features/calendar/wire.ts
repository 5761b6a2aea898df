import { type CalendarEvent, emptyEvent } from '../../domain/calendar/calendarEvent.ts';
import type { EventPatch } from '../../domain/market/stream.ts';

const EMPTY: Readonly<Record<string, unknown>> = emptyEvent('');

/**
 * An event as the stream carries it: without the members that are as `emptyEvent` has them, above all nulls and falses,
 * which `applyEventPatch` puts back.
 */
export function wireEvent(event: CalendarEvent): EventPatch {
  const kept = Object.entries(event).filter(([name, value]) => name in EMPTY && value !== EMPTY[name]);
  return Object.fromEntries(kept);
}
