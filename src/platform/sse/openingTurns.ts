import type { Stopwatch } from '#lib/clock.ts';

/** After so long the steps that are left wait for the next turn of the loop, ms. */
const SLICE_MS = 4;

/** Steps of openings, in the order of asking, so that many that are asked for at once do not hold the loop together. */
export type OpeningTurns = {
  /** Runs a step in a later turn of the loop; the result gives it up. What the step throws is its own to catch. */
  add(step: () => void): () => void;
};

/** @param later runs a function in the next turn of the loop */
export function createOpeningTurns(
  clock: Stopwatch,
  later: (run: () => void) => void = setImmediate,
): OpeningTurns {
  const queue = new Set<{ step: () => void }>();
  let isPlanned = false;

  function plan(): void {
    if (isPlanned || queue.size === 0) return;
    isPlanned = true;
    later(work);
  }

  function work(): void {
    isPlanned = false;
    const until = clock.monotonic() + SLICE_MS;
    for (const entry of queue) {
      queue.delete(entry);
      entry.step();
      if (clock.monotonic() >= until) break;
    }
    plan();
  }

  return {
    add(step) {
      const entry = { step };
      queue.add(entry);
      plan();
      return () => void queue.delete(entry);
    },
  };
}
