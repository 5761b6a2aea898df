import type { Alert } from '../rules/alert.ts';
import type { AlertView, TriggerView } from '../rules/alertView.ts';
import type { Evaluation } from '../rules/evaluation.ts';
import type { Trigger } from '../rules/trigger.ts';
import type { ListedTrigger, TriggerBound } from '../rules/triggerList.ts';
import { normaliseSymbol } from '../../../market/rules/liveSymbols.ts';
import { createWriteLimit } from '../../../platform/http/requestLimits.ts';
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
import type { AlertsDeps } from './deps.ts';
import { type AlertRow, toAlert } from './store.ts';
import { toAlertView, toListedTrigger, toTriggerView } from './views.ts';

/** Changes of one user in a minute: typing that is saved every half second comes to as many. */
const MAX_WRITES_A_MINUTE = 120;

/** Of an alert that is switched off. */
const NOT_EVALUATED: Evaluation = {
  at: null,
  notEvaluated: 'The alert is switched off',
  conditions: [],
  holds: null,
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

/** Alerts as answers carry them, with what became of each one's last trigger. */
function createViews(deps: AlertsDeps) {
  const { store, clock, deliveryOf, engine } = deps;
  const views = (alerts: readonly Alert[]): AlertView[] => {
    const last = store.lastTriggers(alerts.map(({ id }) => id));
    const deliveries = deliveryOf([...last.values()].map(({ id }) => id));
    const now = clock.now();
    return alerts.map((alert) => {
      const trigger = last.get(alert.id) ?? null;
      const delivery = trigger && (deliveries.get(trigger.id) ?? null);
      const triggered = { delivery, marketAt: trigger && trigger.marketAt };
      return toAlertView(alert, triggered, problemOf(deps, alert), now, engine.isArming(alert.id));
    });
  };
  return {
    views,
    view: (alert: Alert): AlertView => {
      const [view] = views([alert]);
      if (!view) throw new Error(`Alert ${alert.id} has no view.`);
      return view;
    },
    triggerViews: (triggers: readonly Trigger[]): TriggerView[] => {
      const deliveries = deliveryOf(triggers.map(({ id }) => id));
      return triggers.map((trigger) => toTriggerView(trigger, deliveries.get(trigger.id) ?? null));
    },
  };
}

/** What is done with alerts by their owners, in whatever way: a page, a chat, a test. Every id is looked up as theirs. */
export function createAlertsService(deps: AlertsDeps) {
  const { store, clock, engine, indicators } = deps;
  const countWrite = createWriteLimit(clock, MAX_WRITES_A_MINUTE, 'your alerts');
  const { views, view, triggerViews } = createViews(deps);

  const own = (userId: number, id: number): AlertRow => {
    engine.applyDeferred([userId]);
    const row = store.own(userId, id);
    if (!row) throw missing();
    return row;
  };
  /** By symbol, oldest first. @param symbol untrimmed and in any case; all symbols when absent */
  const list = (userId: number, symbol?: string): Alert[] => {
    engine.applyDeferred([userId]);
    return store.ofUser(userId, symbol === undefined ? undefined : normaliseSymbol(symbol)).map(toAlert);
  };
  const counted = <T>(userId: number, work: () => T): T => {
    countWrite(userId);
    engine.applyDeferred([userId]);
    return work();
  };
  const change = (userId: number, id: number, sent: SentAlert): Changed =>
    counted(userId, () => changeAlert(deps, userId, id, sent));

  return {
    view,
    list,
    listViews: (userId: number, symbol?: string): AlertView[] => views(list(userId, symbol)),

    /** @throws AppError 400 naming what is at fault, 429 */
    create: (userId: number, sent: SentAlert): Alert =>
      counted(userId, () => createAlert(deps, userId, sent)),
    /** @throws AppError 400 naming what is at fault, 404 when there is no such alert of the user's, 429 */
    change,
    /** @throws AppError 400 when it can't be switched on, 404, 429 */
    setActive: (userId: number, id: number, active: boolean): Alert => change(userId, id, { active }).alert,
    /** @param until epoch ms; null ends it @throws AppError 404, 429 */
    snooze: (userId: number, id: number, until: number | null): Alert =>
      counted(userId, () => snoozeAlert(deps, userId, id, until)),
    /**
     * Takes back what an alert was changed to, or that it was switched on, while it waits to be armed.
     * @param version that it is taken back of; without it the newest
     * @throws AppError 404, 429
     */
    undo: (userId: number, id: number, version?: number): Changed =>
      counted(userId, () => undoAlert(deps, userId, id, version)),
    /** @throws AppError 404, 429 */
    remove: (userId: number, id: number): void => counted(userId, () => removeAlert(deps, userId, id)),

    /** Newest first. @throws AppError 404 */
    triggers: (userId: number, id: number, limit: number): Trigger[] =>
      store.triggers(own(userId, id), limit),
    triggerViews,
    /** The newest triggers of all of a user's alerts behind a place, in no order. */
    listedTriggers: (userId: number, behind: TriggerBound, limit: number): ListedTrigger[] => {
      engine.applyDeferred([userId]);
      const found = store.ownTriggers(userId, behind, limit);
      const sent = deps.sentOf(
        'alert',
        found.map(({ trigger }) => trigger.id),
      );
      return found.map(({ trigger, name }) => toListedTrigger(trigger, name, sent.get(trigger.id) ?? []));
    },
    /** A trigger of one of the user's alerts; null when there is none of that id. */
    triggerById: (userId: number, triggerId: number): Trigger | null =>
      store.trigger(userId, triggerId) ?? null,
    /** What the conditions see now. @throws AppError 404 */
    evaluation(userId: number, id: number): Evaluation {
      const row = own(userId, id);
      const evaluation = engine.evaluation(id);
      if (!evaluation) return NOT_EVALUATED;
      // The engine would say of what is not in the catalog any more that it is not known yet.
      const problem = problemOf(deps, row);
      if (problem === null) return evaluation;
      return { ...evaluation, notEvaluated: problem.replace(/\.$/, ''), holds: null };
    },

    /** Removes a user's alerts on a symbol within the caller's transaction. @returns what is to be done after it */
    removeOfSymbol(userId: number, symbol: string): () => void {
      const ids = store.removeOfSymbol(userId, symbol);
      return () => forget(deps, userId, ids, symbol);
    },

    /** A user's account is about to be deleted, with all alerts. @returns what is to be done after that */
    leaving(userId: number): () => void {
      const ids = store.idsOf(userId);
      return () => {
        for (const id of ids) engine.remove(id);
        indicators.alertsChanged([userId]);
      };
    },
  };
}

export type Alerts = ReturnType<typeof createAlertsService>;
