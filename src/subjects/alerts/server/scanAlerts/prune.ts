import type { Clock } from '#lib/clock.ts';
import type { Market } from '#market/types.ts';
import type { Pruned } from '#src/part.ts';
import type { ScanAlertStore } from './store.ts';

const HOUR_MS = 60 * 60 * 1000;
/** As long as those of other alerts. */
const KEPT_MS = 30 * 24 * HOUR_MS;
/** Of an alert that tells all the time only the newest are kept that long. */
const KEPT_OF_AN_ALERT = 200;
const SURPLUS_AFTER_MS = 48 * HOUR_MS;
/** At once. */
const MAX_PRUNED = 250;

export type PruneDeps = { store: ScanAlertStore; clock: Clock; market: Pick<Market, 'date'> };

/** @returns a function that removes old triggers and mutes, some at once */
export function createPruning({ store, clock, market }: PruneDeps): () => Pruned {
  return () => {
    const now = clock.now();
    let removed = store.dropOldTriggers(now - KEPT_MS, MAX_PRUNED);
    if (removed < MAX_PRUNED) removed += store.dropOldMutes(market.date(), MAX_PRUNED - removed);
    for (const id of store.ids()) {
      if (removed >= MAX_PRUNED) break;
      removed += store.dropSurplusOf(id, now - SURPLUS_AFTER_MS, KEPT_OF_AN_ALERT, MAX_PRUNED - removed);
    }
    return { removed, hasMore: removed >= MAX_PRUNED };
  };
}
