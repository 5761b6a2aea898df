import type { Db } from '../../../platform/db/open.ts';
import { timeOf } from '../rules/days.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';
import { type Changes, createChanges } from './changes.ts';
import { createKeptEvents, type KeptEvents } from './events.ts';
import { createSaver } from './saver.ts';
import { calendarStore } from './store.ts';

export type KeepingDeps = {
  db: Db;
  log: Log;
  /** The wall clock. */
  clock: Clock;
  /** By which the events happen. */
  calendarClock: Clock;
  /** The name of the source, with which its events are kept. */
  source: string;
};

/** The events around now: in memory, on the disk behind it, and what of them the stream has told. */
export type Keeping = Pick<KeptEvents, 'all' | 'sink' | 'prune'> & {
  changes: Changes;
  /** Brings back what an earlier run kept; what is past by now goes. */
  restore(): void;
  /** Writes some of what changed; to be called at every tick. */
  save(): void;
  saveAll(): void;
};

export function createKeeping({ db, log, clock, calendarClock, source }: KeepingDeps): Keeping {
  const store = calendarStore(db, source);
  const kept = createKeptEvents({
    clock: calendarClock,
    log,
    changed(id) {
      changes.note(id);
      saver.note(id);
    },
  });
  const changes = createChanges(kept.all, clock);
  const saver = createSaver(store, kept.all, log);
  return {
    ...kept,
    changes,
    restore() {
      store.removeOthers();
      const events = store.load();
      kept.sink.apply(events);
      saver.forget();
      changes.begin();
      const now = calendarClock.now();
      for (const event of events) {
        // What lies far ahead stays: a board without a battery starts in 1970.
        if (!kept.all.has(event.id) && (timeOf(event) ?? 0) < now) saver.note(event.id);
      }
    },
    save: saver.save,
    saveAll: saver.saveAll,
  };
}
