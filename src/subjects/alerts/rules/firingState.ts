/**
 * The result of an alert's last evaluation.
 * - `NEW`: not evaluated yet.
 * - `RELEASED`: its conditions did not hold.
 * - `HOLDING`: they held, and it fired or was in its cooldown.
 * - `SILENT`: they held, and a one-time alert fired while snoozed; its one message is still to come.
 */
export const NEW = 0;
export const RELEASED = 1;
export const HOLDING = 2;
export const SILENT = 3;
export type FiringState = typeof NEW | typeof RELEASED | typeof HOLDING | typeof SILENT;

export type FiringLimits = { isPersistent: boolean; isSnoozed: boolean; isCooling: boolean };

/**
 * Whether an alert whose conditions hold fires now. A persistent alert fires when its conditions begin to hold, also at
 * its first evaluation. If they begin to hold during the cooldown, it fires only the next time. A one-time alert
 * switches off when it fires, so it has no cooldown. While snoozed it fires silently and stays on. It fires with a
 * message if its conditions hold at the first evaluation after the snooze, or later.
 */
export function firesNow(state: FiringState, { isPersistent, isSnoozed, isCooling }: FiringLimits): boolean {
  if (isPersistent) return (state === NEW || state === RELEASED) && !isCooling;
  if (!isSnoozed) return state !== HOLDING;
  return (state === NEW || state === RELEASED) && !isCooling;
}

/** The state after an evaluation in which the conditions hold. If they do not hold, the state is `RELEASED`. */
export const stateHolding = (state: FiringState, { isPersistent, isSnoozed }: FiringLimits): FiringState =>
  isPersistent || state === HOLDING || !isSnoozed ? HOLDING : SILENT;

/** This many triggers within the window stop the alert. */
const RUNAWAY_TRIGGERS = 15;
const RUNAWAY_WINDOW_MS = 180_000;

export const RUNAWAY_REASON = `It fired ${RUNAWAY_TRIGGERS} times within ${RUNAWAY_WINDOW_MS / 60_000} minutes.`;

type RunawayLimit = {
  /**
   * Counts a trigger, across versions of the alert.
   * @param now ms of the monotonic clock
   * @returns whether this trigger stops the alert
   */
  count(alertId: number, now: number): boolean;
};

export function createRunawayLimit(): RunawayLimit {
  const recent = new Map<number, number[]>();
  let prunedAt = Number.NEGATIVE_INFINITY;

  function prune(now: number): void {
    if (now - prunedAt < RUNAWAY_WINDOW_MS) return;
    prunedAt = now;
    for (const [id, times] of recent) {
      if (now - (times.at(-1) ?? now) >= RUNAWAY_WINDOW_MS) recent.delete(id);
    }
  }

  return {
    count(alertId, now) {
      prune(now);
      const known = recent.get(alertId);
      // Most alerts fire once, thousands of them in one gap, so the first trigger allocates no list.
      if (known === undefined) {
        recent.set(alertId, [now]);
        return false;
      }
      const times = known.filter((time) => now - time < RUNAWAY_WINDOW_MS);
      times.push(now);
      const isRunaway = times.length >= RUNAWAY_TRIGGERS;
      if (isRunaway) recent.delete(alertId);
      else recent.set(alertId, times);
      return isRunaway;
    },
  };
}
