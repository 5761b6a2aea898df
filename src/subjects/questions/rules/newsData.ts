import { plainLine } from '#texts/plainText.ts';
import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import { formatExactFigure } from '#subjects/calendar/rules/figures.ts';
import type { LeaderboardEntry } from '#subjects/calls/rules/types.ts';
import { formatTime } from '#texts/format.ts';
import type { Announcement } from '#market/rules/stock.ts';
import { readTime } from '#lib/read.ts';
import { momentText } from './prompt.ts';

/** Announcements that a question looks at. */
export const MAX_ANNOUNCEMENTS = 15;
const MAX_EVENTS = 50;
const MAX_SUBMITTERS = 15;
const MAX_LINE = 160;
const MAX_SUMMARY = 1200;

type Headline = Pick<Announcement, 'headline' | 'announcementTypes' | 'isPriceSensitive' | 'time'>;

function released(time: string): string {
  const known = readTime(time);
  return known === null ? 'not known' : momentText(known);
}

const announcementData = ({ headline, announcementTypes, isPriceSensitive, time }: Headline) => ({
  released: released(time),
  headline: plainLine(headline, MAX_LINE),
  types: announcementTypes.slice(0, 4).map((type) => plainLine(type, 60)),
  price_sensitive: isPriceSensitive,
});

/**
 * The newest announcements of a company, with the summary that a model wrote of the one that matters most.
 * @param newest newest first; times in ISO 8601
 */
export const announcementsData = (code: string, newest: readonly Headline[], summary: string | null) => ({
  code,
  announcements: newest.slice(0, MAX_ANNOUNCEMENTS).map(announcementData),
  ...(summary !== null && { newest_summary_by_a_model: plainLine(summary, MAX_SUMMARY) }),
});

const IMPORTANCE: Record<CalendarEvent['volatility'], number> = { HIGH: 0, MEDIUM: 1, LOW: 2 };

const eventData = (event: CalendarEvent) => ({
  time: event.isAllDay ? 'all day' : `${formatTime(event.dateUtc)} Sydney`,
  country: plainLine(event.countryCode, 8),
  currency: plainLine(event.currencyCode, 8),
  event: plainLine(event.name, MAX_LINE),
  impact: event.volatility,
  ...(event.actual !== null && { actual: formatExactFigure(event.actual, event) }),
  ...(event.consensus !== null && { consensus: formatExactFigure(event.consensus, event) }),
  ...(event.previous !== null && { previous: formatExactFigure(event.previous, event) }),
});

/** A day's events in their order; where there are too many, those that matter least are left out. */
export function calendarData(events: readonly CalendarEvent[]) {
  const important = events
    .toSorted((a, b) => IMPORTANCE[a.volatility] - IMPORTANCE[b.volatility])
    .slice(0, MAX_EVENTS);
  const kept = new Set(important);
  return {
    events: events.filter((event) => kept.has(event)).map(eventData),
    left_out: events.length - kept.size,
  };
}

const tenth = (value: number | null): number | null => (value === null ? null : Math.round(value * 10) / 10);

/** The first of the leaderboard; money in AUD, rates in percent. */
export const leaderboardData = (entries: readonly LeaderboardEntry[]) => ({
  submitters: entries.slice(0, MAX_SUBMITTERS).map(({ submitter, metrics }) => ({
    submitter: plainLine(submitter.display, 60),
    rank: metrics.rank,
    provisional_rank: metrics.provisionalRank,
    days_with_results: metrics.days,
    calls: metrics.total,
    open: metrics.open,
    closed: metrics.closed,
    pocketed: metrics.pocketedValue,
    average_pocketed: metrics.averagePocketed,
    verified_results: metrics.verified,
    win_rate_percent: tenth(metrics.winRate),
    mean_result_percent: tenth(metrics.averageVerified),
    mean_against_market_percent: tenth(metrics.averageAgainstMarket),
  })),
  left_out: Math.max(0, entries.length - MAX_SUBMITTERS),
});
