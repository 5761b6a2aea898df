import { fromSydney, sydneyDate } from '#market/rules/sydneyTime.ts';
import { isTradingDay, previousTradingDay } from '#market/rules/tradingDay.ts';

const HOUR = 16;
const MINUTE = 30;
/** A server that was off then sends it as late as this; afterwards the day is skipped. */
export const SUMMARY_WINDOW_MS = 2 * 3_600_000;

/** A trading day's summary: its Sydney date, YYYY-MM-DD, and from when until when it is sent, epoch ms. */
export type SummaryTime = { date: string; from: number; until: number };

/**
 * The summary that was due last: that of the newest trading day whose 16:30 in Sydney has come. Days that close early
 * have theirs at the same time.
 * @param now epoch ms, by the market's clock
 */
export function lastSummary(now: number): SummaryTime {
  const today = sydneyDate(now);
  const isToday = isTradingDay(today) && now >= fromSydney(today, HOUR, MINUTE);
  const date = isToday ? today : previousTradingDay(today);
  const from = fromSydney(date, HOUR, MINUTE);
  return { date, from, until: from + SUMMARY_WINDOW_MS };
}
