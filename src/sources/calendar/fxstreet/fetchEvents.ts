import type { AnswerForm } from '#sources/answerForm.ts';
import { failureText, type HttpClient, type HttpRequest } from '#lib/httpClient/client.ts';
import type { PollFailure } from '#lib/httpClient/pollLoop.ts';
import { type CalendarEvent, IMPACTS } from '#market/calendar/rules/calendarEvent.ts';
import type { Log } from '#lib/log.ts';
import { isWithin, type Span } from '../source.ts';
import { type ReadEvent, readEvent } from './event.ts';
import { withoutEndSlashes } from '#lib/text.ts';

/** Every country that the provider covers, in its own words: UK is the United Kingdom, EMU the euro area. */
const COUNTRIES = [
  'AU',
  'AT',
  'BE',
  'BR',
  'CA',
  'CH',
  'CL',
  'CN',
  'CO',
  'CZ',
  'DE',
  'DK',
  'EMU',
  'ES',
  'FI',
  'FR',
  'GR',
  'HK',
  'HU',
  'ID',
  'IE',
  'IN',
  'IS',
  'IT',
  'JP',
  'MX',
  'NL',
  'NO',
  'NZ',
  'PL',
  'PT',
  'RO',
  'RU',
  'SE',
  'SG',
  'SK',
  'TR',
  'UK',
  'US',
  'ZA',
];

/** Five days are about 250 events and 150 KB. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;
const TIMEOUT_MS = 15_000;

/** Whole seconds: the address has no fractions. */
const inAddress = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`;

/** Each value as a parameter of its own: lists with commas are answered with 404. */
const QUERY = new URLSearchParams([
  // Holidays have the provider's NONE.
  ...['NONE', ...IMPACTS].map((impact) => ['volatilities', impact]),
  ...COUNTRIES.map((country) => ['countries', country]),
]).toString();

/**
 * Asks for the events of a stretch of time. Without the referer the provider refuses.
 * @param base with or without trailing slashes, e.g. https://calendar-api.fxsstatic.com
 */
export const eventsRequest = (base: string, span: Span): HttpRequest => ({
  method: 'GET',
  url: `${withoutEndSlashes(base.trim())}/en/api/v2/eventDates/${inAddress(span.from)}/${inAddress(span.until)}?${QUERY}`,
  endpoint: 'fxstreet/eventDates/{from}/{to}',
  headers: {
    accept: 'application/json',
    origin: 'https://www.fxstreet.com',
    referer: 'https://www.fxstreet.com/',
    'user-agent':
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
  },
  timeoutMs: TIMEOUT_MS,
  maxBytes: MAX_ANSWER_BYTES,
});

type CalendarAnswer =
  | { kind: 'events'; events: ReadEvent[]; refused: number; firstRefusal: string | null }
  /** Nothing of it may be used; `reason` completes "FXStreet …". */
  | { kind: 'unusable'; reason: string };

/** Above this share of unreadable events the list has another shape than the one known here. */
const MAX_REFUSED_SHARE = 0.5;
/** A month of the whole world is about 1,200. */
const MAX_EVENTS = 3000;

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
export function createFetchEvents(options: { url: string; http: HttpClient; log: Log; form: AnswerForm }) {
  const { url, http, log, form } = options;
  let latest = new Map<string, ReadEvent>();
  let lastRefusal: string | null = null;

  const newer = (one: ReadEvent): ReadEvent => {
    const known = latest.get(one.event.id);
    return known && one.lastUpdated > 0 && one.lastUpdated < known.lastUpdated ? known : one;
  };

  return async (span: Span, signal: AbortSignal): Promise<FetchedEvents> => {
    const outcome = await http.json({ ...eventsRequest(url, span), signal });
    if (signal.aborted) return failure('was stopped');
    if (outcome.kind === 'notJson') form.note([], false);
    if (outcome.kind === 'notJson') return failure('sent something else than a list of events');
    if (outcome.kind !== 'ok') {
      const retryAfterMs = outcome.kind === 'httpError' ? outcome.retryAfterMs : null;
      return failure(failureText(outcome), retryAfterMs);
    }
    const answer = readAnswer(outcome.body);
    form.note(
      Array.isArray(outcome.body) ? outcome.body.slice(0, MAX_EVENTS) : [],
      answer.kind !== 'unusable',
    );
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
