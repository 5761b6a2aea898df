import { type Alert, destinationsOf } from '../rules/alert.ts';
import type { AlertView, TriggerView, Evaluation } from '../rules/alertView.ts';
import { type Delivery, type SentTo, worstOf } from '#platform/outbox/rules/delivery.ts';
import type { Trigger } from '../rules/trigger.ts';
import { isUntilOpen } from '../rules/untilOpen.ts';
import type { ListedTrigger, TriggerBound } from '../rules/triggerList.ts';
import { scanRefs, withScanNames } from '#subjects/conditions/rules/savedScan.ts';
import { normaliseSymbol } from '#market/rules/liveSymbols.ts';
import { createWriteLimit } from '#platform/http/requestLimits.ts';
import {
  changeAlert,
  type Changed,
  createAlert,
  forget,
  missing,
  removeAlert,
  snoozeAlert,
  undoAlert,
} from './change.ts';
import { checkOwnLogic, type SentAlert } from './choice.ts';
import type { LostReference } from './lostReferences/index.ts';
import type { AlertsDeps } from './deps.ts';
import type { TransferKind } from '#subjects/transfer/rules/kind.ts';
import { alertsKind } from './transfer.ts';
import { type AlertRow, toAlert } from './store.ts';
import { armingLeft } from '../rules/arming.ts';
import { mannerOf } from '../rules/manner.ts';
import { guardText } from '../rules/eventGuard.ts';

const isoOrNull = (time: number | null): string | null =>
  time === null ? null : new Date(time).toISOString();

/**
 * @param triggered of the alert's last trigger: `delivery` is null where nothing was to be sent, `marketAt` when it was by
 *   the market's clock, epoch ms
 * @param state.problem what its conditions read that no longer exists, in a sentence; null when everything does
 * @param state.isArming whether it was already true as it was saved, and waits
 * @param state.isUntilOpen whether its conditions can only hold before the open
 * @param now epoch ms: a snooze that is over is none
 */
const toAlertView = (
  alert: Alert,
  { delivery, marketAt }: { delivery: Delivery | null; marketAt: number | null },
  { problem, isArming, isUntilOpen }: { problem: string | null; isArming: boolean; isUntilOpen: boolean },
  now: number,
): AlertView => ({
  id: alert.id,
  symbol: alert.symbol,
  name: alert.name,
  active: alert.active,
  persistent: alert.persistent,
  logic_json: alert.logic,
  destinations: alert.destinations,
  last_triggered_at: isoOrNull(alert.lastTriggeredAt),
  last_triggered_market_time: isoOrNull(marketAt),
  version: alert.version,
  snoozed_until: isoOrNull((alert.snoozedUntil ?? 0) > now ? alert.snoozedUntil : null),
  stopped_reason: alert.stoppedReason,
  note: alert.note,
  expires_at: isoOrNull(alert.expiresAt),
  event_guard: alert.guard,
  cooldown_minutes: alert.cooldownMinutes,
  ...mannerOf(alert),
  arms_in_ms: isArming ? armingLeft(alert.armedAt, now) : null,
  delivery,
  problem,
  until_open: isUntilOpen,
});

const toTriggerView = (trigger: Trigger, delivery: Delivery | null): TriggerView => ({
  id: trigger.id,
  timestamp: new Date(trigger.triggeredAt).toISOString(),
  marketTime: new Date(trigger.marketAt).toISOString(),
  seen: [...trigger.seen],
  quoteTime: isoOrNull(trigger.quoteAt),
  source: trigger.source,
  delayMinutes: trigger.delayMinutes,
  deactivated: trigger.deactivated,
  silent: trigger.silent,
  guard: trigger.guard && guardText(trigger.guard),
  delivery,
});

/** @param name the alert's; null where it has none */
const toListedTrigger = (trigger: Trigger, name: string | null, sent: readonly SentTo[]): ListedTrigger => ({
  ...toTriggerView(trigger, worstOf(sent)),
  kind: 'alert',
  alertId: trigger.alertId,
  name,
  symbol: trigger.symbol,
  symbols: [],
  event: null,
  scan: null,
  sent: [...sent],
});

/** Changes of one user in a minute: typing that is saved every half second comes to as many. */
const MAX_WRITES_A_MINUTE = 120;

/** Of an alert that is switched off. */
const NOT_EVALUATED: Evaluation = {
  at: null,
  notEvaluated: 'The alert is switched off',
  conditions: [],
  holds: null,
  guard: null,
};

/** What an alert's conditions read that no longer exists, or waits for a value, in a sentence; null when all is well. */
function problemOf(
  deps: AlertsDeps,
  { userId, logic, active }: Pick<Alert, 'userId' | 'logic' | 'active'>,
): string | null {
  const checked = checkOwnLogic(deps, userId, logic);
  if (!checked.ok) return checked.error.message;
  return active ? deps.indicators.alertShortage(userId, { logic }) : null;
}

/** What is done with alerts by their owners, in whatever way: a page, a chat, a test. Every id is looked up as theirs. */
export class Alerts {
  private readonly countWrite: (userId: number) => void;

  constructor(private readonly deps: AlertsDeps) {
    this.countWrite = createWriteLimit(deps.clock, MAX_WRITES_A_MINUTE, 'your alerts');
  }

  /** By symbol, oldest first. @param symbol untrimmed and in any case; all symbols when absent */
  list(userId: number, symbol?: string): Alert[] {
    const { engine, store } = this.deps;
    engine.applyDeferred([userId]);
    return store.ofUser(userId, symbol === undefined ? undefined : normaliseSymbol(symbol)).map(toAlert);
  }

  /** One of the user's; null when there is none of that id. */
  get(userId: number, id: number): Alert | null {
    const { engine, store } = this.deps;
    engine.applyDeferred([userId]);
    const row = store.own(userId, id);
    return row ? toAlert(row) : null;
  }

  /** As answers carry them, with what became of each one's last trigger. */
  views(alerts: readonly Alert[]): AlertView[] {
    const { store, deliveryOf, clock, engine } = this.deps;
    const last = store.lastTriggers(alerts.map(({ id }) => id));
    const deliveries = deliveryOf([...last.values()].map(({ id }) => id));
    const now = clock.now();
    return alerts.map((alert) => {
      const trigger = last.get(alert.id) ?? null;
      const delivery = trigger && (deliveries.get(trigger.id) ?? null);
      const triggered = { delivery, marketAt: trigger && trigger.marketAt };
      const problem = problemOf(this.deps, alert);
      const state = { problem, isArming: engine.isArming(alert.id), isUntilOpen: this.isUntilOpen(alert) };
      return toAlertView(alert, triggered, state, now);
    });
  }

  /** Those of a user that are on and read a saved scan or an indicator that is gone. */
  readonly lostReferences = (userId: number): LostReference[] =>
    this.deps.store.ofUser(userId).flatMap((row) => {
      const { id, symbol, name, logic, active } = toAlert(row);
      const checked = active ? checkOwnLogic(this.deps, userId, logic) : null;
      if (!checked || checked.ok) return [];
      const title = name === null ? symbol : `${symbol} ${name}`;
      return [{ id, title, problem: checked.error.message, destinations: destinationsOf(row) }];
    });

  /** Whether an alert's conditions can only hold before the open. */
  readonly isUntilOpen = ({ userId, logic }: Pick<Alert, 'userId' | 'logic'>): boolean =>
    isUntilOpen(logic, this.deps.indicators.scansOf(userId));

  view(alert: Alert): AlertView {
    const [view] = this.views([alert]);
    if (!view) throw new Error(`Alert ${alert.id} has no view.`);
    return view;
  }

  listViews(userId: number, symbol?: string): AlertView[] {
    return this.views(this.list(userId, symbol));
  }

  /** @throws AppError 400 naming what is at fault, 429 */
  create(userId: number, sent: SentAlert): Alert {
    this.beginWrite(userId);
    return createAlert(this.deps, userId, sent);
  }

  /** @throws AppError 400 naming what is at fault, 404 when there is no such alert of the user's, 429 */
  change(userId: number, id: number, sent: SentAlert): Changed {
    this.beginWrite(userId);
    return changeAlert(this.deps, userId, id, sent);
  }

  /** @throws AppError 400 when it can't be switched on, 404, 429 */
  setActive(userId: number, id: number, active: boolean): Alert {
    return this.change(userId, id, { active }).alert;
  }

  /** @param until epoch ms; null ends it @throws AppError 404, 429 */
  snooze(userId: number, id: number, until: number | null): Alert {
    this.beginWrite(userId);
    return snoozeAlert(this.deps, userId, id, until);
  }

  /**
   * Takes back what an alert was changed to, or that it was switched on, while it waits to be armed.
   * @param version that it is taken back of; without it the newest
   * @throws AppError 404, 429
   */
  undo(userId: number, id: number, version?: number): Changed {
    this.beginWrite(userId);
    return undoAlert(this.deps, userId, id, version);
  }

  /** @throws AppError 404, 429 */
  remove(userId: number, id: number): void {
    this.beginWrite(userId);
    removeAlert(this.deps, userId, id);
  }

  /** Newest first. @throws AppError 404 */
  triggers(userId: number, id: number, limit: number): Trigger[] {
    return this.deps.store.triggers(this.own(userId, id), limit);
  }

  triggerViews(triggers: readonly Trigger[]): TriggerView[] {
    const deliveries = this.deps.deliveryOf(triggers.map(({ id }) => id));
    return triggers.map((trigger) => toTriggerView(trigger, deliveries.get(trigger.id) ?? null));
  }

  /** The newest triggers of all of a user's alerts behind a place, in no order. */
  listedTriggers(userId: number, behind: TriggerBound, limit: number): ListedTrigger[] {
    const { engine, store, sentOf } = this.deps;
    engine.applyDeferred([userId]);
    const found = store.ownTriggers(userId, behind, limit);
    const ids = found.map(({ trigger }) => trigger.id);
    const sent = sentOf('alert', ids);
    return found.map(({ trigger, name }) => toListedTrigger(trigger, name, sent.get(trigger.id) ?? []));
  }

  /** A trigger of one of the user's alerts; null when there is none of that id. */
  triggerById(userId: number, triggerId: number): Trigger | null {
    return this.deps.store.trigger(userId, triggerId) ?? null;
  }

  /** What the conditions see now. @throws AppError 404 */
  evaluation(userId: number, id: number): Evaluation {
    const row = this.own(userId, id);
    const evaluation = this.deps.engine.evaluation(id);
    if (!evaluation) return NOT_EVALUATED;
    // The engine would say of what is not in the catalog any more that it is not known yet.
    const problem = problemOf(this.deps, row);
    if (problem === null) return evaluation;
    return { ...evaluation, notEvaluated: problem.replace(/\.$/, ''), holds: null };
  }

  /** Removes a user's alerts on a symbol within the caller's transaction. @returns what is to be done after it */
  readonly removeOfSymbol = (userId: number, symbol: string): (() => void) => {
    const ids = this.deps.store.removeOfSymbol(userId, symbol);
    return () => forget(this.deps, userId, ids, symbol);
  };

  /** A user's account is about to be deleted, with all alerts. @returns what is to be done after that */
  readonly leaving = (userId: number): (() => void) => {
    const { store, engine, indicators } = this.deps;
    const ids = store.idsOf(userId);
    return () => {
      for (const id of ids) engine.remove(id);
      indicators.alertsChanged([userId]);
    };
  };

  /**
   * To be called after a user changed, renamed or deleted a saved scan: the alerts that read it go on with the scan as it is
   * now, and the windows that show them are told. What an alert is does not change by that, so its version stays.
   */
  readonly scanChanged = (userId: number, scanId: number): void => {
    const { engine, store, indicators } = this.deps;
    engine.applyDeferred([userId]);
    const reading = store
      .ofUser(userId)
      .filter(({ logic }) => scanRefs(logic).some(({ id }) => id === scanId));
    if (reading.length === 0) return;
    for (const row of reading) this.followScan(row, scanId);
    indicators.alertsChanged([userId]);
  };

  private followScan(row: AlertRow, scanId: number): void {
    const { engine, store, indicators, changed } = this.deps;
    const logic = withScanNames(row.logic, indicators.scansOf(row.userId));
    const isSame = Bun.deepEquals(logic, row.logic);
    const named = isSame ? row : store.update(row.userId, row.id, { logic });
    if (!named) return;
    engine.putWithScan(toAlert(named), scanId);
    changed(row.userId, row.id, row.symbol);
  }

  /** What a transfer file has of them. */
  get transfer(): TransferKind {
    return alertsKind(this.deps, (userId) => this.list(userId));
  }

  private own(userId: number, id: number): AlertRow {
    this.deps.engine.applyDeferred([userId]);
    const row = this.deps.store.own(userId, id);
    if (!row) throw missing();
    return row;
  }

  /** @throws AppError 429 */
  private beginWrite(userId: number): void {
    this.countWrite(userId);
    this.deps.engine.applyDeferred([userId]);
  }
}
