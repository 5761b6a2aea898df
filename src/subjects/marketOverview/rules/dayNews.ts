import { newsDate } from '#market/rules/announcements.ts';
import type { Stock } from '#market/rules/stock.ts';
import { hasWords, wantedWords, wordsOfAnnouncement } from '#subjects/announcements/rules/searchWords.ts';

export type NewsLine = {
  /** The code and the provider's id of the document. */
  id: string;
  code: string;
  name: string;
  headline: string;
  url: string | null;
  types: readonly string[];
  isPriceSensitive: boolean;
  /** ISO 8601 in UTC. */
  time: string;
  /** The announcement's trading day, YYYY-MM-DD. */
  date: string;
};

/** Lines from a stock's record: of today, and since the previous trading day. */
export function newsLinesOf({ code, name, news }: Pick<Stock, 'code' | 'name' | 'news'>): NewsLine[] {
  if (!news) return [];
  return Object.entries(news).flatMap(([key, day]) => {
    const date = newsDate(key);
    if (date === null) return [];
    return Object.entries(day.announcements).map(([id, item]) => ({
      id: `${code} ${id}`,
      code,
      name,
      date,
      headline: item.headline,
      url: item.url,
      time: item.time,
      types: item.announcementTypes,
      isPriceSensitive: item.isPriceSensitive,
    }));
  });
}

export type NewsFilter = {
  sensitiveOnly: boolean;
  /** True for only the symbols on the user's watchlists. */
  watchedOnly: boolean;
  type: string;
  /** Words in the headline, or a code; empty for all. */
  words: string;
};

export const OPEN_NEWS: NewsFilter = { sensitiveOnly: false, watchedOnly: false, type: '', words: '' };

const isNewer = (a: NewsLine, b: NewsLine): number =>
  a.time === b.time ? (a.id < b.id ? -1 : 1) : a.time < b.time ? 1 : -1;

/** Days with announcements up to `today`, YYYY-MM-DD, newest first. */
export const newsDates = (lines: Iterable<NewsLine>, today: string): string[] =>
  [...new Set([...lines].map(({ date }) => date))]
    .filter((date) => date <= today)
    .sort()
    .reverse();

/** Announcements of a day, newest first. `watched` are the user's symbols; null (unknown) does not filter. */
export function filteredNews(
  lines: Iterable<NewsLine>,
  date: string,
  { sensitiveOnly, watchedOnly, type, words }: NewsFilter,
  watched: ReadonlySet<string> | null,
): NewsLine[] {
  const wanted = wantedWords(words);
  const found: NewsLine[] = [];
  for (const line of lines) {
    if (line.date !== date || (sensitiveOnly && !line.isPriceSensitive)) continue;
    if (watchedOnly && watched !== null && !watched.has(line.code)) continue;
    if (type !== '' && !line.types.includes(type)) continue;
    if (wanted.length > 0 && !hasWords(wordsOfAnnouncement(line), wanted)) continue;
    found.push(line);
  }
  return found.sort(isNewer);
}

export function newsTypes(lines: Iterable<NewsLine>, date: string): string[] {
  const counts = new Map<string, number>();
  for (const line of lines) {
    if (line.date !== date) continue;
    for (const type of line.types) counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([type]) => type);
}
