import { type KeptAnnouncement, keptAnnouncement } from '../rules/keptAnnouncement.ts';
import type { Log } from '../../../lib/log.ts';
import type { Scheduler } from '../../../lib/scheduler.ts';
import type { AnnouncementSink, Release } from '../../../sources/announcements/source.ts';
import type { Placement } from './placement.ts';
import type { Recent } from './recent.ts';
import type { AnnouncementStore } from './store.ts';

/** Releases that are written at once: about 5 ms. */
const AT_ONCE = 100;
/**
 * So long single announcements wait for others before they are written, for SD cards: to write one costs some fifteen pages
 * of the disk, to write ten hardly more. What is shown does not wait, and whoever reads what is kept has it written first.
 * After a kill the source tells them again. Price-sensitive ones are noted on the disk before they are shown: an alert that
 * has fired for one would fire anew if it were gone for a moment.
 */
const HOLD_MS = 10 * 60_000;
const MAX_HELD = 50;

export type IntakeDeps = {
  store: Pick<AnnouncementStore, 'save' | 'remove' | 'find' | 'since' | 'saveHeld' | 'noteHeld' | 'noted'>;
  recent: Recent;
  touch: Placement['touch'];
  /** The clock of the source, epoch ms. */
  now(): number;
  log: Log;
  /** Runs a function after other work had its turn. */
  later(run: () => void): void;
  /** Without it nothing is held. */
  schedule?: Scheduler;
};

export type Intake = AnnouncementSink & {
  /** Writes what still waits. */
  finish(): void;
  /** Writes what is held, for who is about to read what is kept; it stays held when it can't be written. */
  settle(): void;
  /** Releases that could not be kept, since the start. */
  refused(): number;
};

/** What the source tells, on its way to the database and to the stocks. */
export function createIntake({ store, recent, touch, now, log, later, schedule }: IntakeDeps): Intake {
  /** The rest of large batches by id, the oldest first. */
  let queue = new Map<string, Release>();
  /** New ones that are shown and not written yet, at first those that an earlier run noted. */
  const held = new Map(store.noted().map((announcement) => [announcement.id, announcement]));
  let cancelHold: (() => void) | null = null;
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

  function settle(): void {
    cancelHold?.();
    cancelHold = null;
    if (held.size === 0) return;
    try {
      store.saveHeld([...held.values()]);
      held.clear();
    } catch (error) {
      log.error('Announcements could not be written; trying again', { error });
      hold();
    }
  }

  function hold(): void {
    cancelHold ??= schedule?.(HOLD_MS, settle) ?? null;
  }

  /** Shows a few new ones without writing them. @returns null when these are not just that */
  function showOnly(releases: readonly Release[]): { added: number; changed: number } | null {
    if (!schedule || queue.size > 0 || held.size + releases.length > MAX_HELD) return null;
    if (releases.some(({ id }) => held.has(id) || store.find(id) !== null)) return null;
    const kept = tidied(releases);
    if (new Set(kept.map(({ id }) => id)).size < kept.length) return null;
    const isSensitive = ({ isPriceSensitive }: KeptAnnouncement): boolean => isPriceSensitive;
    if (kept.some(isSensitive)) store.noteHeld([...held.values(), ...kept].filter(isSensitive));
    for (const announcement of kept) {
      held.set(announcement.id, announcement);
      recent.put(announcement);
      touch(announcement.code, announcement.isPriceSensitive);
    }
    hold();
    return { added: kept.length, changed: 0 };
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
      const shown = showOnly(releases);
      if (shown) return shown;
      settle();
      for (const release of releases) queue.set(release.id, release);
      if (queue.size > AT_ONCE) queue = new Map([...queue].sort(([, a], [, b]) => a.time - b.time));
      const written = writeNext();
      goOn();
      return written;
    },
    withdraw(ids) {
      settle();
      for (const id of ids) queue.delete(id);
      for (const { id, code } of store.remove(ids)) {
        recent.drop(id);
        touch(code);
      }
    },
    knows: (id) => queue.has(id) || held.has(id) || store.find(id) !== null,
    keptSince(time) {
      settle();
      return store.since(time).map((kept) => ({ id: kept.id, time: kept.time }));
    },
    settle,
    finish() {
      settle();
      cancelHold?.();
      cancelHold = null;
      while (queue.size > 0) writeNext();
    },
    refused: () => refused,
  };
}
