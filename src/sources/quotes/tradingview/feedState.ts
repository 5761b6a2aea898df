import { isStandingStill } from '../../../market/rules/quoteLag.ts';
import type { SourceHealth } from '../source.ts';
import { formatNumber } from '../../../texts/format.ts';
import type { ShortList } from './listing.ts';
import { noticeText, type Notices } from './notices.ts';
import { durationText, failureSentences } from '../../pollHealth.ts';
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
  /** What is wrong with the answers although they come. */
  notices: Notices;
};

function failureProblem(state: FeedState, failure: string, now: number): string {
  const { lastSuccess } = state;
  const prices =
    lastSuccess === null
      ? 'There are no prices yet.'
      : `The prices shown are ${durationText(now - lastSuccess)} old.`;
  return failureSentences('TradingView', failure, prices, state, now);
}

const staleText = ({ measuredLagMs }: FeedState, now: number): string | null =>
  measuredLagMs !== null && isStandingStill(measuredLagMs, now)
    ? `TradingView's newest trade is ${durationText(measuredLagMs)} old, much older than its usual delay.`
    : null;

const count = (stocks: number): string => formatNumber(stocks, 0);

const shortText = ({ shortList }: FeedState): string | null =>
  shortList &&
  `TradingView lists only ${count(shortList.listed)} of ${count(shortList.expected)} stocks. The others stay as they were last.`;

/**
 * The feed's health: unhealthy before the first answer, from a failed poll until the next good one, while an
 * answer lists far too few stocks, and while the newest trade of the whole market is far too old. Healthy, but with a
 * problem, while the answers lack something.
 * @param now epoch ms
 */
export function healthOf(state: FeedState, now: number): SourceHealth {
  const { failure, lastSuccess, measuredLagMs } = state;
  const waiting = lastSuccess === null ? 'Waiting for the first answer from TradingView.' : null;
  const problem =
    failure === null
      ? (waiting ?? shortText(state) ?? staleText(state, now))
      : failureProblem(state, failure, now);
  const healthy = problem === null;
  return { healthy, problem: problem ?? noticeText(state.notices), lastSuccess, measuredLagMs };
}
