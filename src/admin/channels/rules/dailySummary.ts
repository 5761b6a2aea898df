import { compareCodes } from '#lib/text.ts';
import type { Stock } from '#market/rules/stock.ts';
import { addDays, fromSydney, sydneyDate, weekdayOf } from '#market/rules/sydneyTime.ts';
import { isTradingDay, previousTradingDay } from '#market/rules/tradingDay.ts';
import { defaultFilters } from '#market/scanners/rules/filters.ts';
import { rowsFor, snapshotRowsFor } from '#market/scanners/rules/membership.ts';
import { type ScannerKey, SCANNERS } from '#market/scanners/rules/scanners.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { type Counting, countsResult } from '#subjects/calls/rules/correction.ts';
import { type Head, headText } from '#subjects/calls/rules/ledger/line.ts';
import type { Call } from '#subjects/calls/rules/types.ts';
import { formatDate, formatNumber, formatShortDate, formatSigned } from '#texts/format.ts';
import { plainLine } from '#texts/plainText.ts';

/** A call, and what of it counts. `isHidden`: it was rejected, so nobody is shown it. */
export type CountedCall = { call: Call; counting: Counting; isHidden: boolean };

/**
 * The verified results of a week, by the rules of the leaderboard: calls that ended in it, and filled ones that are open, at
 * the last price, so that a loss left open is not hidden.
 */
type WeekResults = {
  /** The week's Monday, YYYY-MM-DD. */
  since: string;
  ended: number;
  running: number;
  /** Results above 0. */
  gained: number;
  /** Percent; null without any result. */
  mean: number | null;
};

/** What happened to calls on a day of the market, newest first, and the results of its week. */
type CallDay = { opened: Call[]; closed: Call[]; week: WeekResults };

const dateOf = (time: string | null): string | null => (time === null ? null : sydneyDate(Date.parse(time)));

/** The Monday of a date's week; both YYYY-MM-DD. */
const mondayOf = (date: string): string => addDays(date, -((weekdayOf(date) + 6) % 7));

/**
 * What is told of calls on a day.
 *
 * @param date YYYY-MM-DD in Sydney, by the market's clock, as the calls' times are
 * @param calls those that were submitted or ended in the week, or more
 * @param running results of open calls at the last price, percent, those that count
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

/** A stock and what it moved, percent. */
type Mover = { code: string; percent: number };
/** The scanner's name on screen, and its stocks, those that moved most first. */
type ScannerMovers = { title: string; movers: Mover[]; count: number };

/** The custom scanner has every stock, and what it shows is each user's own. */
const SUMMED_UP: readonly ScannerKey[] = [
  'preMarket',
  'intraDaySmall',
  'intraDayMidLarge',
  'intraDayLargeCap',
];
/** Every price, and the least value that the scanners begin with. */
const FILTERS = { ...defaultFilters(false), priceGroup: null };

const percentOf = (key: ScannerKey, stock: Stock): number | null =>
  key === 'preMarket' ? stock.indicativeChangePercent : stock.change_percent;

/**
 * The stocks of each scanner that moved most: of the pre-market one by the gap of their last indicative auction, of the
 * others by the day's change. A stock whose move is not known is left out.
 *
 * @param options `ignoreStatus` as the source has it; `today` the session's Sydney date; `most` this many of each
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
  /** Of the source: 'Simulated', 'Delayed 20 min'. */
  label: string;
  scanners: readonly ScannerMovers[];
  calls: CallDay;
  /** The server's public address, without a slash at its end; null when it has none. */
  publicUrl: string | null;
};

/** Of each list, so that all of it fits into a message of every platform. */
export const MAX_MOVERS = 3;
const MAX_CALLS = 5;
const MAX_SUBMITTER = 24;

const percentText = (percent: number): string => `${formatSigned(percent, 1)} %`;
const moverText = ({ code, percent }: Mover): string => `${code} ${percentText(percent)}`;
const submitterOf = (call: Call): string => plainLine(call.submittedBy.display, MAX_SUBMITTER);
const plural = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

/** Some of a list, and how many more there are. */
const listText = (texts: readonly string[], count: number): string =>
  count > texts.length ? `${texts.join(', ')} and ${count - texts.length} more` : texts.join(', ');

function scannerLine({ title, movers, count }: ScannerMovers): string {
  return `${title}: ${count === 0 ? 'no stocks' : listText(movers.map(moverText), count)}`;
}

const openedText = (call: Call): string =>
  `${call.symbol} by ${submitterOf(call)} (${call.callType} at ${formatNumber(call.entryPrice, 3)})`;

function closedText(call: Call): string {
  const { verified, awaitingTrade, isInReview } = call;
  const noResult = isInReview ? 'in review' : 'no verified result';
  const pending = awaitingTrade === null ? noResult : 'awaits its next trade';
  return `${call.symbol} by ${submitterOf(call)} (${verified === null ? pending : percentText(verified.percent)})`;
}

function callLine(what: string, calls: readonly Call[], textOf: (call: Call) => string): string {
  if (calls.length === 0) return `Calls ${what}: none`;
  return `Calls ${what}: ${listText(calls.slice(0, MAX_CALLS).map(textOf), calls.length)}`;
}

/** The index of trust: what the recorded prices say of the week's calls. */
function trustLine({ since, ended, running, gained, mean }: WeekResults, date: string): string {
  const total = ended + running;
  const head = `Verified results since ${formatShortDate(since, date)}:`;
  if (mean === null) return `${head} none yet`;
  const open = running === 0 ? '' : `, ${running} of them open at the last price`;
  return `${head} ${gained} of ${plural(total, 'call')} gained${open}; mean ${percentText(mean)}`;
}

/** What channels are told after the close: the movers of each scanner, the day's calls, the week's verified results. */
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

/** After the daily summary, and also on days without one. */
const LEDGER_HOUR = 19;

/**
 * The day whose head is to be told now: from 19:00 in Sydney to midnight.
 *
 * @param now epoch ms, by the wall clock, as the ledger's times are
 * @returns the Sydney date, YYYY-MM-DD, and since when it is told, epoch ms; null before 19:00
 */
export function headDay(now: number): { date: string; since: number } | null {
  const date = sydneyDate(now);
  const since = fromSydney(date, LEDGER_HOUR, 0);
  return now < since ? null : { date, since };
}

/**
 * What a channel is told of the ledger: with it everybody who reads there can tell later whether a line of before was
 * changed.
 *
 * @param publicUrl the server's public address, without a slash at its end; null when it has none
 */
export const headMessage = (head: Head, date: string, publicUrl: string | null): ChatMessage => ({
  title: `Ledger of calls · ${formatDate(date)}`,
  lines: [
    `Line and hash: ${headText(head)}`,
    'As long as the ledger contains them, nothing up to that line was changed.',
  ],
  link: publicUrl === null ? null : { text: 'Verify', url: `${publicUrl}/#/calls/ledger` },
  buttons: [],
});

const SUMMARY_HOUR = 16;
const SUMMARY_MINUTE = 30;
/** A server that was off then sends it as late as this; afterwards the day is skipped. */
const SUMMARY_WINDOW_MS = 2 * 3_600_000;

/** A trading day's summary: its Sydney date, YYYY-MM-DD, and from when until when it is sent, epoch ms. */
type SummaryTime = { date: string; from: number; until: number };

/**
 * The summary that was due last: that of the newest trading day whose 16:30 in Sydney has come. Days that close early
 * have theirs at the same time.
 * @param now epoch ms, by the market's clock
 */
export function lastSummary(now: number): SummaryTime {
  const today = sydneyDate(now);
  const isToday = isTradingDay(today) && now >= fromSydney(today, SUMMARY_HOUR, SUMMARY_MINUTE);
  const date = isToday ? today : previousTradingDay(today);
  const from = fromSydney(date, SUMMARY_HOUR, SUMMARY_MINUTE);
  return { date, from, until: from + SUMMARY_WINDOW_MS };
}
