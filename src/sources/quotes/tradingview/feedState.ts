import { isStandingStill } from '../../../domain/market/quoteLag.ts';
import type { SourceHealth } from '../source.ts';
import { formatNumber } from '../../../domain/format.ts';
import type { ShortList } from './listing.ts';
import type { Circuit } from '../../../lib/httpClient/circuit.ts';

/** The state of the connection to TradingView. */
export type FeedState = {
  circuit: Circuit;
  /** Why the last attempt failed, completing "TradingView …"; null after a good one. */
  failure: string | null;
  lastSuccess: number | null;
  /** When the next attempt is due, epoch ms; null while one is under way. */
  nextAttempt: number | null;
  measuredLagMs: number | null;
  /** Set while the newest answer listed far fewer stocks than those before. */
  shortList: ShortList | null;
};

function duration(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  if (seconds < 90) return `${seconds} second${seconds === 1 ? '' : 's'}`;
  return `${Math.round(seconds / 60)} minutes`;
}

const nextTry = (state: FeedState, now: number): string =>
  state.nextAttempt === null ? 'Trying again now.' : `Next try in ${duration(state.nextAttempt - now)}.`;

function failureText(state: FeedState, failure: string, now: number): string {
  const { circuit, lastSuccess } = state;
  const prices =
    lastSuccess === null
      ? 'There are no prices yet.'
      : `The prices shown are ${duration(now - lastSuccess)} old.`;
  const paused = circuit.state === 'closed' ? '' : ` Paused after ${circuit.failures} failures in a row.`;
  return `TradingView ${failure}. ${prices}${paused} ${nextTry(state, now)}`;
}

const staleText = ({ measuredLagMs }: FeedState, now: number): string | null =>
  measuredLagMs !== null && isStandingStill(measuredLagMs, now)
    ? `TradingView's newest trade is ${duration(measuredLagMs)} old, much older than its usual delay.`
    : null;

const count = (stocks: number): string => formatNumber(stocks, 0);

const shortText = ({ shortList }: FeedState): string | null =>
  shortList &&
  `TradingView lists only ${count(shortList.listed)} of ${count(shortList.expected)} stocks. The others stay as they were last.`;

/**
 * The feed's health: unhealthy before the first answer, from a failed poll until the next good one, while an
 * answer lists far too few stocks, and while the newest trade of the whole market is far too old.
 * @param now epoch ms
 */
export function healthOf(state: FeedState, now: number): SourceHealth {
  const { failure, lastSuccess, measuredLagMs } = state;
  const waiting = lastSuccess === null ? 'Waiting for the first answer of TradingView.' : null;
  const problem =
    failure === null
      ? (waiting ?? shortText(state) ?? staleText(state, now))
      : failureText(state, failure, now);
  return { healthy: problem === null, problem, lastSuccess, measuredLagMs };
}
