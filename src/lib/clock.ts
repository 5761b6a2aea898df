/** Epoch milliseconds of the machine or of the market. It can be set, so do not measure durations with it. */
export type Clock = { now(): number };

/** Measures durations in ms. It never goes backwards, even if the wall clock does. */
export type Stopwatch = { monotonic(): number };

/** The machine's time. A board without a battery starts in 1970 and jumps once it reaches a time server. */
export type SystemClock = Clock & Stopwatch;

export const shifted = (clock: SystemClock, aheadMs: number): SystemClock => ({
  now: () => clock.now() + aheadMs,
  monotonic: () => clock.monotonic(),
});

/** A larger drift between wall clock and stopwatch counts as a changed clock, ms. */
const DRIFT_MS = 1000;

/**
 * Converts stopwatch readings to epoch ms. A converted moment changes only if the wall clock is set; then it
 * moves along, so its age stays right.
 */
export function createEpochTimes(clock: SystemClock): (reading: number) => number {
  let offset = clock.now() - clock.monotonic();
  return (reading) => {
    const current = clock.now() - clock.monotonic();
    if (Math.abs(current - offset) > DRIFT_MS) offset = current;
    return Math.round(reading + offset);
  };
}
