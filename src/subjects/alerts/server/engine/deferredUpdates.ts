import type { Trigger } from '#subjects/alerts/rules/trigger.ts';
import { FirstFailure, type Log } from '#lib/log.ts';
import { type ActiveAlert, isWritable } from './activeAlerts.ts';
import type { StateSaver } from './stateSaver.ts';
import type { AlertEngineStore } from './store.ts';

/** A trigger on disk whose alert row and state are not yet updated. */
type DeferredUpdate = {
  entry: ActiveAlert;
  version: number;
  trigger: Pick<Trigger, 'alertId' | 'triggeredAt' | 'deactivated'>;
  /** The alert in memory; null if the trigger switched it off. */
  staying: ActiveAlert | null;
};

/** Updates per tick. Rows are scattered, so each update writes a page or two. */
const MAX_A_TICK = 200;

/**
 * If thousands of alerts fire at once, their triggers and messages are written immediately. The updates of the alerts
 * follow in the next ticks, and before a user's alerts are read. Until then the id of the first such trigger is on
 * disk, so that the next run can complete them after a crash.
 */
export class DeferredUpdates {
  private readonly pending = new Map<number, DeferredUpdate>();
  private readonly failure: FirstFailure;
  /** Whether that id may be on disk; initially true because of an earlier run. */
  private isNoted = true;

  constructor(
    log: Log,
    private readonly store: AlertEngineStore,
    private readonly saver: StateSaver,
  ) {
    this.failure = new FirstFailure(log, 'Could not write the updates that follow triggers; trying again');
  }

  /** Stores the first trigger with pending updates. Call it in the transaction of the triggers. */
  note(firstTriggerId: number): void {
    // While updates are pending, an older id is already stored.
    if (this.pending.size === 0) this.store.noteDeferred(firstTriggerId);
  }

  /** Adds the update of a committed trigger. @param staying the alert if it stays on, otherwise null */
  add(entry: ActiveAlert, trigger: DeferredUpdate['trigger'], staying: ActiveAlert | null): void {
    this.isNoted = true;
    this.pending.set(entry.id, { entry, version: entry.version, trigger, staying });
  }

  /** Drops a pending update, because a later trigger of the alert included it. */
  drop(alertId: number): void {
    this.pending.delete(alertId);
  }

  /** Applies some updates; call it at every tick. */
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
   * Applies the updates of these users and some others, as each transaction waits for the disk.
   * @throws database errors
   */
  applyOf(userIds: readonly number[]): void {
    if (this.pending.size === 0) return;
    const users = new Set(userIds);
    const own = [...this.pending.values()].filter(({ entry }) => users.has(entry.userId));
    if (own.length === 0) return;
    const others = this.pending.values().filter(({ entry }) => !users.has(entry.userId));
    this.apply([...own, ...others.take(Math.max(0, MAX_A_TICK - own.length))]);
  }

  /** @throws database errors */
  applyAll(): void {
    if (this.isNoted) this.apply([...this.pending.values()]);
  }

  get count(): number {
    return this.pending.size;
  }

  /** @throws database errors; the updates stay pending */
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
