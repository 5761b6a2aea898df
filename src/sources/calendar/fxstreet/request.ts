import { IMPACTS } from '../../../subjects/calendar/rules/calendarEvent.ts';
import type { HttpRequest } from '../../../lib/httpClient/client.ts';
import { withoutEndSlashes } from '../../../lib/text.ts';
import type { Span } from '../source.ts';

/** Every country that the provider covers, in its own words: UK is the United Kingdom, EMU the euro area. */
const COUNTRIES = [
  ...['AU', 'AT', 'BE', 'BR', 'CA', 'CH', 'CL', 'CN', 'CO', 'CZ', 'DE', 'DK', 'EMU', 'ES', 'FI', 'FR', 'GR'],
  ...['HK', 'HU', 'ID', 'IE', 'IN', 'IS', 'IT', 'JP', 'MX', 'NL', 'NO', 'NZ', 'PL', 'PT', 'RO', 'RU', 'SE'],
  ...['SG', 'SK', 'TR', 'UK', 'US', 'ZA'],
];

/** Five days are about 250 events and 150 KB. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;
const TIMEOUT_MS = 15_000;

/** Whole seconds: the address has no fractions. */
const inAddress = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`;

/** Each value as a parameter of its own: lists with commas are answered with 404. */
const QUERY = new URLSearchParams([
  ...IMPACTS.map((impact) => ['volatilities', impact]),
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
