import { readTime } from '#lib/read.ts';
import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import type { Announcement, Stock } from '#market/rules/stock.ts';
import { livePrice } from '#market/rules/stockState.ts';
import { pips } from '#market/rules/priceStep.ts';
import { DEFAULT_MIN_VALUE, OPEN_FILTERS } from '#market/scanners/rules/filters.ts';
import type { ScannerRow } from '#market/scanners/rules/membership.ts';
import { type ScannerKey, SCANNERS, SNAPSHOT_TITLE } from '#market/scanners/rules/scanners.ts';
import { formatExactFigure } from '#subjects/calendar/rules/figures.ts';
import type { LeaderboardEntry } from '#subjects/calls/rules/types.ts';
import { scannerTables } from '#subjects/scanners/rules/scannerTables.ts';
import { formatTime } from '#texts/format.ts';
import { plainLine } from '#texts/plainText.ts';
import { momentText } from './prompt.ts';
import type { QuestionLevel } from './question.ts';
import type { MoverScanner } from './tools.ts';

const MAX_NAME = 80;

const rounded = (value: number | null): number | null =>
  value === null ? null : Math.round(value * 100) / 100;

/** Drops null members, because models sometimes read null as a figure. */
const known = (members: Record<string, string | number | null>): Record<string, string | number> =>
  Object.fromEntries(
    Object.entries(members).filter((member): member is [string, string | number] => member[1] !== null),
  );

const publicQuote = (stock: Stock): Record<string, string | number> =>
  known({
    code: stock.code,
    name: plainLine(stock.name, MAX_NAME),
    status: stock.status,
    last: livePrice(stock),
    previous_close: stock.close,
    change: stock.change,
    change_percent: rounded(stock.change_percent),
  });

/** The part of a quote that a level may see; prices in AUD, volumes in shares. */
export function quoteData(stock: Stock, level: QuestionLevel): Record<string, string | number> {
  if (level < 2) return publicQuote(stock);
  return {
    ...publicQuote(stock),
    ...known({
      open: stock.open,
      high: stock.high,
      low: stock.low,
      vwap: stock.vwap,
      volume: stock.volume,
      value: stock.value,
      relative_volume: rounded(stock.relativeVolume),
      indicative_match_price: stock.match_price,
      indicative_match_volume: stock.match_vol,
      indicative_change_percent: rounded(stock.indicativeChangePercent),
      market_cap: stock.marketCap,
      sector: stock.sector === null ? null : plainLine(stock.sector, MAX_NAME),
      price_sensitive_announcements_today: stock.sensitiveAnnouncements,
    }),
  };
}

const METRICS: Record<MoverScanner, (row: ScannerRow) => number | null> = {
  preMarket: (row) => row.indicativeChangePercent,
  intraDaySmall: (row) => pips(row.close, row.last),
  intraDayMidLarge: (row) => pips(row.close, row.last),
  intraDayLargeCap: (row) => row.change_percent,
};

function moverData(scanner: MoverScanner, row: ScannerRow): Record<string, string | number> {
  const isPreMarket = scanner === 'preMarket';
  return known({
    code: row.code,
    name: plainLine(row.name, MAX_NAME),
    [isPreMarket ? 'gap_percent' : 'change_percent']: rounded(
      isPreMarket ? row.indicativeChangePercent : row.change_percent,
    ),
    [isPreMarket ? 'match_price' : 'last']: isPreMarket ? row.match_price : row.last,
    pips: isPreMarket ? null : pips(row.close, row.last),
    previous_close: row.close,
    value: isPreMarket ? row.match_value : row.value,
    relative_volume: rounded(row.relativeVolume),
  });
}

type MoversInput = {
  scanner: MoverScanner;
  stocks: ReadonlyMap<string, Stock>;
  ignoreStatus: boolean;
  /** Sydney date of the session, YYYY-MM-DD. */
  today: string;
  limit: number;
};

/** The first rows of a scanner with the default minimum value and order. */
export function moversData({ scanner, stocks, ignoreStatus, today, limit }: MoversInput) {
  const filters = { ...OPEN_FILTERS, minValue: DEFAULT_MIN_VALUE };
  const tables = scannerTables({ scanner, stocks, filters, matches: null, ignoreStatus, today });
  const isSnapshot = tables.rows.length === 0 && tables.snapshotRows.length > 0;
  const rows = isSnapshot ? tables.snapshotRows : tables.rows;
  const metric = METRICS[scanner];
  const valueOf = (row: ScannerRow): number => metric(row) ?? Number.NEGATIVE_INFINITY;
  const key: ScannerKey = scanner;
  return {
    scanner: SCANNERS[key].title,
    table: isSnapshot ? SNAPSHOT_TITLE : SCANNERS[key].title,
    ranked_by: SCANNERS[key].metric.label,
    least_value_aud: DEFAULT_MIN_VALUE,
    rows_in_all: rows.length,
    rows: [...rows]
      .sort((a, b) => valueOf(b) - valueOf(a) || (a.code < b.code ? -1 : 1))
      .slice(0, limit)
      .map((row) => moverData(scanner, row)),
  };
}

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
 * The newest announcements of a company, and the summary of the most important one.
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

/** A day's events in order; if there are too many, the least important ones are dropped. */
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

/** The leaderboard; money in AUD, rates in percent. */
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
    mean_against_market_percent: tenth(metrics.marketKnown === 0 ? null : metrics.averageAgainstMarket),
  })),
  left_out: Math.max(0, entries.length - MAX_SUBMITTERS),
});
