import type { Trigger } from '../../rules/trigger.ts';
import type { Log } from '../../../../lib/log.ts';
import type { Entry } from './entries.ts';
import type { Saver } from './saver.ts';
import type { AlertEngineStore } from './store.ts';

/** A trigger that is on disk, while its alert's row and state there are still as before. */
type DeferredUpdate = {
  entry: Pick<Entry, 'id' | 'userId'>;
  /** The alert's version when it fired. */
  version: number;
  trigger: Pick<Trigger, 'alertId' | 'triggeredAt' | 'deactivated'>;
  /** The alert in memory where it stays on; null where it is off. */
  staying: Entry | null;
};

/** Rows lie all over the database, so that each costs a page or two. */
const MAX_A_TICK = 200;

/**
 * In a gap thousands of triggers are written at once with their messages, and nothing but these: what they change of
 * their alerts follows in the next ticks, and before anybody reads a user's alerts. The number of the first such trigger
 * is on disk until all are done, so that the next run can do it where this one was killed.
 */
export function createDeferredUpdates(deps: { log: Log; store: AlertEngineStore; saver: Saver }) {
  const { log, store, saver } = deps;
  const pending = new Map<number, DeferredUpdate>();
  /** Whether the number of the first one may be on disk, of an earlier run at first. */
  let isNoted = true;
  let isFailing = false;

  /** @throws what the database throws; then they wait on */
  function apply(some: readonly DeferredUpdate[]): void {
    const isLast = some.length === pending.size;
    store.inTransaction(() => {
      for (const { version, trigger, staying } of some) {
        store.applyTrigger(trigger, version, null);
        if (staying && isWritable(staying)) saver.writeState(staying, staying.lastTriggeredAt);
      }
      if (isLast) store.noteDeferred(null);
    });
    isNoted = isNoted && !isLast;
    for (const { entry, staying } of some) {
      pending.delete(entry.id);
      if (staying && isWritable(staying)) saver.settle(staying);
    }
  }

  return {
    /** Notes on disk from which trigger on alerts may have updates that wait. To be called within the transaction of the triggers. */
    note(firstTriggerId: number): void {
      // As long as any waits, the number of an older one is there.
      if (pending.size === 0) store.noteDeferred(firstTriggerId);
    },

    /** Takes over what follows from a trigger that was committed. @param staying the alert where it stays on */
    add(entry: Entry, trigger: DeferredUpdate['trigger'], staying: Entry | null): void {
      isNoted = true;
      pending.set(entry.id, { entry, version: entry.version, trigger, staying });
    },

    /** A later trigger of the alert was written with all that follows from it. */
    drop: (alertId: number): void => void pending.delete(alertId),

    /** Applies a part; to be called at every tick. */
    applySome(): void {
      if (!isNoted) return;
      const some = [...pending.values().take(MAX_A_TICK)];
      try {
        apply(some);
        isFailing = false;
      } catch (error) {
        if (!isFailing) log.error('What follows from triggers could not be written; trying again', { error });
        isFailing = true;
      }
    },

    /**
     * Applies those of these users, and others with them: in a gap many users look at once, and each transaction
     * waits for the disk.
     * @throws what the database throws
     */
    applyOf(userIds: readonly number[]): void {
      if (pending.size === 0) return;
      const users = new Set(userIds);
      const own = [...pending.values()].filter(({ entry }) => users.has(entry.userId));
      if (own.length === 0) return;
      const others = pending.values().filter(({ entry }) => !users.has(entry.userId));
      apply([...own, ...others.take(Math.max(0, MAX_A_TICK - own.length))]);
    },

    /** @throws what the database throws */
    applyAll(): void {
      if (isNoted) apply([...pending.values()]);
    },

    count: (): number => pending.size,
  };
}

const isWritable = ({ isGone, isWaiting }: Entry): boolean => !isGone && !isWaiting;

export type DeferredUpdates = ReturnType<typeof createDeferredUpdates>;
