import { phaseAt, statusFor } from '../../../domain/market/sessionClock.ts';
import type { StockStatus } from '../../../domain/market/stock.ts';
import { sydneyDate } from '../../../domain/market/sydneyTime.ts';

/** How the daily columns are to be read at one moment. */
export type SessionView = {
  now: number;
  /** Sydney date, YYYY-MM-DD. */
  today: string;
  status: StockStatus;
  /** What a row without any date is taken for. */
  undatedIsToday: boolean;
};

/** The public data run this far behind, so that the daily columns turn over this much after the open. */
const PUBLIC_DELAY_MS = 20 * 60_000;

/**
 * Before the open, and on days without trading, the daily columns still hold the last session. A row's bar time
 * decides: only a bar of today's Sydney date is today's. Rows without any time fall back on the exchange's phase
 * twenty minutes ago: before the open they are the last session's, from the open on today's. On a day without
 * trading nothing tells, and they are shown as they come.
 * @param now epoch ms
 */
export function sessionViewAt(now: number): SessionView {
  const today = sydneyDate(now);
  const behind = phaseAt(now - PUBLIC_DELAY_MS);
  const opensLaterToday = behind.phase === 'closed' && sydneyDate(behind.until) === today;
  const beforeOpen = behind.phase === 'pre-open' || behind.phase === 'ospa' || opensLaterToday;
  return { now, today, status: statusFor(phaseAt(now).phase), undatedIsToday: !beforeOpen };
}
