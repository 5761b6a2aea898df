import { cooldownMs, cooledAt } from '#subjects/alerts/rules/alert.ts';
import { stateHolding } from '#subjects/alerts/rules/firingState.ts';
import type { Logic } from '#subjects/conditions/rules/condition.ts';
import { type ActiveAlerts, type ActiveAlert, hashLogic } from './activeAlerts.ts';
import { type ReadState, readState, restoreBefore } from './stateSaver.ts';
import type { AlertEngineStore, StoredAlert, DeferredTrigger } from './store.ts';
import type { EngineParts } from './types.ts';
import type { App } from '#platform/app.ts';

/**
 * Loads all active alerts with their stored states.
 * @param placed called with each alert that is in memory again
 * @returns owners of alerts that the earlier run switched off in memory but not on disk
 */
export function resumeAlerts(
  app: App,
  parts: EngineParts,
  placed: (entry: ActiveAlert) => void,
): readonly number[] {
  const { log, store, entries } = parts;
  const deferred = store.deferredTriggers();
  const off = deferred.filter(({ deactivated }) => deactivated);
  if (off.length > 0) switchOff(store, off);
  store.dropInactiveStates();
  const last = new Map(deferred.map((trigger) => [trigger.alertId, trigger]));
  for (const stored of store.active()) {
    if (entries.get(stored.alert.id)) continue;
    try {
      placed(restore(app, parts, stored, last.get(stored.alert.id)));
    } catch (error) {
      log.error('Skipped an alert that could not be read', { alert: stored.alert.id, error });
    }
  }
  return off.map(({ userId }) => userId);
}

function switchOff(store: AlertEngineStore, deferred: readonly DeferredTrigger[]): void {
  store.inTransaction(() => {
    for (const trigger of deferred) store.applyTrigger(trigger, trigger.version, null);
  });
}

/** Loads an alert and its state. @param last its last trigger, if the state may be older than it */
function restore(
  app: App,
  { deferredUpdates, entries }: EngineParts,
  { alert, logic, source: from, state }: StoredAlert,
  last: DeferredTrigger | undefined,
): ActiveAlert {
  const { indicators, source } = app;
  const whole = { ...alert, logic: JSON.parse(logic) as Logic };
  const entry = entries.add(whole, hashLogic(whole, logic, indicators.scansOf));
  const known = state && from === source.name ? readState(state, entry.logicHash) : null;
  if (known) restoreState(app, entries, entry, known);
  if (last === undefined) return entry;
  deferredUpdates.add(entry, last, entry);
  entry.lastTriggeredAt = last.triggeredAt;
  if (last.source === source.name && known?.lastTriggeredAt !== last.triggeredAt) {
    restoreTrigger(app, entry, last);
  }
  return entry;
}

function restoreState(app: App, entries: ActiveAlerts, entry: ActiveAlert, known: ReadState): void {
  const { source } = app;
  const { days } = entry.symbolAlerts;
  const { evaluatedAt, lastTriggeredAt } = known;
  entry.firingState = known.firingState;
  entry.evaluatedAt = evaluatedAt;
  days.quote ??= known.days.quote;
  days.prior ??= known.days.prior;
  const isMadeAgain = source.days === 'independent' && (evaluatedAt ?? 0) > source.clock.now();
  if (!isMadeAgain) restoreBefore(entries.program, entry, known.before);
  if (lastTriggeredAt !== null) coolDown(app, entry, lastTriggeredAt);
}

function restoreTrigger(
  app: App,
  entry: ActiveAlert,
  { silent, marketAt, triggeredAt }: DeferredTrigger,
): void {
  const limits = { isPersistent: entry.persistent, isSnoozed: silent, isCooling: false };
  entry.firingState = stateHolding(entry.firingState, limits);
  entry.evaluatedAt = marketAt;
  coolDown(app, entry, triggeredAt);
}

function coolDown({ clock }: App, entry: ActiveAlert, lastTriggeredAt: number): void {
  const now = { wall: clock.now(), monotonic: clock.monotonic() };
  entry.coolUntil = cooledAt(lastTriggeredAt, cooldownMs(entry.cooldownMinutes), now);
}
