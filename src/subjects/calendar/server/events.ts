import type { CalendarEvent } from '../rules/calendarEvent.ts';
import { eventFault } from '../rules/checkEvent.ts';
import { isInWindow } from '../rules/days.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';
import { type CalendarSink, isWithin } from '../../../sources/calendar/source.ts';

/** Far more than all countries of the world publish in four days. */
const MAX_EVENTS = 6000;
const MINUTE_MS = 60_000;

/** The events around now, in memory. */
export type KeptEvents = {
  all: ReadonlyMap<string, CalendarEvent>;
  /** For the source. */
  sink: CalendarSink;
  /** Removes what no time zone shows any more; to be called at every tick. */
  prune(): void;
};

export type KeptEventsDeps = {
  /** By which the events happen. */
  clock: Clock;
  log: Log;
  /** Called with the id of each event that came, changed or went. */
  changed(id: string): void;
};

export function createKeptEvents({ clock, log, changed }: KeptEventsDeps): KeptEvents {
  const all = new Map<string, CalendarEvent>();
  let prunedAt: number | null = null;

  function remove(id: string): void {
    if (all.delete(id)) changed(id);
  }

  /** @returns why the event is refused; null when it is kept, or lies beyond what is kept */
  function put(event: CalendarEvent, now: number): string | null {
    const fault = eventFault(event);
    if (fault) return fault;
    if (!isInWindow(event, now)) {
      remove(event.id);
      return null;
    }
    const known = all.get(event.id);
    if (known && Bun.deepEquals(known, event)) return null;
    if (!known && all.size >= MAX_EVENTS) return 'there are too many';
    all.set(event.id, event);
    changed(event.id);
    return null;
  }

  /** A wrong event costs itself alone: if it is known, what was known of it stays. */
  function putAll(events: readonly CalendarEvent[]): void {
    const now = clock.now();
    const refused: { id: string; reason: string }[] = [];
    for (const event of events) {
      const reason = put(event, now);
      if (reason) refused.push({ id: event.id.slice(0, 100), reason });
    }
    if (refused.length > 0) {
      log.warn('Events of the calendar were refused', { count: refused.length, first: refused[0] });
    }
  }

  return {
    all,
    sink: {
      replace(span, events) {
        const ids = new Set(events.map(({ id }) => id));
        for (const [id, event] of all) if (!ids.has(id) && isWithin(event, span)) remove(id);
        putAll(events);
      },
      apply: putAll,
      known: (span) => [...all.values()].filter((event) => isWithin(event, span)),
    },
    prune() {
      const now = clock.now();
      const minute = Math.floor(now / MINUTE_MS);
      if (minute === prunedAt) return;
      prunedAt = minute;
      for (const [id, event] of all) if (!isInWindow(event, now)) remove(id);
    },
  };
}
