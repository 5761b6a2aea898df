import type { Stopwatch } from '../../../../lib/clock.ts';
import { fromState } from '../rows.ts';
import { settlementOf } from '../settlement.ts';
import type { CallPathStore } from '../paths/store.ts';
import type { CallStore } from '../store.ts';
import type { FollowedCall } from './followedCalls.ts';
import type { Urgency } from './observe.ts';

export type SaverDeps = {
  clock: Stopwatch;
  store: Pick<CallStore, 'inTransaction' | 'saveTrack' | 'pause' | 'settle' | 'byId'> &
    Pick<CallPathStore, 'addStops'>;
  /** Called after something that visitors can see was written: a fill, a level reached, a pause, a settlement. */
  changed(userIds: Iterable<number>): void;
  /** Called with a call whose settlement was written. */
  settled(followed: FollowedCall): void;
};

/** What is not urgent is written at most this often, for SD cards. */
const EVERY_MS = { soon: 10_000, later: 60_000 };
/** So many in one tick; more than that goes on in the next, so that no tick becomes long. */
const MAX_SAVED_AT_ONCE = 200;
/** What is not urgent goes with what is, where it was not written for so long: a transaction costs more than its rows. */
const ALONG_AFTER_MS = 30_000;
/** So many, so that what is urgent stays quick. */
const MAX_ALONG = 20;

const ADJUSTED_TEXT =
  'The previous close is the last price seen before, times a usual ratio: probably a split or consolidation. Prices are no longer followed.';

/** Writes one call as it stands. To be called within a transaction. */
function write(store: SaverDeps['store'], followed: FollowedCall): void {
  const { id, state, watch, isPaused, exit, newStops } = followed;
  store.saveTrack({ id, ...fromState(state), watch });
  if (newStops.length > 0) store.addStops(id, newStops);
  if (isPaused) store.pause(id, ADJUSTED_TEXT);
  else if (exit !== null) store.settle(id, settlementOf(store.byId(id), state, exit));
}

/** Writes what the tracker found: at once what is urgent, the rest in pieces every ten seconds or every minute. */
export function createSaver({ clock, store, changed, settled }: SaverDeps) {
  const unsaved = new Set<FollowedCall>();
  /** Calls with a change that must be written before the tick is over. */
  const urgent = new Set<FollowedCall>();
  /** When the first of the others must be written, by the stopwatch. */
  let dueAt = Number.POSITIVE_INFINITY;
  let savedAt = Number.NEGATIVE_INFINITY;

  const save = (some: Iterable<FollowedCall>): void => {
    const list = [...some];
    if (list.length === 0) return;
    store.inTransaction(() => {
      for (const followed of list) write(store, followed);
    });
    const seen = new Set<number>();
    for (const followed of list) {
      unsaved.delete(followed);
      followed.newStops = [];
      if (urgent.delete(followed)) seen.add(followed.userId);
      if (followed.exit !== null) settled(followed);
    }
    if (unsaved.size === 0) dueAt = Number.POSITIVE_INFINITY;
    if (seen.size > 0) changed(seen);
  };

  return {
    /** Marks a call as changed; what is to be written at once is when `saveUrgent` is called. */
    add(followed: FollowedCall, urgency: Exclude<Urgency, 'none'>): void {
      unsaved.add(followed);
      if (urgency === 'atOnce') urgent.add(followed);
      else dueAt = Math.min(dueAt, savedAt + EVERY_MS[urgency]);
    },
    /** Forgets a call that whoever has it now writes. */
    drop(followed: FollowedCall): void {
      unsaved.delete(followed);
      urgent.delete(followed);
    },

    /** Writes the urgent ones. A full disk throws; they are tried again, and visitors hear of them then. */
    saveUrgent(): void {
      if (urgent.size === 0) return;
      const now = clock.monotonic();
      const others = unsaved.size - urgent.size;
      const takesOthers = others > 0 && others <= MAX_ALONG && now - savedAt >= ALONG_AFTER_MS;
      save(takesOthers ? unsaved : urgent);
      if (takesOthers) savedAt = now;
    },

    /** Writes a piece of the rest when it is time; to be called at every tick. */
    saveDue(): void {
      if (unsaved.size === 0 || clock.monotonic() < dueAt) return;
      savedAt = clock.monotonic();
      save(unsaved.values().take(MAX_SAVED_AT_ONCE));
    },

    saveAll: (): void => save(unsaved),

    count: (): number => unsaved.size,
  };
}

export type Saver = ReturnType<typeof createSaver>;
