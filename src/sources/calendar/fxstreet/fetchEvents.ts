import type { HttpClient } from '../../../lib/httpClient/client.ts';
import { failureText } from '../../../lib/httpClient/failureText.ts';
import type { PollFailure } from '../../../lib/httpClient/pollLoop.ts';
import type { CalendarEvent } from '../../../subjects/calendar/rules/calendarEvent.ts';
import type { Log } from '../../../lib/log.ts';
import { isWithin, type Span } from '../source.ts';
import { readAnswer } from './answer.ts';
import type { ReadEvent } from './event.ts';
import { eventsRequest } from './request.ts';

export type FetchedEvents = { kind: 'events'; events: CalendarEvent[] } | PollFailure;

/** Events outside of the stretch that was asked for last; five days have about 250. */
const MAX_REMEMBERED = 2000;

const failure = (reason: string, retryAfterMs: number | null = null): PollFailure => ({
  kind: 'failed',
  reason,
  retryAfterMs,
});

/**
 * Asks for the events of a stretch of time. Of an event that came before, the state that was changed last counts: copies
 * of different age are answered.
 * @returns never rejects
 */
export function createFetchEvents({ url, http, log }: { url: string; http: HttpClient; log: Log }) {
  let latest = new Map<string, ReadEvent>();
  let lastRefusal: string | null = null;

  const newer = (one: ReadEvent): ReadEvent => {
    const known = latest.get(one.event.id);
    return known && one.lastUpdated > 0 && one.lastUpdated < known.lastUpdated ? known : one;
  };

  return async (span: Span, signal: AbortSignal): Promise<FetchedEvents> => {
    const outcome = await http.json({ ...eventsRequest(url, span), signal });
    if (signal.aborted) return failure('was stopped');
    if (outcome.kind === 'notJson') return failure('sent something else than a list of events');
    if (outcome.kind !== 'ok') {
      const retryAfterMs = outcome.kind === 'httpError' ? outcome.retryAfterMs : null;
      return failure(failureText(outcome), retryAfterMs);
    }
    const answer = readAnswer(outcome.body);
    if (answer.kind === 'unusable') return failure(answer.reason);
    if (answer.firstRefusal !== null && answer.firstRefusal !== lastRefusal) {
      log.warn('Events of FXStreet were left out', { count: answer.refused, first: answer.firstRefusal });
    }
    lastRefusal = answer.firstRefusal;
    const read = answer.events.map(newer);
    const stillAround = [...latest].filter(([, { event }]) => !isWithin(event, span));
    // Of days that went by nothing is asked any more.
    const kept = stillAround.slice(-MAX_REMEMBERED);
    latest = new Map([...kept, ...read.map((one) => [one.event.id, one] as const)]);
    return {
      kind: 'events',
      events: read.map(({ event }) => event).filter((event) => isWithin(event, span)),
    };
  };
}
