import { phaseAt, statusFor } from '../../../domain/market/sessionClock.ts';
import type { StockStatus } from '../../../domain/market/stock.ts';
import { sydneyDate } from '../../../domain/market/sydneyTime.ts';

/** What the daily columns mean at one moment. */
export type SessionView = {
  now: number;
  /** Sydney date, YYYY-MM-DD. */
  today: string;
  status: StockStatus;
  /** Whether a row without a date counts as today's. */
  undatedIsToday: boolean;
};

/** The delay of the public data: the daily columns begin to hold today's trading so long after the open. */
const PUBLIC_DELAY_MS = 20 * 60_000;

/**
 * Before the open, and on days without trading, the daily columns still hold the last trading session. The bar time of
 * each row decides: only a bar of today's Sydney date is today's. For rows without a time the exchange's phase twenty
 * minutes ago decides: before the open they count as the last session's, from the open on as today's. On a day without
 * trading they count as today's, because nothing says which it is.
 * @param now epoch ms
 */
export function sessionViewAt(now: number): SessionView {
  const today = sydneyDate(now);
  const behind = phaseAt(now - PUBLIC_DELAY_MS);
  const opensLaterToday = behind.phase === 'closed' && sydneyDate(behind.until) === today;
  const beforeOpen = behind.phase === 'pre-open' || behind.phase === 'ospa' || opensLaterToday;
  return { now, today, status: statusFor(phaseAt(now).phase), undatedIsToday: !beforeOpen };
}
