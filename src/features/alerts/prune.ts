import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Scheduler } from '../../lib/scheduler.ts';
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
/** At once; the rest follows a second later. */
const MAX_PRUNED = 250;
const NEXT_MS = 1000;

export type PruneDeps = {
  store: Pick<AlertStore, 'dropOldTriggers' | 'dropSurplusTriggers'>;
  clock: Clock;
  log: Log;
  schedule: Scheduler;
};

/** Removes old triggers, and what one alert has too many of, at the start and every hour. @returns the stop function */
export function startPruning({ store, clock, log, schedule }: PruneDeps): () => void {
  let cancel = (): void => {};
  /** The last alert that was looked at. */
  let after = 0;

  /** @returns whether there is more to do */
  function pruneSome(): boolean {
    const now = clock.now();
    if (store.dropOldTriggers(now - KEPT_MS, MAX_PRUNED) === MAX_PRUNED) return true;
    const before = now - SURPLUS_AFTER_MS;
    const { count, last } = store.dropSurplusTriggers({
      after,
      before,
      kept: KEPT_OF_AN_ALERT,
      most: MAX_PRUNED,
    });
    if (count < MAX_PRUNED) after = last ?? 0;
    return last !== null;
  }

  function prune(): void {
    let hasMore = false;
    try {
      hasMore = pruneSome();
    } catch (error) {
      log.error('Old triggers of alerts could not be removed; it is tried again in an hour', { error });
    }
    cancel = schedule(hasMore ? NEXT_MS : HOUR_MS, prune);
  }
  prune();
  return () => cancel();
}
