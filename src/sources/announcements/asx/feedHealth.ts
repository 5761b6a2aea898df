import type { PollState } from '#lib/httpClient/pollLoop.ts';
import { formatNumber } from '#texts/format.ts';
import { durationText, failureSentences } from '#sources/pollHealth.ts';
import type { ProviderHealth } from '../source.ts';
import type { ShortList } from './listMemory.ts';

/** The state of the connection to the exchange's list. */
export type FeedState = Pick<PollState, 'circuit' | 'failure' | 'nextAttempt'> & {
  /** Epoch ms. */
  lastSuccess: number | null;
  /** Set while the newest look lacked too much of what was listed before. */
  short: ShortList | null;
  /** When the newest announcement was released, epoch ms. */
  newest: number | null;
};

/** Longer than any run of days without trading. */
const OLD_MS = 10 * 86_400_000;

function failureProblem(state: FeedState, failure: string, now: number): string {
  const { lastSuccess } = state;
  const shown =
    lastSuccess === null
      ? 'Announcements that were kept earlier stay.'
      : `The last good answer is ${durationText(now - lastSuccess)} old; announcements stay as they were.`;
  return failureSentences('ASX', failure, shown, state, now);
}

const count = (value: number): string => formatNumber(value, 0);

const shortProblem = ({ short }: FeedState): string | null =>
  short &&
  `ASX lists only ${count(short.listed)} of ${count(short.expected)} announcements that it listed before. The others stay.`;

function oldProblem({ newest }: FeedState, now: number): string | null {
  if (newest === null || now - newest < OLD_MS) return null;
  return `The newest announcement that ASX lists is ${Math.floor((now - newest) / 86_400_000)} days old.`;
}

/**
 * The health of the announcements: unhealthy before the first answer, from a failed look until the next good one,
 * while the list lacks what it held before, and while it holds nothing new for days.
 * @param now epoch ms
 */
export function healthOf(state: FeedState, now: number): ProviderHealth {
  const { failure, lastSuccess } = state;
  const waiting = lastSuccess === null ? 'Waiting for the first answer from ASX.' : null;
  const problem =
    failure === null
      ? (waiting ?? shortProblem(state) ?? oldProblem(state, now))
      : failureProblem(state, failure, now);
  return { healthy: problem === null, problem, lastSuccess };
}
