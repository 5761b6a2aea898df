import { formatDate } from '#texts/format.ts';
import type { StockStatus } from './stock.ts';
import { fromSydney, sydneyDate, sydneyParts } from './sydneyTime.ts';
import {
  isTradingDay,
  minutesEarly,
  nextTradingDay,
  previousTradingDay,
  specialDaysRevision,
} from './tradingDay.ts';

/** The phases of the exchange's trading day. OSPA and CSPA are the opening and closing single price auctions. */
export type SessionPhase =
  | 'closed'
  | 'pre-open'
  | 'ospa'
  | 'open'
  | 'pre-cspa'
  | 'cspa'
  | 'post-close'
  | 'adjust';

/** `since` inclusive, `until` exclusive, epoch ms. */
export type PhaseSpan = { phase: SessionPhase; since: number; until: number };

type Start = { phase: SessionPhase; second: number };

const at = (hour: number, minute: number, second = 0): number => hour * 3600 + minute * 60 + second;

/**
 * When each phase begins, in seconds after midnight in Sydney, as of the exchange's Service Release 15 (23 June 2025).
 * The exchange holds its auctions at a random moment of some seconds; here it is a fixed one within them.
 */
const DAY: readonly Start[] = [
  { phase: 'pre-open', second: at(7, 0) },
  { phase: 'ospa', second: at(9, 59) },
  { phase: 'open', second: at(9, 59, 45) },
  { phase: 'pre-cspa', second: at(16, 0) },
  { phase: 'cspa', second: at(16, 10) },
  { phase: 'post-close', second: at(16, 11) },
  { phase: 'adjust', second: at(16, 21, 30) },
  { phase: 'closed', second: at(19, 0) },
];

/** On an early close everything from the end of trading on comes as much sooner. */
function startsOf(date: string): readonly Start[] {
  const early = minutesEarly(date);
  if (early === 0) return DAY;
  const moved = (start: Start): boolean => start.second >= at(16, 0) && start.phase !== 'closed';
  return DAY.map((start) => (moved(start) ? { ...start, second: start.second - early * 60 } : start));
}

const instantOf = (date: string, second: number): number =>
  fromSydney(date, Math.floor(second / 3600), Math.floor(second / 60) % 60, second % 60);

/**
 * The phases of one trading day, in order, from the pre-open to the end of Adjust.
 * @param date YYYY-MM-DD in Sydney
 * @returns spans in epoch ms; empty when the market does not trade that day
 */
export function phasesOf(date: string): PhaseSpan[] {
  if (!isTradingDay(date)) return [];
  const starts = startsOf(date).map(({ phase, second }) => ({ phase, since: instantOf(date, second) }));
  return starts.flatMap((start, index) => {
    const next = starts[index + 1];
    return next ? [{ ...start, until: next.since }] : [];
  });
}

const endOf = (spans: readonly PhaseSpan[]): number => spans.at(-1)?.until ?? Number.NEGATIVE_INFINITY;
const beginOf = (spans: readonly PhaseSpan[]): number => spans[0]?.since ?? Number.POSITIVE_INFINITY;

/**
 * The phase that the exchange is in, holidays, weekends, early closes and special days included.
 * @param now epoch ms
 * @returns the phase and the span it lasts; 'closed' spans from one trading day's 19:00 to the next one's 07:00
 */
export function phaseAt(now: number): PhaseSpan {
  const date = sydneyDate(now);
  const today = phasesOf(date);
  const running = today.find((span) => now >= span.since && now < span.until);
  if (running) return running;
  const before = now < beginOf(today);
  const since = before || today.length === 0 ? endOf(phasesOf(previousTradingDay(date))) : endOf(today);
  const nextDay = before && today.length > 0 ? date : nextTradingDay(date);
  return { phase: 'closed', since, until: beginOf(phasesOf(nextDay)) };
}

/**
 * A reader of `phaseAt` that keeps the phase until it is over or the special days change: the calendar costs a third of a
 * millisecond, and many ask with every tick. It gives the identical span while that holds.
 */
export function createPhaseReader(): (now: number) => PhaseSpan {
  let span: PhaseSpan | null = null;
  let revision = 0;
  return (now) => {
    if (span === null || now < span.since || now >= span.until || revision !== specialDaysRevision()) {
      span = phaseAt(now);
      revision = specialDaysRevision();
    }
    return span;
  };
}

const STATUS: Readonly<Record<SessionPhase, StockStatus>> = {
  closed: 'Post Trading',
  'pre-open': 'Pre Open',
  ospa: 'Pre Open',
  open: 'Open',
  'pre-cspa': 'CSPA',
  cspa: 'CSPA',
  'post-close': 'Post Close',
  adjust: 'Adjust',
};

/** The status that a stock has in a phase unless it is halted or suspended. */
export const statusFor = (phase: SessionPhase): StockStatus => STATUS[phase];

/**
 * The scanner that a signed-in user sees first (specification, section 2.2): pre-market until 10:00 in Sydney.
 * @param now epoch ms
 */
export const defaultScannerRoute = (now: number): '/pre-market' | '/intra-day-small' =>
  sydneyParts(now).hour < 10 ? '/pre-market' : '/intra-day-small';

/** A session and the time in which its figures are shown: `since` inclusive, `until` exclusive, epoch ms. */
export type Session = { date: string; since: number; until: number };

/** The beginning of the pre-open; never asked of a day without trading. */
const beginOfSession = (date: string): number => phasesOf(date)[0]?.since ?? Number.NaN;

/**
 * The session that the market shows: it begins with the pre-open, at 07:00 in Sydney, and stays after its close, over
 * nights, weekends and holidays, until the next one begins.
 * @param now epoch ms
 * @returns its date is a trading day, YYYY-MM-DD in Sydney
 */
export function sessionAt(now: number): Session {
  const today = sydneyDate(now);
  const hasBegun = isTradingDay(today) && now >= beginOfSession(today);
  const date = hasBegun ? today : previousTradingDay(today);
  return { date, since: beginOfSession(date), until: beginOfSession(nextTradingDay(date)) };
}

/**
 * Whether the time of a quote says that its figures are of a date's trading, which begins at 09:59. Figures that equal those
 * of the day before are no leftovers of it then.
 * @param statedAt as the provider states it, epoch ms by the market's clock; null or absent if it states none
 * @param date YYYY-MM-DD in Sydney
 */
export const isQuotedOn = (statedAt: number | null | undefined, date: string): boolean =>
  typeof statedAt === 'number' && statedAt >= fromSydney(date, 9, 59);

/**
 * Says that the market shows an earlier day: 'Last session: Friday 20 November'.
 * @param date the date of the session shown, YYYY-MM-DD
 * @param now the market's clock, epoch ms
 * @returns null while it is of the present Sydney date
 */
export function lastSessionNotice(date: string, now: number): string | null {
  if (date >= sydneyDate(now)) return null;
  return `Last session: ${formatDate(date).replace(/ \d{4}$/, '')}`;
}

/** The market status that the scanner strip shows (specification, section 2.3). */
export type MarketLabel = 'Intraday' | 'Pre-Open' | 'Off-Hours';

/**
 * The market status: Intraday from 10:00 to 16:15 (that minute included), Pre-Open from 08:45 until before 10:00, else
 * Off-Hours. On days without trading it is always Off-Hours; on an early close Intraday ends as much sooner as trading.
 * @param now epoch ms
 */
export function marketLabel(now: number): MarketLabel {
  const { date, hour, minute } = sydneyParts(now);
  if (!isTradingDay(date)) return 'Off-Hours';
  const minutes = hour * 60 + minute;
  const last = 16 * 60 + 15 - minutesEarly(date);
  if (minutes >= 10 * 60 && minutes <= last) return 'Intraday';
  return minutes >= 8 * 60 + 45 && minutes < 10 * 60 ? 'Pre-Open' : 'Off-Hours';
}
