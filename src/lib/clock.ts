/**
 * Tells the time in epoch milliseconds: the machine's, or the market's own. It can be set, so the difference of two
 * readings is no duration.
 */
export type Clock = { now(): number };

/** Measures durations in milliseconds from some moment; whatever happens to the wall clock, it only goes forward. */
export type Stopwatch = { monotonic(): number };

/** The machine's own time. A board without a battery starts in 1970 and jumps once it has found a time server. */
export type SystemClock = Clock & Stopwatch;

/** A clock whose wall time is `aheadMs` later than another's. */
export const shifted = (clock: SystemClock, aheadMs: number): SystemClock => ({
  now: () => clock.now() + aheadMs,
  monotonic: () => clock.monotonic(),
});

/** The wall clock and the stopwatch may drift apart by this much before it counts as the clock being set, ms. */
const DRIFT_MS = 1000;

/**
 * Makes moments that were read from the stopwatch into epoch ms. A moment stays the same number until the wall clock
 * is set; then it moves along, so that the wall clock minus the moment goes on being its age.
 */
export function createEpochTimes(clock: SystemClock): (reading: number) => number {
  let offset = clock.now() - clock.monotonic();
  return (reading) => {
    const current = clock.now() - clock.monotonic();
    if (Math.abs(current - offset) > DRIFT_MS) offset = current;
    return Math.round(reading + offset);
  };
}
