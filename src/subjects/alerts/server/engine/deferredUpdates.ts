import type { Trigger } from '#subjects/alerts/rules/trigger.ts';
import { FirstFailure, type Log } from '#lib/log.ts';
import { type Entry, isWritable } from './entries.ts';
import type { StateSaver } from './stateSaver.ts';
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
export class DeferredUpdates {
  private readonly pending = new Map<number, DeferredUpdate>();
  private readonly failure: FirstFailure;
  /** Whether the number of the first one may be on disk, of an earlier run at first. */
  private isNoted = true;

  constructor(
    log: Log,
    private readonly store: AlertEngineStore,
    private readonly saver: StateSaver,
  ) {
    this.failure = new FirstFailure(log, 'What follows from triggers could not be written; trying again');
  }

  /** Notes on disk from which trigger on alerts may have updates that wait. To be called within the transaction of the triggers. */
  note(firstTriggerId: number): void {
    // As long as any waits, the number of an older one is there.
    if (this.pending.size === 0) this.store.noteDeferred(firstTriggerId);
  }

  /** Takes over what follows from a trigger that was committed. @param staying the alert where it stays on */
  add(entry: Entry, trigger: DeferredUpdate['trigger'], staying: Entry | null): void {
    this.isNoted = true;
    this.pending.set(entry.id, { entry, version: entry.version, trigger, staying });
  }

  /** A later trigger of the alert was written with all that follows from it. */
  drop(alertId: number): void {
    this.pending.delete(alertId);
  }

  /** Applies a part; to be called at every tick. */
  applySome(): void {
    if (!this.isNoted) return;
    try {
      this.apply([...this.pending.values().take(MAX_A_TICK)]);
      this.failure.ended();
    } catch (error) {
      this.failure.failed(error);
    }
  }

  /**
   * Applies those of these users, and others with them: in a gap many users look at once, and each transaction
   * waits for the disk.
   * @throws what the database throws
   */
  applyOf(userIds: readonly number[]): void {
    if (this.pending.size === 0) return;
    const users = new Set(userIds);
    const own = [...this.pending.values()].filter(({ entry }) => users.has(entry.userId));
    if (own.length === 0) return;
    const others = this.pending.values().filter(({ entry }) => !users.has(entry.userId));
    this.apply([...own, ...others.take(Math.max(0, MAX_A_TICK - own.length))]);
  }

  /** @throws what the database throws */
  applyAll(): void {
    if (this.isNoted) this.apply([...this.pending.values()]);
  }

  get count(): number {
    return this.pending.size;
  }

  /** @throws what the database throws; then they wait on */
  private apply(some: readonly DeferredUpdate[]): void {
    const isLast = some.length === this.pending.size;
    this.store.inTransaction(() => {
      for (const { version, trigger, staying } of some) {
        this.store.applyTrigger(trigger, version, null);
        if (staying && isWritable(staying)) this.saver.writeState(staying, staying.lastTriggeredAt);
      }
      if (isLast) this.store.noteDeferred(null);
    });
    this.isNoted = this.isNoted && !isLast;
    for (const { entry, staying } of some) {
      this.pending.delete(entry.id);
      if (staying && isWritable(staying)) this.saver.settle(staying);
    }
  }
}
