import { fromSydney, sydneyDate } from '../../../market/rules/sydneyTime.ts';
import { isTradingDay, nextTradingDay, previousTradingDay } from '../../../market/rules/tradingDay.ts';

/** Between two looks while the exchange releases announcements, ms. */
export const ACTIVE_MS = 20_000;
/** And at other times. */
export const QUIET_MS = 5 * 60_000;

/** 07:30 to 20:30 in Sydney: outside of it hardly anything is released. */
const beginOf = (date: string): number => fromSydney(date, 7, 30);
const endOf = (date: string): number => fromSydney(date, 20, 30);

/**
 * How long to wait until the next look.
 * @param now epoch ms
 * @returns ms: 20 s in the hours of release of trading days; else 5 minutes, or less so that they are met
 */
export function waitAt(now: number): number {
  const today = sydneyDate(now);
  const trades = isTradingDay(today);
  if (trades && now >= beginOf(today) && now < endOf(today)) return ACTIVE_MS;
  const next = trades && now < beginOf(today) ? today : nextTradingDay(today);
  return Math.min(QUIET_MS, Math.max(ACTIVE_MS, beginOf(next) - now));
}

/** The beginning of the days that lists are read of: the previous trading day and since; epoch ms. */
export const firstTimeOf = (now: number): number => fromSydney(previousTradingDay(sydneyDate(now)), 0, 0);

/** The beginning of today in Sydney, epoch ms. */
export const todayFrom = (now: number): number => fromSydney(sydneyDate(now), 0, 0);
