import type { Program } from '../../../domain/alerts/program.ts';
import type { Stopwatch } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';
import type { Entries, Entry } from './entries.ts';
import { packState } from './packedState.ts';
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
/** So many in one tick; more than that goes on in the next, so that no tick becomes long. */
const MAX_SAVED_AT_ONCE = 2000;

/** Writes a state as it stands. To be called within a transaction. */
export function writeState(
  { store, source }: Pick<SaverDeps, 'store' | 'source'>,
  program: Program,
  entry: Entry,
  lastTriggeredAt = entry.lastTriggeredAt,
): void {
  store.saveState(entry.id, source, entry.version, packState(program, entry, lastTriggeredAt));
}

/**
 * Writes what alerts remember, apart from what a trigger changes: latches that open or close without one, crossings
 * whose sides changed places. The last values of a crossing alone are no such change; they follow once a session.
 */
export function createSaver(deps: SaverDeps) {
  const { clock, log, store, entries } = deps;
  const dirty = new Set<Entry>();
  const dropped = new Set<number>();
  /** What is written only when there is time. */
  let later: Entry[] = [];
  /** When the oldest change that is not on disk was made, by the stopwatch. */
  let since: number | null = null;
  let isFailing = false;

  const note = (): void => {
    since ??= clock.monotonic();
  };
  const isWritable = ({ isGone, isWaiting }: Entry): boolean => !isGone && !isWaiting;

  function write(changed: readonly Entry[]): void {
    store.inTransaction(() => {
      for (const id of dropped) store.dropState(id);
      for (const entry of changed) writeState(deps, entries.program, entry);
    });
    dropped.clear();
    for (const entry of changed) dirty.delete(entry);
    since = dirty.size === 0 ? null : since;
  }

  function writeSafely(changed: readonly Entry[]): void {
    try {
      write(changed);
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.error('What alerts remember could not be saved; trying again', { error });
      isFailing = true;
    }
  }

  function due(most: number): Entry[] {
    const changed = [...dirty].filter(isWritable).slice(0, most);
    if (changed.length > 0) return changed;
    const rest = later.splice(-most);
    return rest.filter(isWritable);
  }

  return {
    /** Marks an alert's state as changed. */
    add(entry: Entry): void {
      dirty.add(entry);
      note();
    },

    /** The state of this alert is on disk, or nobody needs it. */
    settle: (entry: Entry): void => void dirty.delete(entry),

    /** What is on disk of this alert counts no more. */
    drop(entry: Entry): void {
      dirty.delete(entry);
      dropped.add(entry.id);
      note();
    },

    /** Writes everything when there is time: the session is over. */
    addAllLater(): void {
      later = [...entries.all()].filter(({ evaluatedAt }) => evaluatedAt !== null);
    },

    /** Writes a piece when it is time; to be called at every tick. */
    saveDue(): void {
      const isDue = since !== null && clock.monotonic() - since >= SAVE_AFTER_MS;
      if (!isDue && later.length === 0) return;
      const changed = due(MAX_SAVED_AT_ONCE);
      if (changed.length > 0 || dropped.size > 0) writeSafely(changed);
    },

    /** Writes the state of every alert that was evaluated. */
    saveAll: (): void =>
      write([...entries.all()].filter((one) => isWritable(one) && one.evaluatedAt !== null)),

    count: (): number => dirty.size + dropped.size,
  };
}

export type Saver = ReturnType<typeof createSaver>;
