import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import { WINDOW_MS } from '#market/calendar/rules/days.ts';
import { hasFigure } from '#subjects/calendar/rules/reminderMessage.ts';
import type { CalendarSink, Span } from '../source.ts';

const HOUR_MS = 3_600_000;
/** An all-day event bears the midnight that begins its date, which is shown for as long as that date is. */
const ALL_DAY_MS = 24 * HOUR_MS;
/** The window moves on until the next answer. */
const MARGIN_MS = 2 * HOUR_MS;
/** Between two looks at an event whose figure is due. */
export const WATCH_MS = 10_000;
/** A figure that is not there by then comes with the next whole window. */
const WATCHED_MS = 5 * 60_000;
/** A wait that the poll loop spreads by a tenth does not end after what it is for. */
const SPREAD = 1.1;
const SHORTEST_WAIT_MS = 1000;

/** What is asked for at once: the days around now, in whole hours. */
export const windowAt = (now: number): Span => ({
  from: Math.floor((now - WINDOW_MS - ALL_DAY_MS) / HOUR_MS) * HOUR_MS,
  until: Math.ceil((now + WINDOW_MS + MARGIN_MS) / HOUR_MS) * HOUR_MS,
});

/** Whether a stretch still holds the days around now; it does not after the clock was set. */
export const isAround = (span: Span, now: number): boolean =>
  span.from <= now - WINDOW_MS && span.until >= now + WINDOW_MS;

const timeOf = ({ dateUtc }: CalendarEvent): number => Date.parse(dateUtc);

/** Whether a figure of weight is still to come: speeches, reports and holidays have none. */
const awaitsFigure = (event: CalendarEvent): boolean =>
  (event.volatility === 'HIGH' || event.volatility === 'MEDIUM') && event.actual === null && hasFigure(event);

/**
 * The stretch of time of the events whose figure is due: from their time on, for five minutes.
 * @param now epoch ms
 * @returns null when none is
 */
export function dueSpan(known: CalendarSink['known'], now: number): Span | null {
  const due = known({ from: now - WATCHED_MS + 1, until: now + 1 })
    .filter(awaitsFigure)
    .map(timeOf);
  if (due.length === 0) return null;
  // Whole seconds, as the address has no fractions.
  const from = Math.floor(Math.min(...due) / 1000) * 1000;
  return { from, until: Math.floor(Math.max(...due) / 1000) * 1000 + 1000 };
}

/**
 * How long to wait until something is to be asked for.
 * @param now epoch ms; @param untilHourMs until the whole window is due
 */
export function waitFor(known: CalendarSink['known'], now: number, untilHourMs: number): number {
  if (dueSpan(known, now) !== null) return WATCH_MS;
  const coming = known({ from: now, until: now + HOUR_MS })
    .filter(awaitsFigure)
    .map(timeOf);
  const untilEvent = Math.min(...coming) - now;
  return Math.max(SHORTEST_WAIT_MS, Math.min(untilEvent / SPREAD, untilHourMs));
}
