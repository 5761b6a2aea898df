import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import type { GuardingEvent } from '#subjects/alerts/rules/eventGuard.ts';
import { guardingEvents } from '../rules/events.ts';
import { eventsOn } from '#market/calendar/rules/days.ts';
import type { Delta, Snapshot, StreamMeta } from '#market/rules/stream.ts';
import type { Clock } from '#lib/clock.ts';
import type { CalendarSource } from '#sources/calendar/source.ts';
import type { MissingField } from '#sources/answerForm.ts';
import type { App } from '#platform/app.ts';
import type { KeptEvents } from './events.ts';

/** The economic calendar, as other parts see it. */
export type Calendar = {
  /** The events that some time zone shows as yesterday's, today's or tomorrow's, by id. */
  events(): ReadonlyMap<string, CalendarEvent>;
  /** What the stream's clients were told so far. The same object until that changes. */
  snapshot(): Snapshot['fx'];
  /** What the stream's clients are to be told next; null for nothing. Only the stream may call it, once a tick. */
  takeChanges(): Delta['fx'] | null;
  /** The state of the source; null when the calendar is switched off. */
  info(): StreamMeta['calendar'];
  /** What most rows of the source lack, and since when. */
  missing(): readonly MissingField[];
  /**
   * Today's events in a time zone, in the order in which they are listed.
   * @param zone an IANA name; throws a RangeError when it is none
   */
  today(zone: string): CalendarEvent[];
  /** The events of HIGH impact within five minutes of now, for alerts that mention them. */
  highEvents: { guarding(): readonly GuardingEvent[]; now(): number };
  /** What remembers the events needs to know besides them. */
  memory: {
    /** The source's name. */
    source: string;
    /** By which the events happen. */
    clock: Clock;
    /** Null where what was has to be remembered. */
    past: NonNullable<CalendarSource['past']> | null;
    /** Counts up with each change of the events. */
    revision(): number;
  };
};

/** Looked for once a second at most, as many alerts may ask in one tick. */
function createHighEvents(events: KeptEvents): Calendar['highEvents'] {
  let known: { second: number; events: readonly GuardingEvent[] } = {
    second: Number.NaN,
    events: [],
  };
  return {
    now: () => events.clock.now(),
    guarding() {
      const now = events.clock.now();
      const second = Math.floor(now / 1000);
      if (known.second !== second) known = { second, events: guardingEvents(events.all.values(), now) };
      return known.events;
    },
  };
}

export const createCalendarService = (
  app: App,
  source: CalendarSource | null,
  events: KeptEvents,
): Calendar => ({
  events: () => events.all,
  snapshot: () => events.changes.snapshot(),
  takeChanges: () => events.changes.take(),
  info() {
    if (!source) return null;
    const { healthy, problem, lastSuccess } = source.health();
    return {
      label: source.label(),
      healthy,
      problem,
      lastUpdate: lastSuccess,
      onMarketClock: source.clock === app.source.clock,
    };
  },
  missing: () => source?.missing?.() ?? [],
  highEvents: createHighEvents(events),
  memory: {
    source: source?.name ?? 'off',
    clock: events.clock,
    past: source?.past ?? null,
    revision: () => events.revision,
  },
  today: (zone) => eventsOn('today', events.all.values(), zone, events.clock.now()),
});
