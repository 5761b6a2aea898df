import type { Stopwatch } from './clock.ts';

export type RateLimit = {
  take(key: string): number;
  /** Counts an attempt of an earlier run, `agoMs` ago. Call it before `take`, the oldest first. */
  note(key: string, agoMs: number): void;
  isUsed(key: string): boolean;
  /** Removes the last attempt, because it does not count. */
  refund(key: string): void;
  forget(key: string): void;
  size(): number;
};

/** Forgets the least recently used keys, several at a time, because finding the first costs the most. */
export function forgetOldest(byKey: Map<string, unknown>, maxKeys: number): void {
  let tooMany = byKey.size - maxKeys;
  if (tooMany <= 0) return;
  tooMany += Math.floor(maxKeys / 10);
  for (const key of byKey.keys()) {
    if (tooMany <= 0) return;
    byKey.delete(key);
    tooMany -= 1;
  }
}

/**
 * A sliding window per key, measured with the stopwatch. Beyond `maxKeys` the least recently used keys are
 * forgotten.
 * @param options.limit attempts allowed per key within `windowMs`
 */
export function createRateLimit(options: {
  clock: Stopwatch;
  limit: number;
  windowMs: number;
  maxKeys?: number;
}): RateLimit {
  const { clock, limit, windowMs, maxKeys = 10_000 } = options;
  // Times of the attempts. A Map iterates in insertion order; re-inserting on use keeps the oldest first.
  const byKey = new Map<string, number[]>();
  return {
    take: (key) => {
      const now = clock.monotonic();
      const times = (byKey.get(key) ?? []).filter((time) => time > now - windowMs);
      byKey.delete(key);
      byKey.set(key, times);
      forgetOldest(byKey, maxKeys);
      const [first] = times;
      if (times.length >= limit && first !== undefined) return Math.ceil((first + windowMs - now) / 1000);
      times.push(now);
      return 0;
    },
    note: (key, agoMs) => {
      byKey.set(key, [...(byKey.get(key) ?? []), clock.monotonic() - agoMs]);
      forgetOldest(byKey, maxKeys);
    },
    isUsed: (key) => (byKey.get(key)?.at(-1) ?? Number.NEGATIVE_INFINITY) > clock.monotonic() - windowMs,
    refund: (key) => {
      byKey.get(key)?.pop();
    },
    forget: (key) => {
      byKey.delete(key);
    },
    size: () => byKey.size,
  };
}

/** '1 second', '45 seconds', '2 minutes', '5 hours': rounded up, for a sentence. */
export function waitText(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 120) return minutes === 1 ? '1 minute' : `${minutes} minutes`;
  return `${Math.ceil(minutes / 60)} hours`;
}
