import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import { timeOf } from '#market/calendar/rules/days.ts';
import type { Clock } from '#lib/clock.ts';
import type { ProviderHealth, MissingField } from './announcements.ts';

export type Span = { from: number; until: number };

export function isWithin(event: Pick<CalendarEvent, 'dateUtc'>, { from, until }: Span): boolean {
  const time = timeOf(event);
  return time !== null && time >= from && time < until;
}

export type CalendarSink = {
  /** All events of a span: known events that are missing are removed. */
  replace(span: Span, events: readonly CalendarEvent[]): void;
  apply(events: readonly CalendarEvent[]): void;
  known(span: Span): readonly CalendarEvent[];
};

export type CalendarSource = {
  /** Logged, and stored with the events, so that simulated ones never appear with real ones. */
  readonly name: string;
  label(): string;
  /** The market's clock for a simulated calendar, otherwise the wall clock. */
  readonly clock: Clock;
  start(sink: CalendarSink): Promise<void>;
  stop(): Promise<void>;
  health(): ProviderHealth;
  /** Fields that most of its rows lack, the longest missing first; absent if not tracked. */
  missing?(): readonly MissingField[];
  readonly details?: () => unknown;
  /**
   * Earlier events of a series in their final state, newest first. Only for invented calendars; events of
   * others are stored.
   * @param series as its events name it
   * @param before epoch ms
   * @param count number of weeks
   */
  readonly past?: (series: string, before: number, count: number) => CalendarEvent[];
};
