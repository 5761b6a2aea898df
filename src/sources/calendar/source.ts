import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import { timeOf } from '#market/calendar/rules/days.ts';
import type { Clock } from '#lib/clock.ts';
import type { ProviderHealth } from '../announcements/source.ts';
import type { MissingField } from '../answerForm.ts';

/** A stretch of time, epoch ms; `until` is not part of it. */
export type Span = { from: number; until: number };

/** Whether an event happens within a stretch of time; one whose time can't be read does not. */
export function isWithin(event: Pick<CalendarEvent, 'dateUtc'>, { from, until }: Span): boolean {
  const time = timeOf(event);
  return time !== null && time >= from && time < until;
}

/** Where a source puts what it learns. Each call is one synchronous step. */
export type CalendarSink = {
  /** All events of a stretch of time: those that are known there and do not come any more are gone. */
  replace(span: Span, events: readonly CalendarEvent[]): void;
  /** Some events that are new or changed; the others stay as they are. */
  apply(events: readonly CalendarEvent[]): void;
  /** What is known of a stretch of time. */
  known(span: Span): readonly CalendarEvent[];
};

/** Where the events of the economic calendar come from. */
export type CalendarSource = {
  /** Logged, and kept with the events: simulated ones never show beside real ones. */
  readonly name: string;
  /** Shown: 'Simulated', 'FXStreet', 'ForexFactory'. */
  label(): string;
  /** By which its events happen: the market's own for a simulated calendar, else the wall clock. */
  readonly clock: Clock;
  start(sink: CalendarSink): Promise<void>;
  stop(): Promise<void>;
  health(): ProviderHealth;
  /** What most of its rows lack, the longest first; absent where nobody follows that. */
  missing?(): readonly MissingField[];
  readonly details?: () => unknown;
  /**
   * For a calendar that is made up and can say at any time what was: the earlier events of a series, newest first, each as it
   * stood in the end. What others said is remembered instead.
   * @param series as its events name it
   * @param before epoch ms @param count how many weeks are looked at
   */
  readonly past?: (series: string, before: number, count: number) => CalendarEvent[];
};
