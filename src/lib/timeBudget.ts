/** Time that each of many may use, which grows again as it passes. */
export type TimeBudget = {
  /** @returns 0 while something is left, else in how many seconds there will be */
  wait(key: string, now: number): number;
  spend(key: string, ms: number, now: number): void;
  /** How many keys have not all of theirs. */
  size(): number;
};

/**
 * @param options.capacityMs what a key has that used nothing for long
 * @param options.refillMs what it gets back each second
 * @param options.maxKeys those that spent longest ago are forgotten beyond; forgetting gives everything back
 */
export function createTimeBudget(options: {
  capacityMs: number;
  refillMs: number;
  maxKeys?: number;
}): TimeBudget {
  const { capacityMs, refillMs, maxKeys = 10_000 } = options;
  // A Map iterates in insertion order; re-inserting on use keeps the oldest first.
  const byKey = new Map<string, { left: number; at: number }>();

  function leftOf(key: string, now: number): number {
    const known = byKey.get(key);
    if (!known) return capacityMs;
    return Math.min(capacityMs, known.left + (Math.max(0, now - known.at) / 1000) * refillMs);
  }

  return {
    wait(key, now) {
      const left = leftOf(key, now);
      // Until there is a second's worth: with less the next one would be refused at once.
      return left > 0 ? 0 : Math.ceil((refillMs - left) / refillMs);
    },
    spend(key, ms, now) {
      const left = leftOf(key, now) - ms;
      byKey.delete(key);
      if (left >= capacityMs) return;
      byKey.set(key, { left, at: now });
      if (byKey.size <= maxKeys) return;
      const [oldest = key] = byKey.keys();
      byKey.delete(oldest);
    },
    size: () => byKey.size,
  };
}
