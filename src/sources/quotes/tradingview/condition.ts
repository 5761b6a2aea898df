import { phaseAt } from '../../../domain/market/sessionClock.ts';
import type { SourceHealth } from '../source.ts';
import type { Circuit } from '../../../lib/httpClient/circuit.ts';

/** What is known of the feed at one moment. */
export type Condition = {
  circuit: Circuit;
  /** Why the last attempt failed, completing "TradingView …"; null after a good one. */
  failure: string | null;
  lastSuccess: number | null;
  /** When the next attempt is due, epoch ms; null while one is under way. */
  nextAttempt: number | null;
  measuredLagMs: number | null;
};

/** A newest trade of the whole market older than this is not explained by the public delay of 20 minutes. */
const STALE_MS = 35 * 60_000;

function duration(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  if (seconds < 90) return `${seconds} second${seconds === 1 ? '' : 's'}`;
  return `${Math.round(seconds / 60)} minutes`;
}

const nextTry = (condition: Condition, now: number): string =>
  condition.nextAttempt === null
    ? 'Trying again now.'
    : `Next try in ${duration(condition.nextAttempt - now)}.`;

function failureText(condition: Condition, failure: string, now: number): string {
  const { circuit, lastSuccess } = condition;
  const shown =
    lastSuccess === null
      ? 'There are no prices yet.'
      : `The prices shown are ${duration(now - lastSuccess)} old.`;
  const paused = circuit.state === 'closed' ? '' : ` Paused after ${circuit.failures} failures in a row.`;
  return `TradingView ${failure}. ${shown}${paused} ${nextTry(condition, now)}`;
}

const staleText = ({ measuredLagMs }: Condition, now: number): string | null =>
  measuredLagMs !== null && measuredLagMs > STALE_MS && phaseAt(now).phase === 'open'
    ? `TradingView's newest trade is ${duration(measuredLagMs)} old, much older than its usual delay.`
    : null;

/**
 * The feed's health as everybody sees it: unhealthy from the first failed poll until the next good one, before the
 * first answer, and when the whole market's newest trade is far too old.
 * @param now epoch ms
 */
export function healthOf(condition: Condition, now: number): SourceHealth {
  const { failure, lastSuccess, measuredLagMs } = condition;
  const waiting = lastSuccess === null ? 'Waiting for the first answer of TradingView.' : null;
  const problem =
    failure === null ? (waiting ?? staleText(condition, now)) : failureText(condition, failure, now);
  return { healthy: problem === null, problem, lastSuccess, measuredLagMs };
}
