/**
 * The state of a connection. Closed: it is used. Open: too many failures in a row, nothing is asked until `until`,
 * a reading of the stopwatch. Half-open: one attempt decides.
 */
export type Circuit =
  | { state: 'closed'; failures: number }
  | { state: 'open'; failures: number; until: number }
  | { state: 'half-open'; failures: number };

export type CircuitRules = {
  /** Failures in a row that open the circuit. */
  openAfter: number;
};

export const CLOSED: Circuit = { state: 'closed', failures: 0 };

export const afterSuccess = (): Circuit => CLOSED;

/**
 * The circuit after a failed attempt: from `openAfter` failures on it is open until the wait is over, and a failed
 * probe opens it again for longer.
 * @param now a reading of the stopwatch
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
