import type { HttpRequest } from '../../../lib/httpClient/client.ts';
import { withoutEndSlashes } from '../../../lib/text.ts';

/** One range over the whole market: paging by market cap loses every row whose market cap is null. */
export const RANGE_END = 5000;

/**
 * The scan address below a base address.
 * @param base with or without trailing slashes, e.g. https://scanner.tradingview.com
 */
export const scanUrl = (base: string): string => `${withoutEndSlashes(base.trim())}/australia/scan`;

/**
 * The cookie header for a configured value: the bare session id, or a whole cookie text when it has a name already.
 * @returns null when nothing usable is configured
 */
export function cookieHeader(cookie: string | null): string | null {
  const value = cookie?.trim() ?? '';
  if (value === '') return null;
  return /^[\w.-]{1,80}=/.test(value) ? value : `sessionid=${value}`;
}

/**
 * The body of POST /australia/scan: all stocks, CDIs and funds in one range, in an order that does not move.
 * Warrants ("structured") are left out: they would fill the range and are no listing of ours.
 */
export const scanBody = (columns: readonly string[]): string =>
  JSON.stringify({
    markets: ['australia'],
    symbols: { query: { types: [] }, tickers: [] },
    options: { lang: 'en' },
    columns,
    filter: [{ left: 'type', operation: 'in_range', right: ['stock', 'dr', 'fund'] }],
    sort: { sortBy: 'name', sortOrder: 'asc', nullsFirst: false },
    range: [0, RANGE_END],
    ignore_unknown_fields: false,
  });

/** The whole market with a few dozen columns is about 1 MB. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/**
 * Builds the whole request.
 * @param options.cookie configured session id or cookie text; null for the public, delayed data
 */
export function buildScanRequest(options: {
  url: string;
  cookie: string | null;
  columns: readonly string[];
  timeoutMs: number;
}): HttpRequest & { body: string } {
  const cookie = cookieHeader(options.cookie);
  return {
    method: 'POST',
    url: scanUrl(options.url),
    endpoint: 'tradingview/australia/scan',
    timeoutMs: options.timeoutMs,
    maxBytes: MAX_ANSWER_BYTES,
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      origin: 'https://www.tradingview.com',
      referer: 'https://www.tradingview.com/',
      'user-agent':
        'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
      ...(cookie === null ? {} : { cookie }),
    },
    body: scanBody(options.columns),
  };
}
