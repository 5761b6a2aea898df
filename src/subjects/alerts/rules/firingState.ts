/**
 * What an alert remembers of its last evaluation.
 *
 * - `NEW`: it was not evaluated yet.
 * - `RELEASED`: its conditions did not hold.
 * - `HOLDING`: they held, and it has fired for that, or its cooldown swallowed it.
 * - `SILENT`: they held, and it fired while it was snoozed although it fires only once: its one message is still to come.
 */
export const NEW = 0;
export const RELEASED = 1;
export const HOLDING = 2;
export const SILENT = 3;
export type FiringState = typeof NEW | typeof RELEASED | typeof HOLDING | typeof SILENT;

/** What decides besides that whether an alert fires. */
export type FiringLimits = { isPersistent: boolean; isSnoozed: boolean; isCooling: boolean };

/**
 * Whether an alert whose conditions hold fires now.
 *
 * A persistent alert fires when its conditions begin to hold, also at its first evaluation, but not in the cooldown
 * after it fired: a change in the cooldown fires neither then nor when the cooldown ends, only the next one does.
 *
 * An alert that fires once is switched off by that, so it has no cooldown. While it is snoozed it fires silently and stays
 * on; when its conditions still hold at the first evaluation after the snooze, or hold again later, it fires aloud.
 */
export function firesNow(state: FiringState, { isPersistent, isSnoozed, isCooling }: FiringLimits): boolean {
  if (isPersistent) return (state === NEW || state === RELEASED) && !isCooling;
  if (!isSnoozed) return state !== HOLDING;
  return (state === NEW || state === RELEASED) && !isCooling;
}

/** The state after an evaluation in which the conditions hold; where they do not, it is `RELEASED`. */
export const stateHolding = (state: FiringState, { isPersistent, isSnoozed }: FiringLimits): FiringState =>
  isPersistent || state === HOLDING || !isSnoozed ? HOLDING : SILENT;

/** An alert that fires so often within the window is stopped by the last of them. */
const RUNAWAY_TRIGGERS = 15;
const RUNAWAY_WINDOW_MS = 180_000;

export const RUNAWAY_REASON = `It fired ${RUNAWAY_TRIGGERS} times within ${RUNAWAY_WINDOW_MS / 60_000} minutes.`;

type RunawayGuard = {
  /**
   * Counts a trigger, whatever version of the alert fired.
   * @param now ms of a stopwatch
   * @returns whether it is the one that stops the alert
   */
  count(alertId: number, now: number): boolean;
};

/** Counts the triggers of each alert in the last minutes. */
export function createRunawayGuard(): RunawayGuard {
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
      // The first of most, by the thousand in a gap.
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
