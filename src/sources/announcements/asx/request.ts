import type { HttpRequest } from '#lib/httpClient/client.ts';
import { withoutEndSlashes } from '#lib/text.ts';

/** Most that the list gives at once. */
export const PAGE_SIZE = 100;

/** A hundred announcements are about 60 KB. */
const MAX_ANSWER_BYTES = 1024 * 1024;
const TIMEOUT_MS = 15_000;

const HEADERS = {
  accept: 'application/json',
  origin: 'https://www.asx.com.au',
  referer: 'https://www.asx.com.au/markets/trade-our-cash-market/announcements',
  'user-agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
};

const below = (base: string, path: string): string =>
  `${withoutEndSlashes(base.trim())}/asx-research/1.0/${path}`;

const get = (url: string, endpoint: string): HttpRequest => ({
  method: 'GET',
  url,
  endpoint,
  headers: HEADERS,
  timeoutMs: TIMEOUT_MS,
  maxBytes: MAX_ANSWER_BYTES,
});

/**
 * Asks for one page of the announcements of the whole market, newest first.
 * @param base with or without trailing slashes, e.g. https://asx.api.markitdigital.com
 * @param page from 0
 * @param date YYYY-MM-DD in Sydney, of which the answer counts the announcements
 */
export const marketPage = (base: string, page: number, date: string): HttpRequest =>
  get(
    below(
      base,
      `markets/announcements?page=${page}&itemsPerPage=${PAGE_SIZE}&summaryCountsDate=${date}&includeFacets=true`,
    ),
    'asx/markets/announcements',
  );

/**
 * Asks for the announcements of one company: always its latest five.
 * @param code upper case
 */
export const companyList = (base: string, code: string): HttpRequest =>
  get(
    below(base, `companies/${encodeURIComponent(code)}/announcements`),
    'asx/companies/{code}/announcements',
  );

/**
 * Where a document is: lists carry no address, only its key.
 * @param key letters, digits, - and _
 */
export const documentUrl = (base: string, key: string): string =>
  below(base, `file/${encodeURIComponent(key)}`);
