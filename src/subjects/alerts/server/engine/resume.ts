import { COOLDOWN_MS, cooledAt } from '../../rules/cooldown.ts';
import { latchHolding } from '../../rules/latch.ts';
import type { Logic } from '../../../conditions/rules/condition.ts';
import type { SystemClock } from '../../../../lib/clock.ts';
import type { Log } from '../../../../lib/log.ts';
import { type Entries, type Entry, hashLogic } from './entries.ts';
import { restoreBefore, type UnpackedState, unpackState } from './packedState.ts';
import type { DeferredUpdates } from './deferredUpdates.ts';
import type { AlertEngineStore, StoredAlert, DeferredTrigger } from './store.ts';
import type { AlertEngine, AlertEngineCore, AlertEngineNeeds } from './types.ts';

export type ResumeDeps = Pick<AlertEngineNeeds, 'scansOf'> &
  Pick<AlertEngineCore, 'source'> & {
    clock: SystemClock;
    log: Log;
    store: AlertEngineStore;
    entries: Entries;
    deferredUpdates: Pick<DeferredUpdates, 'add'>;
    /** An alert is in memory again, with the latch that was remembered of it. */
    placed(entry: Entry): void;
  };

/** Makes the function that takes up the active alerts of an earlier run. */
export function createResume(deps: ResumeDeps): AlertEngine['resume'] {
  const { clock, log, store, entries, deferredUpdates, source, scansOf, placed } = deps;

  /**
   * Takes up a stored alert and what is remembered of it.
   * @param last its last trigger, where what is remembered may be older
   */
  function restore(
    { alert, logic, source: from, state }: StoredAlert,
    last: DeferredTrigger | undefined,
  ): void {
    const whole = { ...alert, logic: JSON.parse(logic) as Logic };
    const entry = entries.add(whole, hashLogic(whole, logic, scansOf));
    const known = state && from === source.name ? unpackState(state, entry.logicHash) : null;
    if (known) restoreState(entry, known);
    placed(entry);
    if (last === undefined) return;
    deferredUpdates.add(entry, last, entry);
    entry.lastTriggeredAt = last.triggeredAt;
    if (last.source === source.name && known?.lastTriggeredAt !== last.triggeredAt)
      restoreTrigger(entry, last);
  }

  function restoreState(entry: Entry, known: UnpackedState): void {
    const { days } = entry.book;
    const { evaluatedAt, lastTriggeredAt } = known;
    entry.latch = known.latch;
    entry.evaluatedAt = evaluatedAt;
    days.quote ??= known.days.quote;
    days.prior ??= known.days.prior;
    const isMadeAnew = source.days === 'independent' && (evaluatedAt ?? 0) > source.clock.now();
    if (!isMadeAnew) restoreBefore(entries.program, entry, known.before);
    if (lastTriggeredAt !== null) coolDown(entry, lastTriggeredAt);
  }

  function coolDown(entry: Entry, lastTriggeredAt: number): void {
    const now = { wall: clock.now(), monotonic: clock.monotonic() };
    entry.coolUntil = cooledAt(lastTriggeredAt, COOLDOWN_MS, now);
  }

  /** Gives an alert what its last trigger left. */
  function restoreTrigger(entry: Entry, { silent, marketAt, triggeredAt }: DeferredTrigger): void {
    const firing = { isPersistent: entry.persistent, isSnoozed: silent, isCooling: false };
    entry.latch = latchHolding(entry.latch, firing);
    entry.evaluatedAt = marketAt;
    coolDown(entry, triggeredAt);
  }

  /** Switches off what fired for the last time in an earlier run. */
  function switchOff(deferred: readonly DeferredTrigger[]): void {
    store.inTransaction(() => {
      for (const trigger of deferred) store.applyTrigger(trigger, trigger.version, null);
    });
  }

  return () => {
    const deferred = store.deferredTriggers();
    const off = deferred.filter(({ deactivated }) => deactivated);
    if (off.length > 0) switchOff(off);
    store.dropInactiveStates();
    const last = new Map(deferred.map((trigger) => [trigger.alertId, trigger]));
    for (const stored of store.active()) {
      if (entries.get(stored.alert.id)) continue;
      try {
        restore(stored, last.get(stored.alert.id));
      } catch (error) {
        log.error('An alert could not be read and is left out', { alert: stored.alert.id, error });
      }
    }
    return off.map(({ userId }) => userId);
  };
}
