import { DAY_MS } from '#lib/units.ts';
import type { Stopwatch } from '#lib/clock.ts';
import { failureText, type HttpClient } from '#lib/httpClient/client.ts';
import { clampRetryAfter } from '#lib/httpClient/pollLoop.ts';
import { isRecord } from '#lib/json.ts';
import { readLine, readTime } from '#lib/read.ts';
import { failed, ok, type Result } from '#lib/result.ts';
import { withoutEndSlashes } from '#lib/text.ts';
import {
  type CalendarEvent,
  emptyEvent,
  type Impact,
  POTENCIES,
  type Potency,
} from '#market/calendar/rules/calendarEvent.ts';
import { datesIn } from '#market/calendar/rules/days.ts';
import type { Span } from '#market/sources/calendar.ts';

type Figure = { value: number; unit: string | null; potency: Potency };

const FIGURE = /^([$€£¥]?)(-?)([$€£¥]?)(\d{1,15}(?:\.\d{1,10})?)([KMBT]?)(%?)$/;

const steps = (potency: Potency): number => POTENCIES.indexOf(potency);

/**
 * Parses a figure: '66K', '0.2%', '-144.7B', '99.5'. A bond auction, '4.17|2.6',
 * gives the yield in percent; the second number is the bid-to-cover ratio.
 * @returns null for '' and for anything but a single figure: votes ('2-0-7'), bounds ('<1.00%')
 */
export function readFigure(text: string): Figure | null {
  const [first = '', ...others] = text.trim().split('|');
  const match = FIGURE.exec(first.trim());
  if (!match || others.length > 1) return null;
  const [, before = '', minus = '', after = '', digits = '', letter = '', percent = ''] = match;
  const value = Number(`${minus}${digits}`);
  const potency = POTENCIES.find((one) => one === letter) ?? 'ZERO';
  const unit = percent || before || after || (others.length === 1 ? '%' : null);
  return { value, unit, potency };
}

/** Removes rounding errors: 1.1 × 1000 is 1100.0000000000002. */
const scaled = ({ value, potency }: Figure, to: Potency): number =>
  Number((value * 1000 ** (steps(potency) - steps(to))).toPrecision(12));

/**
 * Forecast and previous figure in one unit and the smaller potency: '1.1M' and '950K' are 1100 and 950
 * thousand. With different units only the forecast is used.
 */
export function readFigures(
  forecast: string,
  previous: string,
): Pick<CalendarEvent, 'consensus' | 'previous' | 'unit' | 'potency'> {
  const expected = readFigure(forecast);
  const earlier = readFigure(previous);
  const before = expected && earlier && expected.unit !== earlier.unit ? null : earlier;
  const known = [expected, before].filter((figure) => figure !== null);
  const [smallest] = known.map(({ potency }) => potency).sort((a, b) => steps(a) - steps(b));
  const potency = smallest ?? 'ZERO';
  return {
    consensus: expected && scaled(expected, potency),
    previous: before && scaled(before, potency),
    unit: known[0]?.unit ?? null,
    potency,
  };
}

export type Week = { events: CalendarEvent[]; span: Span; refused: number };

const ID_PREFIX = 'ff-';

/** The file names currencies. `zone` gives the date of a holiday, which has a time of day. */
const COUNTRIES: Readonly<Record<string, { code: string; zone: string }>> = {
  AUD: { code: 'AU', zone: 'Australia/Sydney' },
  CAD: { code: 'CA', zone: 'America/Toronto' },
  CHF: { code: 'CH', zone: 'Europe/Zurich' },
  CNY: { code: 'CN', zone: 'Asia/Shanghai' },
  EUR: { code: 'EMU', zone: 'Europe/Berlin' },
  GBP: { code: 'UK', zone: 'Europe/London' },
  JPY: { code: 'JP', zone: 'Asia/Tokyo' },
  NZD: { code: 'NZ', zone: 'Pacific/Auckland' },
  USD: { code: 'US', zone: 'America/New_York' },
};

const IMPACTS: Readonly<Record<string, Impact>> = { High: 'HIGH', Medium: 'MEDIUM', Low: 'LOW' };

const MAX_EVENTS = 2000;
const MAX_REFUSED_SHARE = 0.5;
const WEEK_DAYS = 7;

const SPEECH = /\b(Speaks|Testifies|Speech|Press Conference)\b/;
const REPORT = /\b(Minutes|Report|Statement|Bulletin|Beige Book|Outlook)\b/;
const OFFSET = /([+-])(\d{2}):(\d{2})$/;

type Item = { title: string; currency: string; time: number; offsetMs: number; impact: string };

export const isFromWeek = ({ id }: Pick<CalendarEvent, 'id'>): boolean => id.startsWith(ID_PREFIX);

/** Stable for an event, so it does not include the figures. */
function idOf({ title, currency, time }: Item): string {
  const text = `${new Date(time).toISOString()}|${currency}|${title}`;
  return ID_PREFIX + new Bun.CryptoHasher('sha256').update(text).digest('hex').slice(0, 24);
}

const midnightOf = (time: number, zone: string): number => Date.parse(`${datesIn(zone)(time)}T00:00:00Z`);

function offsetOf(date: string): number {
  const [, sign, hours, minutes] = OFFSET.exec(date) ?? [];
  const ms = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
  return sign === '-' ? -ms : ms;
}

function itemOf(value: unknown): Result<Item & { forecast: string; previous: string }, string> {
  if (!isRecord(value)) return failed('an event is not an object');
  const title = readLine(value['title'], 160);
  if (title === null) return failed('an event without a title');
  const date = readLine(value['date'], 40);
  const time = readTime(date);
  if (date === null || time === null) return failed(`${title}: no date`);
  const currency = readLine(value['country'], 8)?.toUpperCase() ?? '';
  const text = (member: string): string => readLine(value[member], 40) ?? '';
  const rest = { impact: text('impact'), forecast: text('forecast'), previous: text('previous') };
  return ok({ title, currency, time, offsetMs: offsetOf(date), ...rest });
}

function eventOf(item: Item & { forecast: string; previous: string }): CalendarEvent {
  const { title, currency, time, impact } = item;
  const country = COUNTRIES[currency];
  const isHoliday = impact === 'Holiday';
  const figures = readFigures(item.forecast, item.previous);
  const hasFigures = figures.consensus !== null || figures.previous !== null;
  const isSpeech = !hasFigures && SPEECH.test(title);
  return {
    ...emptyEvent(idOf(item)),
    dateUtc: new Date(isHoliday ? midnightOf(time, country?.zone ?? 'UTC') : time).toISOString(),
    countryCode: country?.code ?? '',
    currencyCode: /^[A-Z]{3}$/.test(currency) && currency !== 'ALL' ? currency : '',
    name: title,
    ...figures,
    volatility: IMPACTS[impact] ?? 'LOW',
    isSpeech,
    isReport: !hasFigures && !isSpeech && REPORT.test(title),
    isAllDay: isHoliday,
    isHoliday,
  };
}

/** The week of an event, from Sunday to Saturday, in the zone of its date text. */
function weekOf({ time, offsetMs }: Item): Span {
  const localDay = Math.floor((time + offsetMs) / DAY_MS);
  const weekday = new Date(localDay * DAY_MS).getUTCDay();
  const from = (localDay - weekday) * DAY_MS - offsetMs;
  return { from, until: from + WEEK_DAYS * DAY_MS };
}

/**
 * Reads the weekly file. Its events have no actual figures; ids are made of date, currency and title.
 * @param body the parsed file: a bare list
 * @returns the error completes "ForexFactory …"
 */
export function readWeek(body: unknown): Result<Week, string> {
  if (!Array.isArray(body)) return failed('sent data that is not a list of events');
  const results = body.slice(0, MAX_EVENTS).map(itemOf);
  const items = results.flatMap((result) => (result.ok ? [result.value] : []));
  const [first] = items;
  const refused = results.length - items.length;
  if (first === undefined || refused > results.length * MAX_REFUSED_SHARE) {
    return failed('sent a week without a usable event');
  }
  const events = new Map(items.map((item) => [idOf(item), eventOf(item)]));
  return ok({ events: [...events.values()], span: weekOf(first), refused });
}

type WeeklyFileOptions = {
  url: string;
  stopwatch: Stopwatch;
  http: HttpClient;
};

/** The provider refuses more frequent requests, even after a failure. */
const ASK_EVERY_MS = 60 * 60_000;
const TIMEOUT_MS = 15_000;
/** A week is about 16 KB. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/** The file of the current week, downloaded at most once an hour, or less if the provider asks for that. */
export function createWeeklyFile({ url, stopwatch, http }: WeeklyFileOptions) {
  let notBefore = Number.NEGATIVE_INFINITY;
  let last: Result<Week, string> = failed('has not been asked yet');

  return {
    /**
     * The week, downloaded again after an hour. Never rejects. @returns an error completes "ForexFactory …"
     */
    async read(signal: AbortSignal): Promise<Result<Week, string>> {
      const now = stopwatch.monotonic();
      if (now < notBefore) return last;
      notBefore = now + ASK_EVERY_MS;
      const outcome = await http.json({
        method: 'GET',
        url: `${withoutEndSlashes(url.trim())}/ff_calendar_thisweek.json`,
        endpoint: 'forexfactory/ff_calendar_thisweek.json',
        headers: { accept: 'application/json' },
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_ANSWER_BYTES,
        signal,
      });
      if (outcome.kind === 'aborted') notBefore = now;
      if (outcome.kind === 'httpError') {
        notBefore = Math.max(notBefore, now + clampRetryAfter(outcome.retryAfterMs));
      }
      if (outcome.kind === 'ok') last = readWeek(outcome.body);
      else if (outcome.kind === 'notJson') last = failed('sent data that is not a list of events');
      else last = failed(failureText(outcome));
      return last;
    },
  };
}
