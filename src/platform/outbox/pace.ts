import type { Stopwatch } from '#lib/clock.ts';

/** Allows this many messages a second, evenly: at most a fifth of a second's worth at once. */
export type Pace = {
  /** How many may be sent now. */
  allowance(): number;
  take(messages: number): void;
  /** Until the next may be sent, ms. @param isMore whether several wait: a fast platform is sent some at once */
  waitMs(isMore: boolean): number;
};

/** From so many at once on, a wait for the disk is worth sharing. */
const MANY = 20;

export function createPace(perSecond: number, clock: Stopwatch): Pace {
  const capacity = Math.max(1, Math.floor(perSecond / 5));
  const perMs = perSecond / 1000;
  let saved = capacity;
  let at = clock.monotonic();
  function refill(): void {
    const now = clock.monotonic();
    saved = Math.min(capacity, saved + (now - at) * perMs);
    at = now;
  }
  return {
    allowance() {
      refill();
      // A timer may be a hair early, and sums of small steps are not exact.
      return Math.floor(saved + 1e-6);
    },
    take: (messages) => void (saved -= messages),
    waitMs(isMore) {
      refill();
      const wanted = isMore && capacity >= MANY ? capacity / 2 : 1;
      return Math.max(0, (wanted - saved) / perMs);
    },
  };
}
