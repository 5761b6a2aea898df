import type { Wire } from '#lib/contract/fields.ts';
import type { headline } from '../answers/news.ts';
import type { Db } from '#platform/db/open.ts';
import type { Steps } from '#platform/http/readQueue.ts';
import { NUMBERS_A_MS, readTypes } from './store.ts';
import { hasWords, isWhole, wordsOfAnnouncement } from '../rules/searchWords.ts';

/** A query; all given members must match. */
type Sought = {
  /** Words from `wantedWords`; the last may be a prefix. Null matches any text. */
  words: readonly string[] | null;
  code: string | null;
  /** First and last moment of a day, epoch ms. */
  span: { from: number; until: number } | null;
  /** The time (epoch ms) up to which announcements are shown. */
  until: number;
  limit: number;
};

export type Found = Wire<typeof headline>;

type Row = Omit<Found, 'time' | 'isPriceSensitive' | 'announcementTypes'> & {
  time: number;
  types: string;
  is_price_sensitive: number;
};
type Params = Record<string, string | number | null>;

/** Limit of announcements whose words are compared one by one; a stock or a day has fewer. */
const MAX_SEARCHED = 2000;
const ROWS_A_STEP = 100;

const SELECT = 'SELECT a.id, a.code, a.headline, a.url, a.time, a.types, a.is_price_sensitive';

/** A full-text query. Words contain only letters and digits, so they need no escaping. */
const matchOf = (words: readonly string[]): string =>
  words
    .map((word, index) => (index === words.length - 1 && !isWhole(word) ? `"${word}"*` : `"${word}"`))
    .join(' AND ');

function found({ types, is_price_sensitive, time, ...row }: Row): Found {
  const isPriceSensitive = is_price_sensitive === 1;
  return {
    ...row,
    time: new Date(time).toISOString(),
    isPriceSensitive,
    announcementTypes: readTypes(types),
  };
}

const prepare = (client: Db['$client']) => ({
  // Row numbers increase with time, so the search can stop at the newest matches.
  byWords: client.query<Row, Params>(
    `${SELECT} FROM announcement_words w JOIN announcements a ON a.number = w.rowid
     WHERE announcement_words MATCH $match AND w.rowid <= $last AND a.source = $source AND a.time <= $until
     ORDER BY w.rowid DESC LIMIT $limit`,
  ),
  byCode: client.query<Row, Params>(
    `${SELECT} FROM announcements a INDEXED BY announcements_code
     WHERE a.source = $source AND a.code = $code AND a.time BETWEEN $from AND $until
     ORDER BY a.time DESC, a.number DESC LIMIT $limit`,
  ),
  byTime: client.query<Row, Params>(
    `${SELECT} FROM announcements a INDEXED BY announcements_time
     WHERE a.source = $source AND a.time BETWEEN $from AND $until
     ORDER BY a.time DESC, a.number DESC LIMIT $limit`,
  ),
});

function* fittingRows(rows: readonly Row[], words: readonly string[], limit: number): Steps<Row[]> {
  const fitting: Row[] = [];
  for (const [index, row] of rows.entries()) {
    if (index % ROWS_A_STEP === 0) yield;
    if (hasWords(wordsOfAnnouncement(row), words)) fitting.push(row);
    if (fitting.length === limit) break;
  }
  return fitting;
}

export function announcementSearch({ $client: client }: Db, source: string) {
  const { byWords, byCode, byTime } = prepare(client);

  function walk({ code, span, until }: Sought, limit: number): Row[] {
    const times = { from: span?.from ?? 0, until: Math.min(until, span?.until ?? until) };
    if (code === null) return byTime.all({ source, ...times, limit });
    return byCode.all({ source, ...times, code, limit });
  }

  return function* (sought: Sought): Steps<Found[]> {
    const { words, code, span, until, limit } = sought;
    if (words === null) return walk(sought, limit).map(found);
    if (words.length === 0) return [];
    if (code !== null || span !== null) {
      const rows = yield* fittingRows(walk(sought, MAX_SEARCHED), words, limit);
      return rows.map(found);
    }
    const last = until * NUMBERS_A_MS + NUMBERS_A_MS - 1;
    return byWords.all({ match: matchOf(words), source, until, last, limit }).map(found);
  };
}

export type AnnouncementSearch = ReturnType<typeof announcementSearch>;
