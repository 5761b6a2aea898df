import { sydneyParts } from './sydneyTime.ts';
import { isTradingDay, minutesEarly } from './tradingDay.ts';

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
