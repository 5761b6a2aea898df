import { type ReadEvent, readEvent } from './event.ts';

export type CalendarAnswer =
  | { kind: 'events'; events: ReadEvent[]; refused: number; firstRefusal: string | null }
  /** Nothing of it may be used; `reason` completes "FXStreet …". */
  | { kind: 'unusable'; reason: string };

/** Above this share of unreadable events the list has another shape than the one known here. */
const MAX_REFUSED_SHARE = 0.5;
/** A month of the whole world is about 1,200. */
const MAX_EVENTS = 10_000;

/**
 * Checks an answered list of events and reads it; an unreadable event costs itself only, a repeated one counts once.
 * @param body the parsed answer: a bare list
 */
export function readAnswer(body: unknown): CalendarAnswer {
  if (!Array.isArray(body)) return { kind: 'unusable', reason: 'sent something else than a list of events' };
  const results = body.slice(0, MAX_EVENTS).map(readEvent);
  const events = results.flatMap((result) => (result.ok ? [result.value] : []));
  const refusals = results.flatMap((result) => (result.ok ? [] : [result.error]));
  const [firstRefusal = null] = refusals;
  if (refusals.length > results.length * MAX_REFUSED_SHARE) {
    const share = `${refusals.length} of ${results.length}`;
    return { kind: 'unusable', reason: `sent ${share} events in an unknown shape (${firstRefusal})` };
  }
  const unique = [...new Map(events.map((one) => [one.event.id, one])).values()];
  return { kind: 'events', events: unique, refused: refusals.length, firstRefusal };
}
