import { formatTime } from '../../../../texts/format.ts';
import { type Scheduler, timerScheduler } from '../../../../lib/scheduler.ts';
import type { Core, Part } from '../../../../part.ts';
import { blindSpotStore } from './store.ts';
import { createBlindSpotWatch, type WatchDeps } from './watch.ts';

export type BlindSpotsNeeds = Pick<WatchDeps, 'outbox'> & { schedule?: Scheduler };

const LOOK_EVERY_MS = 5000;

/**
 * Tells the owners of active alerts when the feed is blind and when it sees again. A market whose days are made up anew, or
 * whose clock is its own, is not looked at: it begins when the server begins. A replay is not either.
 */
export function createBlindSpots(
  core: Pick<Core, 'db' | 'clock' | 'log' | 'source'>,
  { outbox, schedule = timerScheduler }: BlindSpotsNeeds,
) {
  const { db, clock, source } = core;
  const log = core.log.child('blindSpots');
  const isReal = source.days === 'consecutive' && source.clock.speed === 1 && !source.replay;
  const watch = createBlindSpotWatch({ store: blindSpotStore(db), clock, source, outbox });
  let cancel: (() => void) | null = null;

  /** A fault of the database must not end the looking. */
  function safely(work: () => void): void {
    try {
      work();
    } catch (error) {
      log.error('Blind spots of alerts could not be looked for; trying again', { error });
    }
  }

  function again(): void {
    safely(watch.look);
    cancel = schedule(LOOK_EVERY_MS, again);
  }

  return {
    name: 'blindSpots',
    /** To be called before the source starts. */
    start() {
      if (!isReal || cancel) return;
      safely(watch.resume);
      cancel = schedule(LOOK_EVERY_MS, again);
    },
    stop() {
      if (!cancel) return;
      cancel();
      cancel = null;
      safely(watch.close);
    },
    inspect() {
      const since = watch.blindSince();
      return {
        label: 'Blind spots of alerts',
        description: 'Since when prices were too old to evaluate alerts on.',
        summary: { blindSince: since === null ? null : formatTime(since) },
        data: () => ({ isLookedAt: isReal, blindSince: since }),
      };
    },
  } satisfies Part;
}
