import { DAY_MS } from '#lib/units.ts';
import { withoutMarks } from '#lib/text.ts';
import type { Announcement, NewsDay, Stock } from '#market/rules/stock.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';

export type KeptAnnouncement = Omit<Announcement, 'time'> & {
  /** The provider's id of the document. */
  id: string;
  /** Code in upper case; the stock may not be listed. */
  code: string;
  /** Release date in Sydney, YYYY-MM-DD. */
  date: string;
  /** Release time, epoch ms. */
  time: number;
  document: string | null;
};

export const KEPT_MS = 400 * DAY_MS;
/** A date farther ahead is an error, such as a wrong year or a clock in 1970. */
const MAX_AHEAD_MS = 7 * DAY_MS;

const MAX_HEADLINE = 500;
const MAX_TYPES = 10;
const MAX_TYPE = 120;
const MAX_ADDRESS = 2000;

const ID = /^[\w.:|/=+-]{1,200}$/;
const CODE = /^[A-Z0-9][A-Z0-9.]{0,11}$/;

/** Names that would reach an object's prototype if used as keys. */
const RESERVED = new Set(['__proto__', 'constructor', 'prototype']);

const BREAKS = /[\p{Cc}\u2028\u2029]/gu;

/** One line without invisible characters and repeated spaces, truncated to a length. */
function line(text: string, length: number): string {
  const words = withoutMarks(text.slice(0, length * 4))
    .replaceAll(BREAKS, ' ')
    .split(' ')
    .filter((word) => word !== '');
  const whole = words.join(' ');
  return whole.length > length ? `${whole.slice(0, length - 1).trimEnd()}…` : whole;
}

/** Keeps only http and https addresses; others, such as a script address, become null. */
const address = (text: string | null): string | null =>
  text !== null && text.length <= MAX_ADDRESS && /^https?:\/\//i.test(text) ? text : null;

/**
 * Limits all texts that a source sends.
 * @param now epoch ms, by the source's clock
 * @returns null without an id, a code or a headline, or if the release is too old or too far ahead
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

/** Sorts newest first; ties have a stable order. */
const newestFirst = (
  a: Pick<KeptAnnouncement, 'time' | 'id'>,
  b: Pick<KeptAnnouncement, 'time' | 'id'>,
): number => b.time - a.time || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);

/** The newest price-sensitive announcement, otherwise the newest of all; `announcements` has the newest first. */
export const mattersMost = <T extends Pick<KeptAnnouncement, 'isPriceSensitive'>>(
  announcements: readonly T[],
): T | null => announcements.find(({ isPriceSensitive }) => isPriceSensitive) ?? announcements[0] ?? null;

/** The model's summary; without text, `note` says why. */
export type KeptSummary = { text: string | null; note: string | null /** Epoch ms. */; at: number };

/** Limit of shown announcements, above any company's day, so that a faulty provider does not fill browsers. */
const MAX_SHOWN = 50;

type Summaries = ReadonlyMap<string, KeptSummary>;

/**
 * One day's announcements for the stock's record, with the summary of the most important one if there is one.
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

/** Dates of the current session and the trading day before it, YYYY-MM-DD. */
export type ShownDays = { today: string; previous: string };

const byDate = (
  announcements: readonly KeptAnnouncement[],
  { previous }: Pick<ShownDays, 'previous'>,
): Map<string, KeptAnnouncement[]> =>
  Map.groupBy(announcements.filter(({ date }) => date >= previous).sort(newestFirst), ({ date }) => date);

export type StockNews = { news: NonNullable<Stock['news']>; sensitiveAnnouncements: number };

/**
 * The announcements in a stock's record: today's, and those since the previous trading day; also the number of today's
 * price-sensitive ones. An announcement after midnight belongs to the session that begins then.
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
 * The announcement to summarise: the most important one of today, otherwise of the newest day since the previous
 * trading day.
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
