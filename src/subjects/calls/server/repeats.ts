import type { Stopwatch } from '../../../lib/clock.ts';

/** Who got no answer tries again within minutes, or not at all. */
const KEPT_MS = 10 * 60_000;
const MAX_KEPT = 10_000;

/** What a page makes up: long enough that no two are the same, and short enough to be kept. */
const KEY = /^[\w-]{8,64}$/;

/**
 * Remembers which call was made for which request, so that one that is sent again, because its answer was lost on the
 * way, makes no second call. A restart forgets it.
 */
export function createRepeats(clock: Stopwatch) {
  // The oldest first.
  const made = new Map<string, { at: number; publicId: string }>();
  const nameOf = (userId: number, key: string): string => `${userId} ${key}`;
  function forgetOld(now: number): void {
    for (const [name, { at }] of made) {
      if (now - at < KEPT_MS && made.size <= MAX_KEPT) return;
      made.delete(name);
    }
  }
  return {
    /** The public id of the call that was made for this request; null when it is the first, or has no usable key. */
    find(userId: number, key: string | null): string | null {
      forgetOld(clock.monotonic());
      return key === null ? null : (made.get(nameOf(userId, key))?.publicId ?? null);
    },
    keep(userId: number, key: string | null, publicId: string): void {
      if (key !== null && KEY.test(key)) made.set(nameOf(userId, key), { at: clock.monotonic(), publicId });
    },
  };
}
