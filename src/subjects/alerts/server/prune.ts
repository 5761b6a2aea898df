import type { Clock } from '#lib/clock.ts';
import type { Pruned } from '#src/part.ts';
import type { AlertStore } from './store.ts';

const HOUR_MS = 60 * 60 * 1000;
/** How long it is told that, and why, an alert fired; as long as the outbox knows what became of its messages. */
const KEPT_MS = 30 * 24 * HOUR_MS;
/**
 * Of an alert that fires all the time only the newest are kept that long: a persistent one fires up to 360 times a day,
 * and deleting one takes as long as it has triggers. Those of the last two days stay, as their messages may wait.
 */
const KEPT_OF_AN_ALERT = 200;
const SURPLUS_AFTER_MS = 48 * HOUR_MS;
/** At once; a trigger more takes with it what refers to it. */
const MAX_PRUNED = 250;

export type PruneDeps = {
  store: Pick<AlertStore, 'dropOldTriggers' | 'dropSurplusTriggers'>;
  clock: Clock;
};

/** @returns a function that removes old triggers, and what one alert has too many of, some at once */
export function createPruning({ store, clock }: PruneDeps): () => Pruned {
  /** The last alert that was looked at. */
  let after = 0;

  return () => {
    const now = clock.now();
    const old = store.dropOldTriggers(now - KEPT_MS, MAX_PRUNED);
    if (old === MAX_PRUNED) return { removed: old, hasMore: true };
    const before = now - SURPLUS_AFTER_MS;
    const { count, last } = store.dropSurplusTriggers({
      after,
      before,
      kept: KEPT_OF_AN_ALERT,
      most: MAX_PRUNED,
    });
    if (count < MAX_PRUNED) after = last ?? 0;
    return { removed: old + count, hasMore: last !== null };
  };
}
