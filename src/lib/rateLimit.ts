import type { Clock } from './clock.ts';

export type RateLimit = {
  /** Counts one attempt. @returns 0 when it is allowed, else how many seconds to wait. */
  take(key: string): number;
  /** Takes the last attempt back, because it turned out not to count. */
  giveBack(key: string): void;
  /** Forgets a key: the person proved who they are. */
  forget(key: string): void;
  /** How many keys are remembered, for the inspector. */
  size(): number;
};

type Attempts = { times: number[] };

/**
 * A sliding window per key. Memory is bounded: past `maxKeys` the key that was used longest ago is forgotten.
 *
 * @param options.limit attempts allowed per key within `windowMs`
 */
export function createRateLimit(options: {
  clock: Clock;
  limit: number;
  windowMs: number;
  maxKeys?: number;
}): RateLimit {
  const { clock, limit, windowMs, maxKeys = 10_000 } = options;
  // A Map iterates in insertion order; re-inserting on use keeps the least recently used key first.
  const byKey = new Map<string, Attempts>();
  return {
    take: (key) => {
      const now = clock.now();
      const times = (byKey.get(key)?.times ?? []).filter((time) => time > now - windowMs && time <= now);
      byKey.delete(key);
      byKey.set(key, { times });
      const oldest = byKey.keys().next().value;
      if (byKey.size > maxKeys && oldest !== undefined) byKey.delete(oldest);
      const first = times[0];
      if (times.length >= limit && first !== undefined) return Math.ceil((first + windowMs - now) / 1000);
      times.push(now);
      return 0;
    },
    giveBack: (key) => {
      byKey.get(key)?.times.pop();
    },
    forget: (key) => {
      byKey.delete(key);
    },
    size: () => byKey.size,
  };
}

/** '1 second', '45 seconds', '2 minutes': rounded up, for a sentence. */
export function waitText(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}

/**
 * The part of an address that one household or server owns: an IPv4 address whole, an IPv6 address' first 64 bits.
 */
export function addressKey(address: string): string {
  const plain = address.replace(/^::ffff:/i, '').replace(/%.*$/, '');
  if (!plain.includes(':')) return plain;
  const [head = '', tail] = plain.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const last = tail === '' ? [] : tail.split(':');
    while (groups.length + last.length < 8) groups.push('0');
    groups.push(...last);
  }
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
