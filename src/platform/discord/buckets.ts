import type { Stopwatch } from '../../lib/clock.ts';

/** What Discord said of how often each address may be called. */
export type Buckets = {
  /** Takes note of an answer's headers. @param path the address below the API's own, with its IDs */
  note(path: string, headers: Headers): void;
  /** Until this address may be called again, ms; 0 when it may be now. */
  waitMs(path: string): number;
};

/** Discord measures for itself; a little more keeps us behind its clock. */
const MARGIN_MS = 50;
/** Longer than any of Discord's buckets; more is nonsense. */
const MAX_RESET_MS = 3_600_000;
const MAX_PATHS = 10_000;

/**
 * Keeps Discord's buckets by the stopwatch: the library keeps them by the wall clock, and would hold messages for an hour
 * when that is set back by one.
 */
export function createBuckets(clock: Stopwatch): Buckets {
  const resetAt = new Map<string, number>();
  return {
    note(path, headers) {
      resetAt.delete(path);
      const seconds = Number(headers.get('x-ratelimit-reset-after') ?? Number.NaN);
      if (headers.get('x-ratelimit-remaining') !== '0' || !(seconds > 0)) return;
      if (resetAt.size >= MAX_PATHS) resetAt.clear();
      resetAt.set(path, clock.monotonic() + Math.min(seconds * 1000, MAX_RESET_MS) + MARGIN_MS);
    },
    waitMs: (path) => Math.max(0, (resetAt.get(path) ?? 0) - clock.monotonic()),
  };
}
