/**
 * Tells the time in epoch milliseconds: the machine's, or the market's own. It can be set, so the difference of two
 * readings is no duration.
 */
export type Clock = { now(): number };

/** Measures durations in milliseconds from some moment; whatever happens to the wall clock, it only goes forward. */
export type Stopwatch = { monotonic(): number };

/** The machine's own time. A board without a battery starts in 1970 and jumps once it has found a time server. */
export type SystemClock = Clock & Stopwatch;
