import { type CalendarEvent, emptyEvent } from '../rules/calendarEvent.ts';
import type { EventPatch } from '../../../market/rules/stream.ts';

const EMPTY: Readonly<Record<string, unknown>> = emptyEvent('');

/** Members that the specification does not name (section 3): those that it does are always there. */
const OWN: ReadonlySet<string> = new Set<keyof CalendarEvent>([
  'revised',
  'potency',
  'isBetterThanExpected',
  'isAllDay',
  'isTentative',
  'isPreliminary',
]);

/**
 * An event as the stream carries it: all members that the specification names, also where they are null or false. Of our
 * own those are left out that are as `emptyEvent` has them; `applyEventPatch` puts them back.
 */
export function wireEvent(event: CalendarEvent): EventPatch {
  const kept = Object.entries(event).filter(
    ([name, value]) => name in EMPTY && (!OWN.has(name) || value !== EMPTY[name]),
  );
  return Object.fromEntries(kept);
}
