/** An alert that fires so often within the window is stopped by the last of them. */
export const RUNAWAY_TRIGGERS = 15;
export const RUNAWAY_WINDOW_MS = 180_000;

export const RUNAWAY_REASON = `It fired ${RUNAWAY_TRIGGERS} times within ${RUNAWAY_WINDOW_MS / 60_000} minutes.`;

export type RunawayGuard = {
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
