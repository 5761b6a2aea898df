import type { PollState } from '../lib/httpClient/pollLoop.ts';

export function durationText(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  if (seconds < 90) return `${seconds} second${seconds === 1 ? '' : 's'}`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}

type Polling = Pick<PollState, 'circuit' | 'nextAttempt'>;

function nextTry({ nextAttempt }: Polling, now: number): string {
  return nextAttempt === null ? 'Trying again now.' : `Next try in ${durationText(nextAttempt - now)}.`;
}

/**
 * Sentences about a failing provider: the failure, what is shown, and the next attempt.
 * @param failure completes "<name> …"
 * @param shown a sentence
 * @param now epoch ms
 */
export function failureSentences(
  name: string,
  failure: string,
  shown: string,
  polling: Polling,
  now: number,
): string {
  const { circuit } = polling;
  const paused = circuit.state === 'closed' ? '' : ` Paused after ${circuit.failures} failures in a row.`;
  return `${name} ${failure}. ${shown}${paused} ${nextTry(polling, now)}`;
}
