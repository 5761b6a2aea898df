import type { CalendarEvent } from '../../src/subjects/calendar/rules/calendarEvent.ts';
import { aCalendarEvent } from './aCalendarEvent.ts';
import { createFakeClock, createTestApp, START, type TestAppOptions } from './testApp.ts';
import type { Clock } from '../../src/lib/clock.ts';
import type { ProviderHealth } from '../../src/sources/announcements/source.ts';
import type { CalendarSink, CalendarSource } from '../../src/sources/calendar/source.ts';

export type HandCalendar = CalendarSource & {
  /** Where the source puts its events; throws when it was not started. */
  sink(): CalendarSink;
  setHealth(health: Partial<ProviderHealth>): void;
};

/** A source of the economic calendar that a test drives by hand. */
export function createHandCalendar(clock: Clock, name = 'hand'): HandCalendar {
  let into: CalendarSink | null = null;
  let health: ProviderHealth = { healthy: true, problem: null, lastSuccess: null };
  return {
    name,
    label: () => 'By hand',
    clock,
    start: async (sink) => {
      into = sink;
    },
    stop: async () => {
      into = null;
    },
    health: () => health,
    sink() {
      if (!into) throw new Error('The calendar was not started.');
      return into;
    },
    setHealth: (change) => {
      health = { ...health, ...change };
    },
  };
}

/** An event this many minutes from the beginning of the test's time. */
export const eventIn = (minutes: number, members: Partial<CalendarEvent> = {}): CalendarEvent =>
  aCalendarEvent({ dateUtc: new Date(START + minutes * 60_000).toISOString(), ...members });

/** An application with a calendar that is driven by hand, on the test's clock. */
export async function createCalendarApp(options: TestAppOptions = {}) {
  const clock = options.clock ?? createFakeClock();
  const calendar = createHandCalendar(clock);
  const app = createTestApp({ ...options, clock, runtime: { ...options.runtime, calendar } });
  await app.parts.calendar.start();
  app.tick.run();
  return {
    ...app,
    calendar,
    /** Gives the calendar events as its source would, and lets a tick pass. */
    events(...events: CalendarEvent[]): void {
      calendar.sink().apply(events);
      app.tick.run();
    },
    close(): void {
      void app.parts.calendar.stop();
      app.close();
    },
  };
}

export type CalendarApp = Awaited<ReturnType<typeof createCalendarApp>>;
