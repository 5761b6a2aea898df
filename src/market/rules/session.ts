import { formatDate } from '#texts/format.ts';
import { phasesOf } from './sessionClock.ts';
import { fromSydney, sydneyDate } from './sydneyTime.ts';
import { isTradingDay, nextTradingDay, previousTradingDay } from './tradingDay.ts';

/** A session and the time in which its figures are shown: `since` inclusive, `until` exclusive, epoch ms. */
export type Session = { date: string; since: number; until: number };

/** The beginning of the pre-open; never asked of a day without trading. */
const beginOf = (date: string): number => phasesOf(date)[0]?.since ?? Number.NaN;

/**
 * The session that the market shows: it begins with the pre-open, at 07:00 in Sydney, and stays after its close, over
 * nights, weekends and holidays, until the next one begins.
 * @param now epoch ms
 * @returns its date is a trading day, YYYY-MM-DD in Sydney
 */
export function sessionAt(now: number): Session {
  const today = sydneyDate(now);
  const hasBegun = isTradingDay(today) && now >= beginOf(today);
  const date = hasBegun ? today : previousTradingDay(today);
  return { date, since: beginOf(date), until: beginOf(nextTradingDay(date)) };
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
