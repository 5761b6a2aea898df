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

/** The economic calendar for other parts. */
export type Calendar = {
  /** Events that are yesterday, today or tomorrow in some time zone, by id. */
  events(): ReadonlyMap<string, CalendarEvent>;
  /** What the stream's clients know. The same object until that changes. */
  snapshot(): Snapshot['fx'];
  /** The next changes for the stream; null for none. Only the stream may call it, once a tick. */
  takeChanges(): Delta['fx'] | null;
  /** State of the source; null if the calendar is switched off. */
  info(): StreamMeta['calendar'];
  /** Members that most rows of the source lack, and since when. */
  missing(): readonly MissingField[];
  /**
   * Today's events in a time zone, in list order.
   * @param zone an IANA name; throws a RangeError otherwise
   */
  today(zone: string): CalendarEvent[];
  /** Events of HIGH impact within five minutes of now, for alerts that mention them. */
  highEvents: { guarding(): readonly GuardingEvent[]; now(): number };
  /** What the history needs besides the events. */
  memory: {
    /** Name of the source. */
    source: string;
    /** The clock that times the events. */
    clock: Clock;
    /** Generates past events; null if they must be stored. */
    past: NonNullable<CalendarSource['past']> | null;
    /** Increases with each change of the events. */
    revision(): number;
  };
};

/** Searched once a second at most, because many alerts may ask in one tick. */
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
