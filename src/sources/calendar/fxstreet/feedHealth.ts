import { formatNumber } from '#texts/format.ts';
import type { PollState } from '#lib/httpClient/pollLoop.ts';
import type { ProviderHealth } from '#sources/announcements/source.ts';
import { durationText, failureSentences } from '#sources/pollHealth.ts';
import type { StandInState } from './standIn.ts';

/** An answer that lacks too much of what was known to be true. */
export type ShortAnswer = { events: number; expected: number };

/** The state of the connection to FXStreet, and of what stands in for it. */
export type FeedState = Pick<PollState, 'circuit' | 'failure' | 'nextAttempt'> & {
  /** Epoch ms, of whichever answered last. */
  lastSuccess: number | null;
  short: ShortAnswer | null;
  standIn: Pick<StandInState, 'stands' | 'failure'>;
};

function shownText({ standIn, lastSuccess }: FeedState, now: number): string {
  if (standIn.stands) {
    return 'The weekly calendar of ForexFactory stands in: it has no actual figures.';
  }
  const kept =
    lastSuccess === null
      ? 'Events that were kept earlier stay.'
      : `The last good answer is ${durationText(now - lastSuccess)} old; events stay as they were.`;
  return standIn.failure === null ? kept : `ForexFactory, which could stand in, ${standIn.failure}. ${kept}`;
}

const count = (value: number): string => formatNumber(value, 0);

const shortProblem = ({ short }: FeedState): string | null =>
  short &&
  `FXStreet sent only ${count(short.events)} events where ${count(short.expected)} are known. The others stay.`;

/**
 * The health of the calendar: unhealthy before the first answer, from a failed poll until the next good one, and while
 * an answer lacks most of what is known.
 * @param now epoch ms
 */
export function healthOf(state: FeedState, now: number): ProviderHealth {
  const { failure, lastSuccess } = state;
  const waiting = lastSuccess === null ? 'Waiting for the first answer from FXStreet.' : null;
  const problem =
    failure === null
      ? (waiting ?? shortProblem(state))
      : failureSentences('FXStreet', failure, shownText(state, now), state, now);
  return { healthy: problem === null, problem, lastSuccess };
}
