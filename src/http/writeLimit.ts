import type { Stopwatch } from '../lib/clock.ts';
import { createRateLimit, waitText } from '../lib/rateLimit.ts';
import { refusedFor } from './errors.ts';

/** Counts a change of a user's, also one that is refused later. @throws AppError 429 with `Retry-After` */
export type WriteLimit = (userId: number) => void;

/**
 * How often a user may change something in a minute.
 * @param what the thing, as the sentence calls it: 'your watchlist'
 */
export function createWriteLimit(clock: Stopwatch, limit: number, what: string): WriteLimit {
  const writes = createRateLimit({ clock, limit, windowMs: 60_000 });
  return (userId) => {
    const seconds = writes.take(String(userId));
    if (seconds === 0) return;
    throw refusedFor(seconds, 429, `You change ${what} too often. Try again in ${waitText(seconds)}.`);
  };
}
