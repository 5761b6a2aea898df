import type { Stopwatch } from '../../../../lib/clock.ts';
import type { Log } from '../../../../lib/log.ts';
import type { Entries, Entry } from './entries.ts';
import { createPackState } from './packedState.ts';
import type { AlertEngineStore } from './store.ts';

export type SaverDeps = {
  clock: Stopwatch;
  log: Log;
  store: AlertEngineStore;
  entries: Pick<Entries, 'all' | 'program'>;
  /** The source that the states belong to. */
  source: string;
};

/**
 * A change waits so long for others. Ticks come every second, so with the next tick it is on disk two seconds after it
 * was made, unless thousands change at once.
 */
const SAVE_AFTER_MS = 1000;
/**
 * Alerts whose ids differ only in these bits lie on the same page of the database or two. What a tick costs is the pages
 * that it writes, so whole neighbourhoods are written together.
 */
const NEIGHBOURS_BITS = 5;
/** So many neighbourhoods in one tick; more than that goes on in the next, so that no tick becomes long. */
const MAX_NEIGHBOURHOODS = 64;
const MAX_DROPPED = 500;

/**
 * Writes what alerts remember, apart from what a trigger changes: latches that open or close without one, crossings
 * that came to stand where they cross to, or left that place. The last values of a crossing alone are no such change; they follow once a session.
 */
export function createSaver(deps: SaverDeps) {
  const { clock, log, store, entries, source } = deps;
  const packState = createPackState(entries.program);
  /** By neighbourhood, in the order of their oldest changes. */
  const dirty = new Map<number, Set<Entry>>();
  /** What is written only when there is time, in the same form. */
  let later = new Map<number, Set<Entry>>();
  const dropped = new Set<number>();
  /** When the oldest change that is not on disk was made, by the stopwatch. */
  let since: number | null = null;
  let isFailing = false;

  const note = (): void => {
    since ??= clock.monotonic();
  };

  /**
   * Writes a state as it stands. To be called within a transaction.
   * @param lastTriggeredAt epoch ms by the wall clock
   */
  function writeState(entry: Entry, lastTriggeredAt: number | null): void {
    store.saveState(entry.id, source, packState(entry, lastTriggeredAt));
  }

  /** Writes these, and what counts no more. To be called within a transaction. */
  function writeAll(changed: readonly Entry[]): void {
    for (const id of dropped.values().take(MAX_DROPPED)) store.dropState(id);
    for (const entry of changed) writeState(entry, entry.lastTriggeredAt);
  }

  /** What was written is on disk. */
  function done(changed: readonly Entry[]): void {
    for (const id of [...dropped.values().take(MAX_DROPPED)]) dropped.delete(id);
    for (const entry of changed) {
      forget(dirty, entry);
      // What is to be dropped was written over.
      dropped.delete(entry.id);
    }
    since = dirty.size + dropped.size === 0 ? null : since;
  }

  function writeSafely(changed: readonly Entry[]): boolean {
    if (changed.length === 0 && dropped.size === 0) return true;
    try {
      store.inTransaction(() => writeAll(changed));
      done(changed);
      isFailing = false;
      return true;
    } catch (error) {
      if (!isFailing) log.error('What alerts remember could not be saved; trying again', { error });
      isFailing = true;
      return false;
    }
  }

  /** What has waited long enough, as much of it as one tick writes; null when nothing has. */
  function due(): Entry[] | null {
    if (since === null || clock.monotonic() - since < SAVE_AFTER_MS) return null;
    return [...dirty.values().take(MAX_NEIGHBOURHOODS)].flatMap(writable);
  }

  function saveLater(): void {
    const parts = [...later.keys().take(MAX_NEIGHBOURHOODS)];
    if (writeSafely(parts.flatMap((part) => writable(later.get(part))))) {
      for (const part of parts) later.delete(part);
    }
  }

  return {
    writeState,

    /** Marks an alert's state as changed. */
    add(entry: Entry): void {
      mark(dirty, entry);
      note();
    },

    /** The state of this alert was written by somebody else, or is gone with it. */
    settle(entry: Entry): void {
      forget(dirty, entry);
      dropped.delete(entry.id);
    },

    /** What is on disk of this alert counts no more. */
    drop(entry: Entry): void {
      forget(dirty, entry);
      dropped.add(entry.id);
      note();
    },

    /** Writes everything when there is time: the session is over. */
    addAllLater(): void {
      later = new Map();
      for (const entry of entries.all()) if (entry.evaluatedAt !== null) mark(later, entry);
    },

    /**
     * Writes what is due along with the caller's own rows, so that both cost one write to the disk. To be called within
     * the caller's transaction.
     * @returns to be called when that was committed
     */
    writeDue(): () => void {
      const changed = due();
      if (changed === null) return () => {};
      writeAll(changed);
      return () => done(changed);
    },

    /** Writes a piece when it is time; to be called at every tick. */
    saveDue(): void {
      const changed = due();
      if (changed !== null) writeSafely(changed);
      else if (since === null && later.size > 0) saveLater();
    },

    /** Writes the state of every alert that was evaluated. @throws what the database throws */
    saveAll(): void {
      const changed = [...entries.all()].filter((one) => isWritable(one) && one.evaluatedAt !== null);
      store.inTransaction(() => writeAll(changed));
      done(changed);
    },

    count: (): number => dirty.values().reduce((sum, part) => sum + part.size, dropped.size),
  };
}

const isWritable = ({ isGone, isWaiting }: Entry): boolean => !isGone && !isWaiting;
const writable = (part: Iterable<Entry> = []): Entry[] => [...part].filter(isWritable);

function mark(parts: Map<number, Set<Entry>>, entry: Entry): void {
  const part = entry.id >> NEIGHBOURS_BITS;
  const same = parts.get(part);
  if (same) same.add(entry);
  else parts.set(part, new Set([entry]));
}

function forget(parts: Map<number, Set<Entry>>, entry: Entry): void {
  const part = entry.id >> NEIGHBOURS_BITS;
  const same = parts.get(part);
  if (same?.delete(entry) && same.size === 0) parts.delete(part);
}

export type Saver = ReturnType<typeof createSaver>;
