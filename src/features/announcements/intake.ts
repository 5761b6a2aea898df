import { type KeptAnnouncement, keptAnnouncement } from '../../domain/announcements/keptAnnouncement.ts';
import type { Log } from '../../lib/log.ts';
import type { AnnouncementSink, Release } from '../../sources/announcements/source.ts';
import type { Placement } from './placement.ts';
import type { Recent } from './recent.ts';
import type { AnnouncementStore } from './store.ts';

/** Releases that are written at once: about 5 ms. */
const AT_ONCE = 100;

export type IntakeDeps = {
  store: Pick<AnnouncementStore, 'save' | 'remove' | 'find'>;
  recent: Recent;
  touch: Placement['touch'];
  /** The clock of the source, epoch ms. */
  now(): number;
  log: Log;
  /** Runs a function after other work had its turn. */
  later(run: () => void): void;
};

export type Intake = AnnouncementSink & {
  /** Writes what still waits. */
  finish(): void;
  /** Releases that could not be kept, since the start. */
  refused(): number;
};

/** What the source tells, on its way to the database and to the stocks. */
export function createIntake({ store, recent, touch, now, log, later }: IntakeDeps): Intake {
  /** The rest of large batches by id, the oldest first. */
  let queue = new Map<string, Release>();
  let isRunning = false;
  let refused = 0;

  function tidied(releases: readonly Release[]): KeptAnnouncement[] {
    const time = now();
    return releases.flatMap((release) => {
      const kept = keptAnnouncement(release, time);
      if (kept) return [kept];
      if (refused === 0) log.warn('An announcement can not be kept', { id: release.id, code: release.code });
      refused += 1;
      return [];
    });
  }

  function write(releases: readonly Release[]): { added: number; changed: number } {
    const kept = tidied(releases);
    let added = 0;
    const written = store.save(kept);
    for (const { before, after } of written) {
      if (before === null) added += 1;
      else if (before.code !== after.code) touch(before.code);
    }
    const isNew = new Set(written.map(({ after }) => after.id));
    for (const announcement of kept) {
      if (!isNew.has(announcement.id) && recent.has(announcement.id)) continue;
      recent.put(announcement);
      touch(announcement.code, announcement.isPriceSensitive);
    }
    return { added, changed: written.length - added };
  }

  /** Writes a piece of the queue, the oldest. What can't be written is dropped with the rest: it is told again. */
  function writeNext(): { added: number; changed: number } {
    const next = [...queue.values()].slice(0, AT_ONCE);
    try {
      for (const { id } of next) queue.delete(id);
      return write(next);
    } catch (error) {
      queue.clear();
      throw error;
    }
  }

  function run(): void {
    isRunning = false;
    try {
      if (queue.size > 0) writeNext();
    } catch (error) {
      log.error('Announcements could not be written', { error });
    }
    goOn();
  }

  function goOn(): void {
    if (isRunning || queue.size === 0) return;
    isRunning = true;
    later(run);
  }

  return {
    apply(releases) {
      for (const release of releases) queue.set(release.id, release);
      if (queue.size > AT_ONCE) queue = new Map([...queue].sort(([, a], [, b]) => a.time - b.time));
      const written = writeNext();
      goOn();
      return written;
    },
    withdraw(ids) {
      for (const id of ids) queue.delete(id);
      for (const { id, code } of store.remove(ids)) {
        recent.drop(id);
        touch(code);
      }
    },
    knows: (id) => queue.has(id) || store.find(id) !== null,
    finish() {
      while (queue.size > 0) writeNext();
    },
    refused: () => refused,
  };
}
