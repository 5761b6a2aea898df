import { Repetition } from '#lib/scheduler.ts';
import { formatTime } from '#texts/format.ts';
import type { App, Part } from '#platform/app.ts';
import { BlindSpotStore } from './store.ts';
import { BlindSpotWatch } from './watch.ts';

const LOOK_EVERY_MS = 5000;

/**
 * Tells the owners of active alerts when the feed is blind and when it sees again. A market whose days are made up again, or
 * whose clock is its own, is not looked at: it begins when the server begins. A replay is not either.
 */
export function createBlindSpots(app: App) {
  const { db, schedule, source } = app;
  const isReal = source.days === 'consecutive' && source.clock.speed === 1 && !source.replay;
  const watch = new BlindSpotWatch(app, new BlindSpotStore(db, app));
  const looks = new Repetition({
    schedule,
    everyMs: LOOK_EVERY_MS,
    work: () => watch.look(),
    log: app.log.child('blindSpots'),
    failure: 'Blind spots of alerts could not be looked for; trying again',
  });

  return {
    name: 'blindSpots',
    /** To be called before the source starts. */
    start() {
      if (!isReal || looks.isOn) return;
      looks.safely(() => watch.resume());
      looks.start();
    },
    stop() {
      if (!looks.isOn) return;
      looks.stop();
      looks.safely(() => watch.close());
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
