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
