import { DAY_MS } from '#lib/units.ts';
import { failureText, type HttpClient, type HttpRequest } from '#lib/httpClient/client.ts';
import type { PollFailure } from '#lib/httpClient/pollLoop.ts';
import { isRecord, type JsonRecord } from '#lib/json.ts';
import type { Log } from '#lib/log.ts';
import {
  readBoolean,
  readChoice,
  readCount,
  readIsoTime,
  readLine,
  readNumber,
  readUtcTime,
} from '#lib/read.ts';
import { failed, ok, type Result } from '#lib/result.ts';
import { withoutEndSlashes } from '#lib/text.ts';
import { type CalendarEvent, emptyEvent, IMPACTS, POTENCIES } from '#market/calendar/rules/calendarEvent.ts';
import type { AnswerForm, RowField } from '#sources/answerForm.ts';
import { isWithin, type Span } from '#market/sources/calendar.ts';

type ReadEvent = { event: CalendarEvent; lastUpdated: number };

const ID = /^[\w-]{1,80}$/;
const COUNTRY = /^[A-Z]{2,3}$/;
const CURRENCY = /^[A-Z]{3}$/;

const REGIONS: Readonly<Record<string, string>> = { GB: 'UK', EU: 'EMU', EA: 'EMU', EZ: 'EMU' };

const readPotency = readChoice(POTENCIES);
const readImpact = readChoice(IMPACTS);

function regionOf(value: unknown): string {
  const code = readLine(value, 8)?.toUpperCase() ?? '';
  return REGIONS[code] ?? (COUNTRY.test(code) ? code : '');
}

function currencyOf(value: unknown): string {
  const code = readLine(value, 8)?.toUpperCase() ?? '';
  return CURRENCY.test(code) ? code : '';
}

type Figures = Pick<CalendarEvent, 'actual' | 'consensus' | 'previous' | 'revised' | 'unit' | 'potency'>;

/** Null for an unknown potency, because the figures would be wrong by thousands. */
function figuresOf(given: JsonRecord): Figures | null {
  const potency = readPotency(given['potency'] ?? 'ZERO');
  if (potency === null) return null;
  return {
    actual: readNumber(given['actual']),
    consensus: readNumber(given['consensus']),
    previous: readNumber(given['previous']),
    revised: readNumber(given['revised']),
    unit: readLine(given['unit'], 8),
    potency,
  };
}

/** An event with an unreadable series id is kept, because its name identifies the series too. */
function seriesOf(value: unknown): string | null {
  const id = readLine(value, 100);
  return id !== null && ID.test(id) ? id : null;
}

const is = (value: unknown): boolean => readBoolean(value) ?? false;

export const EVENT_FIELDS: readonly RowField[] = [
  { name: 'ids', isIn: ({ id }) => readLine(id, 100) !== null },
  { name: 'names', isIn: ({ name }) => readLine(name, 160) !== null },
  { name: 'times', isIn: ({ dateUtc }) => readUtcTime(dateUtc) !== null },
  { name: 'countries', isIn: ({ countryCode }) => regionOf(countryCode) !== '' },
  { name: 'currencies', isIn: ({ currencyCode }) => currencyOf(currencyCode) !== '' },
  { name: 'impacts', isIn: ({ volatility }) => readImpact(volatility) !== null },
  { name: 'series', isIn: ({ eventId }) => seriesOf(eventId) !== null },
];

/** @returns the event, with null for unreadable fields; or why it is unusable, with its id if it has one */
export function readEvent(value: unknown): Result<ReadEvent, string> {
  if (!isRecord(value)) return failed('an event is not an object');
  const id = readLine(value['id'], 100);
  if (id === null || !ID.test(id)) return failed('an event without a usable id');
  const name = readLine(value['name'], 160);
  if (name === null) return failed(`${id}: no name`);
  const time = readUtcTime(value['dateUtc']);
  if (time === null) return failed(`${id}: no date`);
  const isAllDay = is(value['isAllDay']);
  const period = readUtcTime(value['periodDateUtc']);
  const event: CalendarEvent = {
    ...emptyEvent(id),
    dateUtc: new Date(isAllDay ? Math.floor(time / DAY_MS) * DAY_MS : time).toISOString(),
    countryCode: regionOf(value['countryCode']),
    currencyCode: currencyOf(value['currencyCode']),
    name,
    periodDateUtc: readIsoTime(period),
    periodType: readLine(value['periodType'], 20)?.toUpperCase() ?? null,
    ...figuresOf(value),
    volatility: readImpact(value['volatility']) ?? 'LOW',
    isBetterThanExpected: readBoolean(value['isBetterThanExpected']),
    isSpeech: is(value['isSpeech']),
    isReport: is(value['isReport']),
    isAllDay,
    isHoliday: isAllDay && value['volatility'] === 'NONE',
    isTentative: is(value['isTentative']),
    isPreliminary: is(value['isPreliminary']),
    series: seriesOf(value['eventId']),
  };
  return ok({ event, lastUpdated: readCount(value['lastUpdated']) ?? 0 });
}

/** The provider's country codes: UK is the United Kingdom, EMU the euro area. */
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

const inAddress = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`;

/** Repeats a parameter for each value, because the provider answers comma lists with 404. */
const QUERY = new URLSearchParams([
  ...['NONE', ...IMPACTS].map((impact) => ['volatilities', impact]),
  ...COUNTRIES.map((country) => ['countries', country]),
]).toString();

/** The events of a time span. Requests need the referer. @param base https://calendar-api.fxsstatic.com */
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
  | { kind: 'unusable'; reason: string };

/** A larger share of unreadable events means that the format changed. */
const MAX_REFUSED_SHARE = 0.5;
/** A month of the whole world is about 1,200. */
const MAX_EVENTS = 3000;

/** Reads a list of events; skips unreadable and repeated ones. @param body the parsed answer */
export function readAnswer(body: unknown): CalendarAnswer {
  if (!Array.isArray(body)) return { kind: 'unusable', reason: 'sent data that is not a list of events' };
  const results = body.slice(0, MAX_EVENTS).map(readEvent);
  const events = results.flatMap((result) => (result.ok ? [result.value] : []));
  const refusals = results.flatMap((result) => (result.ok ? [] : [result.error]));
  const [firstRefusal = null] = refusals;
  if (refusals.length > results.length * MAX_REFUSED_SHARE) {
    const share = `${refusals.length} of ${results.length}`;
    return { kind: 'unusable', reason: `sent ${share} events in an unknown format (${firstRefusal})` };
  }
  const unique = [...new Map(events.map((one) => [one.event.id, one])).values()];
  return { kind: 'events', events: unique, refused: refusals.length, firstRefusal };
}

type FetchedEvents = { kind: 'events'; events: CalendarEvent[] } | PollFailure;

/** Events outside of the last requested span; five days have about 250. */
const MAX_REMEMBERED = 2000;

const failure = (reason: string, retryAfterMs: number | null = null): PollFailure => ({
  kind: 'failed',
  reason,
  retryAfterMs,
});

/**
 * Loads the events of a time span. The latest version of an event counts, because the provider may answer
 * with an older copy.
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
    if (outcome.kind === 'notJson') return failure('sent data that is not a list of events');
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
      log.warn('Skipped events of FXStreet', { count: answer.refused, first: answer.firstRefusal });
    }
    lastRefusal = answer.firstRefusal;
    const read = answer.events.map(newer);
    const stillAround = [...latest].filter(([, { event }]) => !isWithin(event, span));
    const kept = stillAround.slice(-MAX_REMEMBERED);
    latest = new Map([...kept, ...read.map((one) => [one.event.id, one] as const)]);
    return {
      kind: 'events',
      events: read.map(({ event }) => event).filter((event) => isWithin(event, span)),
    };
  };
}
