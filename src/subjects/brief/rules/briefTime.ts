import { ok, refuse, type Result } from '#lib/result.ts';
import { fromSydney, sydneyDate, sydneyParts } from '#lib/sydneyTime.ts';
import { isTradingDay, nextTradingDay } from '#market/rules/tradingDay.ts';

/** Minutes after midnight in Sydney: when the brief begins, when it is sent by default, and the open. */
export const FIRST_MINUTE = 8 * 60 + 45;
export const DEFAULT_MINUTE = 9 * 60 + 50;
export const OPEN_MINUTE = 10 * 60;

const momentOf = (date: string, minute: number): number =>
  fromSydney(date, Math.floor(minute / 60), minute % 60);

const minuteOfDay = (now: number): number => {
  const { hour, minute } = sydneyParts(now);
  return hour * 60 + minute;
};

type BriefTime = { state: 'ready' | 'waiting'; date: string; next: number };

/** The brief at a moment: from 08:45 in Sydney to midnight on trading days. @param now the market's clock, epoch ms */
export function briefTimeAt(now: number): BriefTime {
  const today = sydneyDate(now);
  const isTrading = isTradingDay(today);
  const following = momentOf(nextTradingDay(today), FIRST_MINUTE);
  if (isTrading && now >= momentOf(today, FIRST_MINUTE))
    return { state: 'ready', date: today, next: following };
  const next = isTrading ? momentOf(today, FIRST_MINUTE) : following;
  return { state: 'waiting', date: sydneyDate(next), next };
}

/**
 * The day and minute whose messages are due; null outside 08:45 to 10:00 on trading days, because a brief after the
 * open is useless.
 */
export function dueAt(now: number): { date: string; minute: number } | null {
  const date = sydneyDate(now);
  const minute = minuteOfDay(now);
  return isTradingDay(date) && minute >= FIRST_MINUTE && minute < OPEN_MINUTE ? { date, minute } : null;
}

/** Whether a day's message at this minute is already late. */
export const isPast = (now: number, minute: number): boolean => now >= momentOf(sydneyDate(now), minute);

/** When the next message is due, epoch ms. @param sentOn date of the last one, YYYY-MM-DD */
export function nextMessage(now: number, minute: number, sentOn: string | null): number {
  const today = sydneyDate(now);
  const isToday = isTradingDay(today) && sentOn !== today && minuteOfDay(now) < OPEN_MINUTE;
  return momentOf(isToday ? today : nextTradingDay(today), minute);
}

export type BriefChoice = { active: boolean; minute: number };

export function checkBriefChoice({
  active,
  minute,
}: Record<keyof BriefChoice, unknown>): Result<BriefChoice> {
  if (typeof active !== 'boolean') return refuse('`active` must be true or false.', 'active');
  const isMinute =
    typeof minute === 'number' && Number.isInteger(minute) && minute >= FIRST_MINUTE && minute < OPEN_MINUTE;
  return isMinute ? ok({ active, minute }) : refuse('Choose a time from 08:45 to 09:59 Sydney.', 'minute');
}
