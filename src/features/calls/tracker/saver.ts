import type { Stopwatch } from '../../../lib/clock.ts';
import { fromState } from '../rows.ts';
import type { CallStore } from '../store.ts';
import type { FollowedCall } from './followedCalls.ts';

export type SaverDeps = {
  clock: Stopwatch;
  store: Pick<CallStore, 'inTransaction' | 'saveTrack' | 'pause'>;
  /** Called after something that visitors can see was written: a fill, a level reached, a pause. */
  changed(userIds: Iterable<number>): void;
};

/** What is not urgent is written at most this often; a restart works it out again from the session's range. */
const SAVE_EVERY_MS = 10_000;
/** So many in one tick; more than that goes on in the next, so that no tick becomes long. */
const MAX_SAVED_AT_ONCE = 200;

const ADJUSTED_TEXT =
  'The previous close no longer fits the prices seen before: probably a split or consolidation. Prices are not followed any more.';

/** Writes what the tracker found: at once what visitors can see, the rest in pieces every ten seconds. */
export function createSaver({ clock, store, changed }: SaverDeps) {
  const unsaved = new Set<FollowedCall>();
  /** Users with a change that visitors can see and that is not written yet. */
  const waiting = new Set<number>();
  let savedAt = Number.NEGATIVE_INFINITY;

  const save = (some: Iterable<FollowedCall>): void => {
    const list = [...some];
    if (list.length === 0) return;
    store.inTransaction(() => {
      for (const { id, state, lastQuote, isPaused } of list) {
        store.saveTrack({ id, ...fromState(state), lastQuote });
        if (isPaused) store.pause(id, ADJUSTED_TEXT);
      }
    });
    for (const followed of list) unsaved.delete(followed);
    if (waiting.size === 0) return;
    changed(waiting);
    waiting.clear();
  };

  return {
    /** Marks a call as changed. */
    add: (followed: FollowedCall): void => void unsaved.add(followed),
    /** Forgets a call that ended: whoever ended it writes it. */
    drop: (followed: FollowedCall): void => void unsaved.delete(followed),

    /** Writes these calls at once. A full disk throws; they are tried again, and visitors hear of them then. */
    saveAtOnce(urgent: ReadonlySet<FollowedCall>): void {
      for (const { userId } of urgent) waiting.add(userId);
      save(urgent);
    },

    /** Writes a piece of the rest when it is time; to be called at every tick. */
    saveDue(): void {
      if (unsaved.size === 0 || clock.monotonic() - savedAt < SAVE_EVERY_MS) return;
      if (unsaved.size <= MAX_SAVED_AT_ONCE) savedAt = clock.monotonic();
      save(unsaved.values().take(MAX_SAVED_AT_ONCE));
    },

    saveAll: (): void => save(unsaved),

    count: (): number => unsaved.size,
  };
}

export type Saver = ReturnType<typeof createSaver>;
