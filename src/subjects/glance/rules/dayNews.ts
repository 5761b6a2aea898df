import { newsDate } from '#market/rules/announcements.ts';
import type { Stock } from '#market/rules/stock.ts';
import { hasWords, wantedWords, wordsOfAnnouncement } from '#subjects/announcements/rules/searchWords.ts';

/** An announcement of the list of all stocks. */
export type NewsLine = {
  /** The provider's key of the document, behind the code. */
  id: string;
  code: string;
  name: string;
  headline: string;
  url: string | null;
  types: readonly string[];
  isPriceSensitive: boolean;
  /** ISO 8601, UTC. */
  time: string;
  /** The day that it belongs to, YYYY-MM-DD. */
  date: string;
};

/** What a stock's record holds of its announcements: of today, and of the previous trading day and since. */
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

/** Which announcements are listed; all that is given must hold. */
export type NewsFilter = {
  sensitiveOnly: boolean;
  /** Only of the symbols of the user's own list. */
  watchedOnly: boolean;
  /** '' for every type. */
  type: string;
  /** Words of the headline, or the code; '' for all. */
  words: string;
};

export const OPEN_NEWS: NewsFilter = { sensitiveOnly: false, watchedOnly: false, type: '', words: '' };

/** The newest first; those of one moment by code. */
const isNewer = (a: NewsLine, b: NewsLine): number =>
  a.time === b.time ? (a.id < b.id ? -1 : 1) : a.time < b.time ? 1 : -1;

/** The days that have announcements up to one, YYYY-MM-DD, the newest first. */
export const newsDates = (lines: Iterable<NewsLine>, today: string): string[] =>
  [...new Set([...lines].map(({ date }) => date))]
    .filter((date) => date <= today)
    .sort()
    .reverse();

/**
 * The announcements of a day that pass a filter, the newest first.
 * @param watched the symbols of the user's list; null while they are not known: then none is left out by it
 */
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

/** The types of a day's announcements, the commonest first. */
export function newsTypes(lines: Iterable<NewsLine>, date: string): string[] {
  const counts = new Map<string, number>();
  for (const line of lines) {
    if (line.date !== date) continue;
    for (const type of line.types) counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([type]) => type);
}
