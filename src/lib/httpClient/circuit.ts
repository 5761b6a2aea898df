/**
 * The state of the connection. Closed: polling. Open: too many failures in a row, nothing is asked until `until`.
 * Half-open: one attempt decides.
 */
export type Circuit =
  | { state: 'closed'; failures: number }
  | { state: 'open'; failures: number; until: number }
  | { state: 'half-open'; failures: number };

export type CircuitRules = {
  /** Failures in a row that open the circuit. */
  openAfter: number;
  /** Usual time between two polls, ms. */
  intervalMs: number;
  /** Longest wait between two attempts, ms; a provider's own Retry-After may ask for more. */
  longestMs: number;
};

export const CLOSED: Circuit = { state: 'closed', failures: 0 };

/** Not even a provider may stop the feed for longer than this. */
const LONGEST_RETRY_AFTER_MS = 6 * 3_600_000;

const clampRetryAfter = (retryAfterMs: number | null): number =>
  Math.min(Math.max(retryAfterMs ?? 0, 0), LONGEST_RETRY_AFTER_MS);

/**
 * The wait before the next attempt: doubling with each failure, spread over ±25 % so that many installations do
 * not come back at the same moment, and never shorter than the provider asked for.
 * @param random from 0 to below 1
 * @returns ms
 */
export function backoff(
  failures: number,
  retryAfterMs: number | null,
  rules: CircuitRules,
  random: number,
): number {
  const doubled = Math.min(rules.intervalMs * 2 ** Math.min(failures, 20), rules.longestMs);
  return Math.max(doubled * (0.75 + random / 2), clampRetryAfter(retryAfterMs));
}

/** The circuit after a good answer. */
export const afterSuccess = (): Circuit => CLOSED;

/**
 * The circuit after a failed attempt: from `openAfter` failures on it is open until the wait is over, and a failed
 * probe opens it again for longer.
 * @param waitMs the wait that was drawn with `backoff`
 */
export function afterFailure(circuit: Circuit, now: number, waitMs: number, rules: CircuitRules): Circuit {
  const failures = circuit.failures + 1;
  if (circuit.state === 'closed' && failures < rules.openAfter) return { state: 'closed', failures };
  return { state: 'open', failures, until: now + waitMs };
}

/** The circuit when an attempt is due: an open one whose time is over lets one probe through. */
export const beforeAttempt = (circuit: Circuit, now: number): Circuit =>
  circuit.state === 'open' && now >= circuit.until
    ? { state: 'half-open', failures: circuit.failures }
    : circuit;
