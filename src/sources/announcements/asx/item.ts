import type { HttpRequest } from '#lib/httpClient/client.ts';
import { isRecord, type JsonRecord } from '#lib/json.ts';
import { readBoolean, readCount, readLine, readList, readUtcTime } from '#lib/read.ts';
import { failed, ok, type Result } from '#lib/result.ts';
import { withoutEndSlashes } from '#lib/text.ts';
import type { RowField } from '#sources/answerForm.ts';
import type { Release } from '#market/sources/announcements.ts';

/** `plainKey` is the part of its key that stays when its price-sensitive mark changes. */
export type Listed = Release & { plainKey: string };

const KEY = /^(?!__proto__$)[\w-]{1,80}$/;
export const CODE = /^[A-Z0-9]{1,6}$/;
/** The mark in some keys for price-sensitive or not. */
const MARK = /_(N?PS)(?=-|$)/;
const MAX_HEADLINE = 300;
const MAX_TYPES = 12;
const MAX_TYPE = 80;
/** Tolerated lead of the exchange's clock; more is a wrong clock on either side. */
const MAX_AHEAD_MS = 24 * 3_600_000;

/** Keys of the same announcement with other marks, the plain one first. */
export function keyVariants(plainKey: string): string[] {
  const end = plainKey.lastIndexOf('-');
  const [head, tail] = end < 0 ? [plainKey, ''] : [plainKey.slice(0, end), plainKey.slice(end)];
  return [plainKey, `${head}_PS${tail}`, `${head}_NPS${tail}`];
}

/** 'DISTRIBUTION ANNOUNCEMENT' in the style of the other list. Words with digits stay: 'Appendix 4E'. */
const inTitleCase = (words: string): string =>
  words
    .split(' ')
    .map((word) => (/\d/.test(word) ? word : word.slice(0, 1) + word.slice(1).toLowerCase()))
    .join(' ');

function typesOf({ announcementTypes, announcementType }: JsonRecord): string[] {
  const given: unknown = announcementTypes ?? announcementType;
  if (Array.isArray(given)) {
    const types = readList(given, (text) => readLine(text, MAX_TYPE));
    return [...new Set(types)].slice(0, MAX_TYPES);
  }
  const type = readLine(given, MAX_TYPE);
  return type === null ? [] : [type === type.toUpperCase() ? inTitleCase(type) : type];
}

function sensitivityOf(item: JsonRecord, key: string): boolean | null {
  const mark = MARK.exec(key)?.[1];
  return readBoolean(item['isPriceSensitive']) ?? (mark === undefined ? null : mark === 'PS');
}

const isText = (value: unknown): boolean => readLine(value, MAX_HEADLINE) !== null;

export const ITEM_FIELDS: readonly RowField[] = [
  { name: 'document keys', isIn: ({ documentKey }) => isText(documentKey) },
  { name: 'codes', isIn: ({ symbol }) => isText(symbol) },
  { name: 'headlines', isIn: ({ headline }) => isText(headline) },
  { name: 'times of release', isIn: ({ date }) => readUtcTime(date) !== null },
  {
    name: 'price-sensitive marks',
    isIn: (item) => sensitivityOf(item, readLine(item['documentKey'], 100) ?? '') !== null,
  },
  { name: 'types', isIn: (item) => typesOf(item).length > 0 },
];

export function givenItems(body: unknown): readonly unknown[] {
  const data = isRecord(body) ? body['data'] : null;
  const items = isRecord(data) ? data['items'] : null;
  return Array.isArray(items) ? items.slice(0, MAX_ITEMS) : [];
}

/**
 * @param options.code of the company's list; null for the market's, where each item has its own
 * @param options.now epoch ms
 * @returns the announcement, or why it is unusable, with its key if it has one
 */
export function readItem(
  value: unknown,
  options: { base: string; code: string | null; now: number },
): Result<Listed, string> {
  if (!isRecord(value)) return failed('an announcement is not an object');
  const key = readLine(value['documentKey'], 100);
  if (key === null || !KEY.test(key)) return failed('an announcement without a usable document key');
  const code = options.code ?? readLine(value['symbol'], 20)?.toUpperCase() ?? '';
  if (!CODE.test(code)) return failed(`${key}: not an ASX code`);
  const headline = readLine(value['headline'], MAX_HEADLINE);
  if (headline === null) return failed(`${key}: no headline`);
  const time = readUtcTime(value['date']);
  if (time === null) return failed(`${key}: no time of release`);
  if (time > options.now + MAX_AHEAD_MS) return failed(`${key}: dated in the future`);
  const isPriceSensitive = sensitivityOf(value, key);
  if (isPriceSensitive === null) return failed(`${key}: no price-sensitive flag`);
  const url = documentUrl(options.base, key);
  return ok({
    id: key,
    plainKey: key.replace(MARK, ''),
    code,
    time,
    headline,
    url,
    document: url,
    announcementTypes: typesOf(value),
    isPriceSensitive,
  });
}

/** `refused` counts unreadable items; `total` is the number on all pages, null if not stated. */
export type ListAnswer =
  | {
      kind: 'list';
      items: Listed[];
      given: number;
      refused: number;
      firstRefusal: string | null;
      total: number | null;
    }
  | { kind: 'unusable'; reason: string };

/** A larger share of unreadable items means that the format changed. */
const MAX_REFUSED_SHARE = 0.5;
/** A larger share of items out of order means that the sorting changed. */
const MAX_DISORDER_SHARE = 0.2;
const MAX_ITEMS = 1000;

const unusable = (reason: string): ListAnswer => ({ kind: 'unusable', reason });

/** Times are whole seconds, so items of the same second may be in any order. */
const isDisordered = (items: readonly Listed[]): boolean =>
  items.filter(({ time }, at) => time > (items[at - 1]?.time ?? time)).length >
  items.length * MAX_DISORDER_SHARE;

/**
 * Reads a list in its order; an unreadable item is skipped.
 * @param body the parsed answer
 * @param options.code of the company's list; null for the market's
 */
export function readAnswer(
  body: unknown,
  options: { base: string; code: string | null; now: number },
): ListAnswer {
  const data = isRecord(body) ? body['data'] : null;
  if (!isRecord(data)) return unusable('sent data that is not a list of announcements');
  const given = data['items'];
  if (!Array.isArray(given)) return unusable('sent a list of announcements in an unknown format');
  const results = given.slice(0, MAX_ITEMS).map((item: unknown) => readItem(item, options));
  const items = results.flatMap((result) => (result.ok ? [result.value] : []));
  const refusals = results.flatMap((result) => (result.ok ? [] : [result.error]));
  const [firstRefusal = null] = refusals;
  if (refusals.length > results.length * MAX_REFUSED_SHARE) {
    const share = `${refusals.length} of ${results.length}`;
    return unusable(`sent ${share} announcements in an unknown format (${firstRefusal})`);
  }
  if (isDisordered(items)) return unusable('sent its announcements in an unknown order');
  const total = readCount(data['count']);
  return { kind: 'list', items, given: given.length, refused: refusals.length, firstRefusal, total };
}

const PAGE_SIZE = 100;

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
 * A page of the market's announcements, newest first.
 * @param base e.g. https://asx.api.markitdigital.com
 * @param page from 0
 * @param date YYYY-MM-DD in Sydney; the answer counts the announcements of this day
 */
export const marketPage = (base: string, page: number, date: string): HttpRequest =>
  get(
    below(
      base,
      `markets/announcements?page=${page}&itemsPerPage=${PAGE_SIZE}&summaryCountsDate=${date}&includeFacets=true`,
    ),
    'asx/markets/announcements',
  );

export const companyList = (base: string, code: string): HttpRequest =>
  get(
    below(base, `companies/${encodeURIComponent(code)}/announcements`),
    'asx/companies/{code}/announcements',
  );

/** The address of a document; lists have only its key. @param key letters, digits, - and _ */
const documentUrl = (base: string, key: string): string => below(base, `file/${encodeURIComponent(key)}`);
