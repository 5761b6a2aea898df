import type { NewsDay, Stock } from '#market/rules/stock.ts';
import { type KeptAnnouncement, mattersMost, newestFirst } from './keptAnnouncement.ts';

/** What a model wrote of an announcement; without text, `note` says why it could not. */
export type KeptSummary = { text: string | null; note: string | null /** Epoch ms. */; at: number };

/** More than any company publishes in a day: what a provider sends beyond them must not fill every browser. */
const MAX_SHOWN = 50;

type Summaries = ReadonlyMap<string, KeptSummary>;

/**
 * A day's announcements of one stock as its record carries them. The summary is that of the announcement that matters
 * most; while that one has none, the day has none.
 * @param announcements at least one, newest first
 */
export function newsDayOf(announcements: readonly KeptAnnouncement[], summaries: Summaries): NewsDay {
  const most = mattersMost(announcements);
  const summary = (most && summaries.get(most.id)) ?? null;
  const shown = announcements.slice(0, MAX_SHOWN);
  return {
    headline: announcements[0]?.headline ?? null,
    summary: summary?.text ?? null,
    summary_generated_at: summary?.text == null ? null : new Date(summary.at).toISOString(),
    summary_of: summary?.text == null ? null : (most?.id ?? null),
    summary_note: summary?.note ?? null,
    alerted: announcements.some(({ isPriceSensitive }) => isPriceSensitive),
    announcements: Object.fromEntries(
      shown.map(({ id, headline, url, announcementTypes, isPriceSensitive, time }) => [
        id,
        { headline, url, announcementTypes, isPriceSensitive, time: new Date(time).toISOString() },
      ]),
    ),
  };
}

/** The dates of the session that is shown and of the trading day before it, YYYY-MM-DD. */
export type ShownDays = { today: string; previous: string };

/** The announcements of each date since the previous trading day, newest first. */
export const byDate = (
  announcements: readonly KeptAnnouncement[],
  { previous }: Pick<ShownDays, 'previous'>,
): Map<string, KeptAnnouncement[]> =>
  Map.groupBy(announcements.filter(({ date }) => date >= previous).sort(newestFirst), ({ date }) => date);

/** What a stock's record says of its announcements. */
export type StockNews = { news: NonNullable<Stock['news']>; sensitiveAnnouncements: number };

/**
 * What a stock's record says of its announcements: today's, those of the previous trading day and of the days between
 * them, and how many of today's are price sensitive. What came after midnight is of the session that begins then.
 */
export function stockNewsOf(
  announcements: readonly KeptAnnouncement[],
  days: ShownDays,
  summaries: Summaries,
): StockNews {
  const dates = byDate(announcements, days);
  const news = Object.fromEntries([...dates].map(([date, list]) => [date, newsDayOf(list, summaries)]));
  const sensitive = (dates.get(days.today) ?? []).filter(({ isPriceSensitive }) => isPriceSensitive);
  return { news, sensitiveAnnouncements: sensitive.length };
}

/**
 * The announcement of a stock that a summary is written of: the one of today that matters most, without any today that of
 * the newest day since the previous trading day.
 */
export function announcementToSummarise(
  announcements: readonly KeptAnnouncement[],
  days: ShownDays,
): KeptAnnouncement | null {
  const dates = byDate(announcements, days);
  const newest = [...dates.keys()]
    .filter((date) => date <= days.today)
    .sort()
    .at(-1);
  return mattersMost(dates.get(newest ?? '') ?? []);
}
