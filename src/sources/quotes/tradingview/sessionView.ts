import { sessionAt } from '#market/rules/session.ts';
import { phaseAt, statusFor } from '#market/rules/sessionClock.ts';
import type { StockStatus } from '#market/rules/stock.ts';

/** What the daily columns mean at one moment. */
export type SessionView = {
  now: number;
  /** Sydney date of the session that the Market shows, YYYY-MM-DD. */
  session: string;
  status: StockStatus;
  /** Whether a row without a date counts as this session's. */
  undatedIsSessions: boolean;
};

/** The delay of the public data: the daily columns begin to hold a session's trading so long after its open. */
const PUBLIC_DELAY_MS = 20 * 60_000;

/**
 * Until a session opens the daily columns hold the one before it, and they hold the last one over a weekend. The bar time
 * of each row decides: only a bar of the session's Sydney date is of the session. For rows without a time the exchange's
 * phase twenty minutes ago decides: before the open they count as the session's before, from the open on as this one's.
 * @param now epoch ms
 */
export function sessionViewAt(now: number): SessionView {
  const session = sessionAt(now);
  const behind = now - PUBLIC_DELAY_MS;
  const { phase } = phaseAt(behind);
  const isBeforeOpen = behind < session.since || phase === 'pre-open' || phase === 'ospa';
  const status = statusFor(phaseAt(now).phase);
  return { now, session: session.date, status, undatedIsSessions: !isBeforeOpen };
}
