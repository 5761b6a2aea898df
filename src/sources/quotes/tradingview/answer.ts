import { isRecord, parseJson } from '#lib/json.ts';
import type { HttpRequest } from '#lib/httpClient/client.ts';
import { withoutEndSlashes } from '#lib/text.ts';

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
const scanBody = (columns: readonly string[], rows: number): string =>
  JSON.stringify({
    markets: ['australia'],
    symbols: { query: { types: [] }, tickers: [] },
    options: { lang: 'en' },
    columns,
    filter: [{ left: 'type', operation: 'in_range', right: ['stock', 'dr', 'fund'] }],
    sort: { sortBy: 'name', sortOrder: 'asc', nullsFirst: false },
    range: [0, rows],
    ignore_unknown_fields: false,
  });

/** The whole market with a few dozen columns is about 1 MB. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/**
 * Builds the whole request.
 * @param options.cookie configured session id or cookie text; null for the public, delayed data
 * @param options.rows most rows to answer; all of the market where it is left out
 */
export function buildScanRequest(options: {
  url: string;
  cookie: string | null;
  columns: readonly string[];
  timeoutMs: number;
  rows?: number;
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
    body: scanBody(options.columns, options.rows ?? RANGE_END),
  };
}

/** One listing as the platform sends it: its symbol and its cells in the order of the asked columns. */
export type ScanRow = { s: string; d: readonly unknown[] };

export type ScanAnswer =
  | { kind: 'rows'; totalCount: number; rows: ScanRow[]; malformed: number }
  /** `unknownColumn` is the column that the platform does not know, when that is the reason. */
  | { kind: 'unusable'; reason: string; unknownColumn: string | null };

/** Above this share of malformed rows the answer has another shape than the one known here. */
const MAX_MALFORMED_SHARE = 0.5;
const unusable = (reason: string, unknownColumn: string | null = null): ScanAnswer => ({
  kind: 'unusable',
  reason,
  unknownColumn,
});

const shortened = (text: string): string =>
  text
    .slice(0, 1000)
    .replace(/\s{1,80}/g, ' ')
    .trim()
    .slice(0, 120);

/** The column named in the platform's `Unknown field "x"`; null for any other error text. */
export const unknownColumnOf = (error: string): string | null =>
  /unknown field:?\s{1,8}"([^"]{1,80})"/i.exec(error)?.[1] ?? null;

const isRow = (value: unknown, width: number): value is ScanRow =>
  isRecord(value) &&
  typeof value['s'] === 'string' &&
  Array.isArray(value['d']) &&
  value['d'].length === width;

/**
 * Checks the shape of a whole scan answer before anything of it is used.
 * @param text the response body; an `error` or a null `data` makes it unusable whatever the HTTP status was
 * @param width how many columns were asked for; a row of another width is malformed
 * @returns the rows, duplicates included; unusable with a clause saying why (it completes "TradingView …")
 */
export function readAnswer(text: string, width: number): ScanAnswer {
  const parsed = parseJson(text);
  const body = parsed.ok ? parsed.value : null;
  if (!isRecord(body)) return unusable(`sent something else than a scan result ("${shortened(text)}")`);
  const error = body['error'];
  if (typeof error === 'string' && error !== '') {
    return unusable(`answered with an error ("${shortened(error)}")`, unknownColumnOf(error));
  }
  const { data, totalCount } = body;
  if (!Array.isArray(data)) return unusable('sent a scan result without data');
  if (typeof totalCount !== 'number' || !Number.isInteger(totalCount) || totalCount < 0) {
    return unusable('sent a scan result without a count');
  }
  if (data.length === 0) return unusable('sent a scan result without a single listing');
  const rows = data.filter((row): row is ScanRow => isRow(row, width));
  const malformed = data.length - rows.length;
  if (malformed > data.length * MAX_MALFORMED_SHARE) {
    return unusable(`sent ${malformed} of ${data.length} rows in an unknown shape`);
  }
  return { kind: 'rows', totalCount, rows, malformed };
}

/** How much of what matched must have arrived. */
const MIN_COMPLETE_SHARE = 0.95;

/**
 * Whether the answer holds what matched: a cut one would make the missing stocks stand still unseen. A listing or
 * two that came or went between counting and listing are no cut.
 * @param received rows in the answer, duplicates and malformed ones included
 */
export const isComplete = (received: number, totalCount: number): boolean =>
  received >= Math.min(totalCount, RANGE_END) * MIN_COMPLETE_SHARE;
