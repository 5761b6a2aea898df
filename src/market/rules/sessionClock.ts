import { formatDate } from '#texts/format.ts';
import type { StockStatus } from './stock.ts';
import { fromSydney, sydneyDate, sydneyParts } from '#lib/sydneyTime.ts';
import {
  isTradingDay,
  minutesEarly,
  nextTradingDay,
  previousTradingDay,
  specialDaysRevision,
} from './tradingDay.ts';

/** OSPA and CSPA are the opening and closing single price auctions. */
export type SessionPhase =
  | 'closed'
  | 'pre-open'
  | 'ospa'
  | 'open'
  | 'pre-cspa'
  | 'cspa'
  | 'post-close'
  | 'adjust';

export type PhaseSpan = { phase: SessionPhase; since: number; until: number };

type Start = { phase: SessionPhase; second: number };

const at = (hour: number, minute: number, second = 0): number => hour * 3600 + minute * 60 + second;

/**
 * Start of each phase, in seconds after midnight in Sydney, as of the exchange's Service Release 15 (23 June
 * 2025). Auctions are at a random moment of some seconds; here it is fixed.
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

function startsOf(date: string): readonly Start[] {
  const early = minutesEarly(date);
  if (early === 0) return DAY;
  const moved = (start: Start): boolean => start.second >= at(16, 0) && start.phase !== 'closed';
  return DAY.map((start) => (moved(start) ? { ...start, second: start.second - early * 60 } : start));
}

const instantOf = (date: string, second: number): number =>
  fromSydney(date, Math.floor(second / 3600), Math.floor(second / 60) % 60, second % 60);

/**
 * The phases of a day, from the pre-open to the end of Adjust.
 * @param date YYYY-MM-DD in Sydney
 * @returns spans in epoch ms; empty on a non-trading day
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
 * The exchange's phase; respects holidays, weekends, early closes and special days.
 * @param now epoch ms
 * @returns the phase and its span; 'closed' lasts from one trading day's 19:00 to the next one's 07:00
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

/** Caches a span until it ends or the special days change. Until then it returns the identical span. */
function createSpanReader<T extends { since: number; until: number }>(
  at: (now: number) => T,
): (now: number) => T {
  let span: T | null = null;
  let revision = 0;
  return (now) => {
    if (span === null || now < span.since || now >= span.until || revision !== specialDaysRevision()) {
      span = at(now);
      revision = specialDaysRevision();
    }
    return span;
  };
}

/** Caches `phaseAt`, because it takes a third of a millisecond. */
export const createPhaseReader = (): ((now: number) => PhaseSpan) => createSpanReader(phaseAt);

/** Whether orders are collected for the opening auction. */
export const isPreOpen = (phase: SessionPhase): boolean => phase === 'pre-open' || phase === 'ospa';

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

export const statusFor = (phase: SessionPhase): StockStatus => STATUS[phase];

/** The first scanner after login (specification, 2.2): pre-market until 10:00 Sydney. @param now epoch ms */
export const defaultScannerRoute = (now: number): '/pre-market' | '/intra-day-small' =>
  sydneyParts(now).hour < 10 ? '/pre-market' : '/intra-day-small';

/** The time in which a session's figures are shown, epoch ms; `until` is exclusive. */
type Session = { date: string; since: number; until: number };

const beginOfSession = (date: string): number => phasesOf(date)[0]?.since ?? Number.NaN;

/**
 * The session shown: from 07:00 in Sydney over nights, weekends and holidays until the next one.
 * @param now epoch ms
 * @returns its date is a trading day, YYYY-MM-DD in Sydney
 */
export function sessionAt(now: number): Session {
  const today = sydneyDate(now);
  const hasBegun = isTradingDay(today) && now >= beginOfSession(today);
  const date = hasBegun ? today : previousTradingDay(today);
  return { date, since: beginOfSession(date), until: beginOfSession(nextTradingDay(date)) };
}

export const createSessionReader = (): ((now: number) => Session) => createSpanReader(sessionAt);

/**
 * Whether a quote's time proves that its figures are of a date, whose trading begins at 09:59. Figures equal
 * to the day before are then real.
 * @param statedAt epoch ms by the market's clock; null or absent if not stated
 * @param date YYYY-MM-DD in Sydney
 */
export const isQuotedOn = (statedAt: number | null | undefined, date: string): boolean =>
  typeof statedAt === 'number' && statedAt >= fromSydney(date, 9, 59);

/**
 * 'Last session: Friday 20 November'.
 * @param date of the session shown, YYYY-MM-DD
 * @param now the market's clock, epoch ms
 * @returns null if it is today's
 */
export function lastSessionMessage(date: string, now: number): string | null {
  if (date >= sydneyDate(now)) return null;
  return `Last session: ${formatDate(date).replace(/ \d{4}$/, '')}`;
}

export type MarketLabel = 'Intraday' | 'Pre-Open' | 'Off-Hours';

/**
 * The label of the market: Intraday from 10:00 to 16:15 (inclusive), Pre-Open from 08:45 until before 10:00,
 * otherwise Off-Hours. Non-trading days are always Off-Hours; an early close ends Intraday earlier.
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
