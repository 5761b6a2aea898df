import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Scheduler } from '../../lib/scheduler.ts';
import type { AlertStore } from './store.ts';

const HOUR_MS = 60 * 60 * 1000;
/** How long it is told that, and why, an alert fired; as long as the outbox knows what became of its messages. */
const KEPT_MS = 30 * 24 * HOUR_MS;
/** At once; the rest follows a second later. */
const MAX_PRUNED = 1000;
const NEXT_MS = 1000;

export type PruneDeps = {
  store: Pick<AlertStore, 'dropOldTriggers'>;
  clock: Clock;
  log: Log;
  schedule: Scheduler;
};

/** Removes old triggers, at the start and every hour. @returns the stop function */
export function startPruning({ store, clock, log, schedule }: PruneDeps): () => void {
  let cancel = (): void => {};
  function prune(): void {
    let count = 0;
    try {
      count = store.dropOldTriggers(clock.now() - KEPT_MS, MAX_PRUNED);
    } catch (error) {
      log.error('Old triggers of alerts could not be removed; it is tried again in an hour', { error });
    }
    cancel = schedule(count < MAX_PRUNED ? HOUR_MS : NEXT_MS, prune);
  }
  prune();
  return () => cancel();
}
