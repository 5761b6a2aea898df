import { previousTradingDay } from './tradingDay.ts';
import type { Announcement, NewsDay, Stock } from './stock.ts';

export const NO_ANNOUNCEMENTS_TODAY = 'No announcements captured for today.';
export const SENSITIVE_BUT_UNPUBLISHED =
  'Price sensitive activity detected, but no ASX announcement was published yet.';

export type NewsItem = Announcement & { id: string; previousDay: boolean };

export type StockNews = {
  today: NewsDay | null;
  todayItems: NewsItem[];
  /** Announcements of the newest day with news since the previous trading day, newest first. */
  previousItems: NewsItem[];
};

/**
 * The date of a key of `stock.news` (specification, section 3).
 * @param key YYYY-MM-DD or DD/MM/YYYY
 * @returns YYYY-MM-DD; null for any other text
 */
export function newsDate(key: string): string | null {
  if (/^\d{4}-\d{2}-\d{2}$/.test(key)) return key;
  const parts = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(key);
  return parts ? `${parts[3]}-${parts[2]}-${parts[1]}` : null;
}

function dayOf(news: Stock['news'], date: string): NewsDay | null {
  if (!news) return null;
  const direct = news[date];
  if (direct) return direct;
  for (const key in news) if (newsDate(key) === date) return news[key] ?? null;
  return null;
}

const itemsOf = (day: NewsDay | null, previousDay: boolean): NewsItem[] =>
  Object.entries(day?.announcements ?? {})
    .map(([id, announcement]) => ({ ...announcement, id, previousDay }))
    .sort((a, b) => (a.time < b.time ? 1 : a.time > b.time ? -1 : a.id < b.id ? -1 : 1));

export type DatedNews = { date: string; day: NewsDay };

/** The newest day before today with news, back to the previous trading day. */
export function previousNews({ news }: Pick<Stock, 'news'>, today: string): DatedNews | null {
  const oldest = previousTradingDay(today);
  const dates = Object.keys(news ?? {})
    .map(newsDate)
    .filter((date): date is string => date !== null && date < today && date >= oldest)
    .sort();
  const date = dates.at(-1);
  const day = date === undefined ? null : dayOf(news, date);
  return date === undefined || day === null ? null : { date, day };
}

export function newsFor(stock: Pick<Stock, 'news'>, today: string): StockNews {
  const day = dayOf(stock.news, today);
  return {
    today: day,
    todayItems: itemsOf(day, false),
    previousItems: itemsOf(previousNews(stock, today)?.day ?? null, true),
  };
}

function hasHeadline(day: NewsDay | null): boolean {
  if (!day) return false;
  if (day.headline) return true;
  for (const _ in day.announcements) return true;
  return false;
}

export const hasHeadlineToday = (stock: Pick<Stock, 'news'>, today: string): boolean =>
  hasHeadline(dayOf(stock.news, today));

/**
 * Whether there is a headline or a price-sensitive announcement today. @param today Sydney date, YYYY-MM-DD
 */
export const hasNewsIcon = (stock: Pick<Stock, 'news' | 'sensitiveAnnouncements'>, today: string): boolean =>
  (stock.sensitiveAnnouncements ?? 0) > 0 || hasHeadlineToday(stock, today);

/** Whether a price-sensitive announcement is listed or counted today. @param today Sydney date, YYYY-MM-DD */
export function hasSensitiveNews(
  stock: Pick<Stock, 'news' | 'sensitiveAnnouncements'>,
  today: string,
): boolean {
  if ((stock.sensitiveAnnouncements ?? 0) > 0) return true;
  const announcements = dayOf(stock.news, today)?.announcements;
  for (const id in announcements) if (announcements[id]?.isPriceSensitive) return true;
  return false;
}

/**
 * Today's newest headline, followed by the newest price-sensitive one if that differs: 'Change of Address ·
 * Price sensitive: Quarterly Report'.
 * @param today Sydney date, YYYY-MM-DD
 * @returns null without a headline today
 */
export function newestHeadline(stock: Pick<Stock, 'news'>, today: string): string | null {
  const day = dayOf(stock.news, today);
  const items = itemsOf(day, false);
  const newest = day?.headline ?? items[0]?.headline ?? null;
  const sensitive = items.find((item) => item.isPriceSensitive)?.headline ?? null;
  if (newest === null || sensitive === null || sensitive === newest) return newest;
  return `${newest} · Price sensitive: ${sensitive}`;
}

export const noNewsText = (stock: Pick<Stock, 'sensitiveAnnouncements'>): string =>
  (stock.sensitiveAnnouncements ?? 0) > 0 ? SENSITIVE_BUT_UNPUBLISHED : NO_ANNOUNCEMENTS_TODAY;
