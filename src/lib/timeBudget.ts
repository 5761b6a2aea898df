export type TimeBudget = {
  wait(key: string, now: number): number;
  spend(key: string, ms: number, now: number): void;
  size(): number;
};

/**
 * @param options.capacityMs budget of an idle key
 * @param options.refillMs added per second
 * @param options.maxKeys beyond this the least recently used keys are forgotten, which refills them
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
