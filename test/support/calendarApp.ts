import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import { aCalendarEvent } from './aCalendarEvent.ts';
import { createFakeClock, createTestApp, START, type TestAppOptions } from './testApp.ts';
import type { Clock } from '#lib/clock.ts';
import type { CalendarSink, CalendarSource } from '#market/sources/calendar.ts';

/** A source of the economic calendar, controlled by the test. */
function createHandCalendar(clock: Clock) {
  let into: CalendarSink | null = null;
  const source: CalendarSource = {
    name: 'hand',
    label: () => 'By hand',
    clock,
    start: async (sink) => void (into = sink),
    stop: async () => void (into = null),
    health: () => ({ healthy: true, problem: null, lastSuccess: null }),
  };
  /** The source’s target for its events. @throws if it was not started */
  const sink = (): CalendarSink => {
    if (!into) throw new Error('The calendar was not started.');
    return into;
  };
  return { ...source, sink };
}

/** An event this many minutes from the start of the test’s time. */
export const eventIn = (minutes: number, members: Partial<CalendarEvent> = {}): CalendarEvent =>
  aCalendarEvent({ dateUtc: new Date(START + minutes * 60_000).toISOString(), ...members });

/** An application with a manual calendar, on the test’s clock. */
export async function createCalendarApp(options: TestAppOptions = {}) {
  const clock = options.clock ?? createFakeClock();
  const calendar = createHandCalendar(clock);
  const app = createTestApp({ ...options, clock, runtime: { ...options.runtime, calendar } });
  await app.parts.calendar.start();
  app.tick.run();
  return {
    ...app,
    calendar,
    /** Passes events to the calendar as its source would, and runs a tick. */
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
