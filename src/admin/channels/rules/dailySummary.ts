import { compareCodes } from '#lib/text.ts';
import type { Stock } from '#market/rules/stock.ts';
import { addDays, fromSydney, sydneyDate, weekdayOf } from '#lib/sydneyTime.ts';
import { isTradingDay, previousTradingDay } from '#market/rules/tradingDay.ts';
import { defaultFilters } from '#market/scanners/rules/filters.ts';
import { rowsFor, snapshotRowsFor } from '#market/scanners/rules/membership.ts';
import { type ScannerKey, SCANNERS } from '#market/scanners/rules/scanners.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { formatType } from '#subjects/calls/rules/callFormat.ts';
import { type Counting, countsResult } from '#subjects/calls/rules/correction.ts';
import { type LatestEntry, latestText } from '#subjects/calls/rules/ledger/entry.ts';
import type { Call } from '#subjects/calls/rules/types.ts';
import { formatDate, formatNumber, formatShortDate, formatSigned } from '#texts/format.ts';
import { plainLine } from '#texts/plainText.ts';

/** A call and how it counts; `isHidden` if it was rejected and is not shown. */
export type CountedCall = { call: Call; counting: Counting; isHidden: boolean };

/**
 * Verified results of a week, by the leaderboard's rules: calls that ended in the week, and filled open calls at the
 * last price, so that holding a loss open does not hide it.
 */
type WeekResults = {
  /** The week's Monday, YYYY-MM-DD. */
  since: string;
  ended: number;
  running: number;
  gained: number;
  /** Percent; null without any result. */
  mean: number | null;
};

type CallDay = { opened: Call[]; closed: Call[]; week: WeekResults };

const dateOf = (time: string | null): string | null => (time === null ? null : sydneyDate(Date.parse(time)));

/** The Monday of a date's week; both YYYY-MM-DD. */
const mondayOf = (date: string): string => addDays(date, -((weekdayOf(date) + 6) % 7));

/**
 * @param date YYYY-MM-DD in Sydney, by the market's clock like the calls' times
 * @param calls at least those submitted or ended in the week
 * @param running results of open calls at the last price, percent, only those that count
 */
export function callDay(date: string, calls: readonly CountedCall[], running: readonly number[]): CallDay {
  const since = mondayOf(date);
  const shown = calls.filter(({ isHidden }) => !isHidden).map(({ call }) => call);
  const ended = calls.flatMap(({ call, counting }) => {
    const on = dateOf(call.closedAt);
    const isOfWeek = on !== null && on >= since && on <= date;
    if (!isOfWeek || call.verified === null) return [];
    const { percent } = call.verified;
    return countsResult(counting, percent) ? [percent] : [];
  });
  const results = [...ended, ...running];
  const sum = results.reduce((total, percent) => total + percent, 0);
  return {
    opened: shown.filter(({ submittedAt }) => dateOf(submittedAt) === date),
    closed: shown.filter(({ closedAt, status }) => status === 'closed' && dateOf(closedAt) === date),
    week: {
      since,
      ended: ended.length,
      running: running.length,
      gained: results.filter((percent) => percent > 0).length,
      mean: results.length === 0 ? null : sum / results.length,
    },
  };
}

type Mover = { code: string; percent: number };
type ScannerMovers = { title: string; movers: Mover[]; count: number };

/** All scanners except the custom one, which contains every stock and is configured by each user. */
const SUMMED_UP: readonly ScannerKey[] = [
  'preMarket',
  'intraDaySmall',
  'intraDayMidLarge',
  'intraDayLargeCap',
];
const FILTERS = { ...defaultFilters(false), priceGroup: null };

const percentOf = (key: ScannerKey, stock: Stock): number | null =>
  key === 'preMarket' ? stock.indicativeChangePercent : stock.change_percent;

/**
 * The biggest movers per scanner: by the gap of the last indicative auction in pre-market, otherwise by the day's
 * change.
 * @param options `ignoreStatus` is the flag of the source; `today` the session's Sydney date; `most` per scanner
 */
export function topMovers(
  stocks: Iterable<Stock>,
  options: { ignoreStatus: boolean; today: string; most: number },
): ScannerMovers[] {
  const all = [...stocks];
  const { ignoreStatus, today, most } = options;
  return SUMMED_UP.map((key) => {
    const rowOptions = { filters: FILTERS, ignoreStatus, today };
    const rows = key === 'preMarket' ? snapshotRowsFor(all, rowOptions) : rowsFor(key, all, rowOptions);
    const movers = rows
      .flatMap((stock) => {
        const percent = percentOf(key, stock);
        return percent === null ? [] : [{ code: stock.code, percent }];
      })
      .sort((a, b) => b.percent - a.percent || compareCodes(a.code, b.code));
    return { title: SCANNERS[key].tab, movers: movers.slice(0, most), count: movers.length };
  });
}

type DailySummary = {
  /** The trading day, YYYY-MM-DD in Sydney. */
  date: string;
  /** Label of the source: 'Simulated', 'Delayed 20 min'. */
  label: string;
  scanners: readonly ScannerMovers[];
  calls: CallDay;
  publicUrl: string | null;
};

/** Limit per list, so that the message fits on every platform. */
export const MAX_MOVERS = 3;
const MAX_CALLS = 5;
const MAX_SUBMITTER = 24;

const percentText = (percent: number): string => `${formatSigned(percent, 1)}%`;
const moverText = ({ code, percent }: Mover): string => `${code} ${percentText(percent)}`;
const submitterOf = (call: Call): string => plainLine(call.submittedBy.display, MAX_SUBMITTER);
const plural = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

const listText = (texts: readonly string[], count: number): string =>
  count > texts.length ? `${texts.join(', ')} and ${count - texts.length} more` : texts.join(', ');

function scannerLine({ title, movers, count }: ScannerMovers): string {
  return `${title}: ${count === 0 ? 'no stocks' : listText(movers.map(moverText), count)}`;
}

const openedText = (call: Call): string =>
  `${call.symbol} by ${submitterOf(call)} (${formatType(call).toLowerCase()} at ${formatNumber(call.entryPrice, 3)})`;

function closedText(call: Call): string {
  const { verified, awaitingTrade, isInReview } = call;
  const noResult = isInReview ? 'in review' : 'no verified result';
  const pending = awaitingTrade === null ? noResult : 'waiting for its next trade';
  return `${call.symbol} by ${submitterOf(call)} (${verified === null ? pending : percentText(verified.percent)})`;
}

function callLine(what: string, calls: readonly Call[], textOf: (call: Call) => string): string {
  if (calls.length === 0) return `Calls ${what}: none`;
  return `Calls ${what}: ${listText(calls.slice(0, MAX_CALLS).map(textOf), calls.length)}`;
}

function trustLine({ since, ended, running, gained, mean }: WeekResults, date: string): string {
  const total = ended + running;
  const head = `Verified results since ${formatShortDate(since, date)}:`;
  if (mean === null) return `${head} none yet`;
  const open = running === 0 ? '' : `, ${running} of them open at the last price`;
  return `${head} ${gained} of ${plural(total, 'call')} gained${open}; mean ${percentText(mean)}`;
}

export function dailySummary({ date, label, scanners, calls, publicUrl }: DailySummary): ChatMessage {
  return {
    title: `Market summary · ${formatDate(date)} · ${label}`,
    lines: [
      ...scanners.map(scannerLine),
      callLine('opened', calls.opened, openedText),
      callLine('closed', calls.closed, closedText),
      trustLine(calls.week, date),
    ],
    link: publicUrl === null ? null : { text: 'Open Bellbird', url: publicUrl },
    buttons: [],
  };
}

/** Hour at which ledger entries are published: after the daily summary, and also on days without one. */
const LEDGER_HOUR = 19;

/**
 * The day whose latest ledger entry is due for publication: from 19:00 in Sydney to midnight.
 * @param now epoch ms by the wall clock, like the ledger's times
 * @returns `date` as YYYY-MM-DD in Sydney and `since` in epoch ms; null before 19:00
 */
export function headDay(now: number): { date: string; since: number } | null {
  const date = sydneyDate(now);
  const since = fromSydney(date, LEDGER_HOUR, 0);
  return now < since ? null : { date, since };
}

/** Publishes the newest ledger hash, so that readers can detect later changes to earlier entries. */
export const headMessage = (head: LatestEntry, date: string, publicUrl: string | null): ChatMessage => ({
  title: `Ledger of calls · ${formatDate(date)}`,
  lines: [
    `Latest entry and hash: ${latestText(head)}`,
    'If the ledger still contains this entry and hash, no entry up to it was changed.',
  ],
  link: publicUrl === null ? null : { text: 'Verify', url: `${publicUrl}/#/calls/ledger` },
  buttons: [],
});

const SUMMARY_HOUR = 16;
const SUMMARY_MINUTE = 30;
/** A summary may be this late after downtime, ms; then the day is skipped. */
const SUMMARY_WINDOW_MS = 2 * 3_600_000;

/** `date` is YYYY-MM-DD in Sydney; `from` and `until` are epoch ms. */
type SummaryTime = { date: string; from: number; until: number };

/**
 * The summary time of the newest trading day whose 16:30 in Sydney has passed, also on days with an early close.
 * @param now epoch ms, by the market's clock
 */
export function lastSummary(now: number): SummaryTime {
  const today = sydneyDate(now);
  const isToday = isTradingDay(today) && now >= fromSydney(today, SUMMARY_HOUR, SUMMARY_MINUTE);
  const date = isToday ? today : previousTradingDay(today);
  const from = fromSydney(date, SUMMARY_HOUR, SUMMARY_MINUTE);
  return { date, from, until: from + SUMMARY_WINDOW_MS };
}
