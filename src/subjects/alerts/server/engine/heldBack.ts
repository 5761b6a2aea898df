import { guardedBy, guardText, type GuardingEvent, guardingText } from '#subjects/alerts/rules/eventGuard.ts';
import type { HeldBack } from '#subjects/alerts/rules/alert.ts';
import { FirstFailure } from '#lib/firstFailure.ts';
import type { Log } from '#lib/log.ts';
import type { Entry } from './entries.ts';
import type { AlertEngineStore } from './store.ts';
import type { AlertEngineNeeds } from './types.ts';

export type HoldingDeps = Pick<AlertEngineNeeds, 'events'> & {
  log: Log;
  store: Pick<AlertEngineStore, 'inTransaction' | 'saveHeld'>;
};

/**
 * The alerts that would have fired and wait until an event is over. That they do is on disk with the tick in which it began,
 * so that a restart forgets none.
 */
export class HeldBackAlerts {
  private readonly waiting = new Set<Entry>();
  private readonly unsaved = new Set<Entry>();
  private readonly failure: FirstFailure;

  constructor(private readonly deps: HoldingDeps) {
    this.failure = new FirstFailure(
      deps.log,
      'What is held back for events could not be saved; trying again',
    );
  }

  /** The event for which an alert is marked or held back now; null for none. */
  eventOf({ guard }: Pick<Entry, 'guard'>): GuardingEvent | null {
    if (guard === null) return null;
    const { events } = this.deps;
    return guardedBy(guard.currencies, events.guarding(), events.now());
  }

  /** What the guard does with an alert at this moment, in a line; null for nothing. */
  textOf(entry: Pick<Entry, 'guard' | 'held'>): string | null {
    const { guard, held } = entry;
    if (held !== null) return guardText({ kind: 'late', event: held.event, since: held.since });
    const event = this.eventOf(entry);
    return guard && event && guardingText(guard, event);
  }

  /** Whether an alert is to wait for its event now. */
  isHeld({ guard }: Pick<Entry, 'guard'>): boolean {
    return guard?.mode === 'hold' && this.eventOf({ guard }) !== null;
  }

  now(): number {
    return this.deps.events.now();
  }

  /** An alert begins to wait. */
  hold(entry: Entry, held: HeldBack): void {
    entry.held = held;
    this.waiting.add(entry);
    this.unsaved.add(entry);
  }

  /** An alert waited already when an earlier run ended, or before it was put in again. */
  resume(entry: Entry): void {
    if (entry.held !== null) this.waiting.add(entry);
  }

  /** An alert waits no more. What is on disk of it goes with what is written of that. */
  release(entry: Entry): void {
    entry.held = null;
    this.waiting.delete(entry);
    this.unsaved.delete(entry);
  }

  /** An alert begins afresh: what an earlier form of it waited for counts no more. */
  forget(entry: Entry): void {
    if (entry.held === null) return;
    this.release(entry);
    this.unsaved.add(entry);
  }

  /** The market was taken to another moment: nothing waits there. */
  clear(): void {
    for (const entry of [...this.waiting]) this.release(entry);
  }

  /** Those whose event is over, moved or gone: they are to be decided now. */
  due(): Entry[] {
    const due: Entry[] = [];
    for (const entry of this.waiting) {
      if (entry.isGone) this.waiting.delete(entry);
      else if (!entry.isWaiting && !this.isHeld(entry)) due.push(entry);
    }
    return due;
  }

  /** Writes what began to wait, or waits no more; to be called at every tick. */
  save(): void {
    if (this.unsaved.size === 0) return;
    const entries = [...this.unsaved].filter(({ isGone }) => !isGone);
    try {
      this.deps.store.inTransaction(() => {
        for (const { id, version, held } of entries) this.deps.store.saveHeld(id, version, held);
      });
      this.unsaved.clear();
      this.failure.ended();
    } catch (error) {
      this.failure.failed(error);
    }
  }

  get count(): number {
    return this.waiting.size;
  }
}
