import { readTime } from '#lib/read.ts';
import { formatShortDate, formatTime } from '#texts/format.ts';
import { hasHeadlineToday, newsFor, type NewsItem, previousNews } from './announcements.ts';
import { SUMMARISE_LEVEL } from '#platform/http/rules/accessLevel.ts';
import type { NewsDay, Stock, Trend } from './stock.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';

export const NO_SUMMARY = 'No summary available yet.';
export const SUMMARY_CAUTION = 'Written by an AI model from the announcement; may be wrong';
export const REFRESH_MESSAGE = 'Updates appear within a few seconds.';
export const SUMMARISE_MESSAGE = 'A summary takes about 30 seconds.';

const hasName = ({ name }: Pick<Stock, 'name'>): boolean => name.trim() !== '';

/** Whether a row offers a refresh (specification, section 4). @param today Sydney date, YYYY-MM-DD */
export const offersRefresh = (
  stock: Pick<Stock, 'name' | 'news' | 'sensitiveAnnouncements'>,
  today: string,
): boolean => hasName(stock) && ((stock.sensitiveAnnouncements ?? 0) > 0 || !hasHeadlineToday(stock, today));

/** Whether a row offers a summary (specification, section 4). @param summary the existing one */
export const offersSummary = (
  stock: Pick<Stock, 'name'>,
  summary: string | null,
  { accessLevel, hasModel }: { accessLevel: number; hasModel: boolean },
): boolean => hasModel && accessLevel >= SUMMARISE_LEVEL && summary === null && hasName(stock);

export type NewsSummary = {
  text: string | null;
  generatedAt: string | null;
  note: string | null;
  of: NewsItem | null;
};

/** The summary of today's news, otherwise of the previous day's. @param today Sydney date, YYYY-MM-DD */
export function summaryOf(stock: Pick<Stock, 'news'>, today: string): NewsSummary {
  const { today: day, todayItems, previousItems } = newsFor(stock, today);
  const previous = previousNews(stock, today)?.day ?? null;
  const hasNews = todayItems.length > 0 || Boolean(day?.headline) || Boolean(day?.summary);
  return hasNews || previous === null ? summaryIn(day, todayItems) : summaryIn(previous, previousItems);
}

function summaryIn(day: NewsDay | null, items: readonly NewsItem[]): NewsSummary {
  const text = day?.summary || null;
  return {
    text,
    generatedAt: text === null ? null : (day?.summary_generated_at ?? null),
    note: day?.summary_note || null,
    of: (text !== null && items.find(({ id }) => id === day?.summary_of)) || null,
  };
}

/**
 * Release time in Sydney: '09:10', on another day '19 Nov 09:10'.
 * @param time ISO 8601 or epoch ms; a dash for anything else
 * @param date the day shown without a date, YYYY-MM-DD in Sydney
 */
export function releaseText(time: string | number, date: string): string {
  const known = readTime(time);
  if (known === null) return formatTime(time);
  const day = sydneyDate(known);
  return day === date ? formatTime(known) : `${formatShortDate(day, date)} ${formatTime(known)}`;
}

type TrendWord = 'up' | 'down' | 'flat';

/**
 * The direction of a trend (specification, section 4).
 * @param up consecutive closes that rose
 * @param down consecutive closes that fell
 */
const trendWord = (up: number, down: number): TrendWord => (up > 0 ? 'up' : down > 0 ? 'down' : 'flat');

type TrendPart = { unit: 'day' | 'week'; word: TrendWord; count: number };

/** Days and weeks; `count` is the number of consecutive closes, 0 if flat. */
const trendParts = (trend: Trend): [TrendPart, TrendPart] => [
  trendPart('day', trend.daysUp, trend.daysDown),
  trendPart('week', trend.weeksUp, trend.weeksDown),
];

function trendPart(unit: TrendPart['unit'], up: number, down: number): TrendPart {
  const word = trendWord(up, down);
  return { unit, word, count: word === 'up' ? up : word === 'down' ? down : 0 };
}

export function shownTrend(trend: Trend): { word: TrendWord; text: string }[] {
  const parts = trendParts(trend);
  if (parts.every(({ word }) => word === 'flat')) return [{ word: 'flat', text: 'flat' }];
  return parts.map((part) => ({ word: part.word, text: trendText(part) }));
}

const trendText = ({ unit, word, count }: TrendPart): string =>
  word === 'flat' ? `flat (${unit}s)` : `${word} ${count} ${unit}${count === 1 ? '' : 's'}`;
