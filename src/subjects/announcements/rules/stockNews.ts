import { withoutMarks } from '#lib/text.ts';
import type { Announcement, NewsDay, Stock } from '#market/rules/stock.ts';
import { sydneyDate } from '#market/rules/sydneyTime.ts';

/** An announcement as it is kept. */
export type KeptAnnouncement = Omit<Announcement, 'time'> & {
  /** The provider's key of the document. */
  id: string;
  /** Of the stock, upper case; it may not be listed. */
  code: string;
  /** Of its release in Sydney, YYYY-MM-DD. */
  date: string;
  /** When it was released, epoch ms. */
  time: number;
  /** Where the server fetches the document. */
  document: string | null;
};

const DAY_MS = 86_400_000;
/** How long announcements are kept. */
export const KEPT_MS = 400 * DAY_MS;
/** What is dated further ahead is no release but a mistake: a wrong year, or a clock that stands in 1970. */
const MAX_AHEAD_MS = 7 * DAY_MS;

const MAX_HEADLINE = 500;
const MAX_TYPES = 10;
const MAX_TYPE = 120;
const MAX_ADDRESS = 2000;

const ID = /^[\w.:|/=+-]{1,200}$/;
const CODE = /^[A-Z0-9][A-Z0-9.]{0,11}$/;

/** Names that would reach an object's prototype where ids are keys. */
const RESERVED = new Set(['__proto__', 'constructor', 'prototype']);

/** Control characters, line and paragraph separators. */
const BREAKS = /[\p{Cc}\u2028\u2029]/gu;

/** One line without unseen characters and repeated spaces, cut to a length. */
function line(text: string, length: number): string {
  const words = withoutMarks(text.slice(0, length * 4))
    .replaceAll(BREAKS, ' ')
    .split(' ')
    .filter((word) => word !== '');
  const whole = words.join(' ');
  return whole.length > length ? `${whole.slice(0, length - 1).trimEnd()}…` : whole;
}

/** An address of the web; null for any other, one that runs as a script among them. */
const address = (text: string | null): string | null =>
  text !== null && text.length <= MAX_ADDRESS && /^https?:\/\//i.test(text) ? text : null;

/**
 * What a source tells of a release, with everything that comes from outside bounded.
 * @param now epoch ms, by the clock of the source
 * @returns null when it can't be kept: without an id, a code or a headline, older than what is kept, or far ahead
 */
export function keptAnnouncement(
  release: Omit<KeptAnnouncement, 'date'>,
  now: number,
  dateOf: (time: number) => string = sydneyDate,
): KeptAnnouncement | null {
  const { id, code, time } = release;
  if (!ID.test(id) || RESERVED.has(id) || !CODE.test(code)) return null;
  if (!(time > now - KEPT_MS && time < now + MAX_AHEAD_MS)) return null;
  const headline = line(release.headline, MAX_HEADLINE);
  if (headline === '') return null;
  const types = release.announcementTypes.slice(0, MAX_TYPES).map((type) => line(type, MAX_TYPE));
  return {
    id,
    code,
    headline,
    date: dateOf(time),
    time: Math.trunc(time),
    url: address(release.url),
    document: address(release.document),
    announcementTypes: types.filter((type) => type !== ''),
    isPriceSensitive: release.isPriceSensitive,
  };
}

/** Newest first; those of one moment in an order that does not change. */
const newestFirst = (
  a: Pick<KeptAnnouncement, 'time' | 'id'>,
  b: Pick<KeptAnnouncement, 'time' | 'id'>,
): number => b.time - a.time || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);

/**
 * The announcement of several that matters most: the newest price-sensitive one, else the newest.
 * @param announcements newest first
 */
export const mattersMost = <T extends Pick<KeptAnnouncement, 'isPriceSensitive'>>(
  announcements: readonly T[],
): T | null => announcements.find(({ isPriceSensitive }) => isPriceSensitive) ?? announcements[0] ?? null;

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
function newsDayOf(announcements: readonly KeptAnnouncement[], summaries: Summaries): NewsDay {
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
const byDate = (
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
