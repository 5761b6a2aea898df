export type BackoffRules = {
  /** Usual time between two attempts, ms. */
  intervalMs: number;
  /** Longest wait between two attempts, ms; a provider's own Retry-After may ask for more. */
  maxWaitMs: number;
};

/** Not even a provider may stop a feed for longer than this. */
const MAX_RETRY_AFTER_MS = 6 * 3_600_000;

/** A provider's Retry-After as far as it is obeyed, ms; 0 for none. */
export const clampRetryAfter = (retryAfterMs: number | null): number =>
  Math.min(Math.max(retryAfterMs ?? 0, 0), MAX_RETRY_AFTER_MS);

/**
 * The wait before the next attempt: doubling with each failure, spread over ±25 % so that many installations do
 * not come back at the same moment, and never shorter than the provider asked for.
 * @param failures in a row, this one included
 * @param random from 0 to below 1
 * @returns ms
 */
export function backoff(
  failures: number,
  retryAfterMs: number | null,
  rules: BackoffRules,
  random: number,
): number {
  const doubled = Math.min(rules.intervalMs * 2 ** Math.min(failures, 20), rules.maxWaitMs);
  return Math.max(doubled * (0.75 + random / 2), clampRetryAfter(retryAfterMs));
}
