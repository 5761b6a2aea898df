import { type Alert, NOWHERE } from '../rules/alert.ts';
import { checkAlertName, checkAlertNote, checkDestinations, MAX_ALERTS } from '../rules/alertRules.ts';
import { ARMING_MS } from '../rules/arming.ts';
import { checkEventGuard } from '../rules/eventGuard.ts';
import { ALERT_COOLDOWN, checkCooldown } from '../rules/cooldown.ts';
import { checkExpiry } from '../rules/expiry.ts';
import { checkManner, PLAIN_MANNER } from '../rules/manner.ts';
import { checkSnooze } from '../rules/snooze.ts';
import { checkLiveSymbol } from '#market/rules/liveSymbols.ts';
import { accepted, AppError } from '#platform/http/errors.ts';
import { checkOwnLogic, type Choice, chosen, type SentAlert } from './choice.ts';
import type { AlertsDeps } from './deps.ts';
import { refuseTooManyGroups } from './groups.ts';
import { type AlertChange, type AlertRow, toAlert } from './store.ts';

/**
 * `conflict`: somebody changed it first, and it is as it was. `late`: it is armed already, or was never to be, so there is
 * nothing to take back.
 */
export type Changed = { kind: 'changed' | 'conflict' | 'late'; alert: Alert };

export const missing = (): AppError =>
  new AppError(404, 'That alert does not exist any more. Reload the list.');

/** Takes a stored alert up wherever it works. */
function takeUp(deps: AlertsDeps, row: AlertRow): Alert {
  const alert = toAlert(row);
  deps.engine.put(alert);
  deps.indicators.alertsChanged([row.userId]);
  deps.changed(row.userId, row.id, row.symbol);
  return alert;
}

/** @throws AppError 400 when the user's alerts would read too many indicator values with this one */
function refuseTooMany({ indicators }: AlertsDeps, userId: number, id: number | null, logic: unknown): void {
  indicators.refuseTooMany(userId, 'logic_json', ({ alerts }) => ({
    alerts: [...alerts.filter((alert) => alert.id !== id), { logic }],
  }));
}

/** What a person chose of a new alert. @throws AppError 400 naming what is at fault */
function firstChoice(deps: AlertsDeps, userId: number, sent: SentAlert): Omit<Choice, 'symbol'> {
  const { active = true, persistent = false } = sent;
  const manner = accepted(checkManner(sent, PLAIN_MANNER));
  refuseTooManyGroups(manner.group, () => deps.store.groups(userId));
  return {
    active,
    persistent,
    name: accepted(checkAlertName(sent.name)),
    logic: accepted(checkOwnLogic(deps, userId, sent.logic_json)),
    note: accepted(checkAlertNote(sent.note)),
    expiresAt: accepted(checkExpiry(sent.expires_at, deps.marketNow())),
    guard: accepted(checkEventGuard(sent.event_guard)),
    cooldownMinutes: accepted(checkCooldown(sent.cooldown_minutes ?? ALERT_COOLDOWN.start)),
    ...manner,
    ...accepted(checkDestinations(sent.destinations, NOWHERE)),
  };
}

/**
 * Adds an alert, and its symbol to its owner's watchlist, where it is shown; within a caller's transaction too: nothing but
 * the database knows of it then.
 * @param refuseTooManyValues refuses conditions with which the user would read too many values
 * @returns its row, and whether its symbol is new on the watchlist
 * @throws AppError 400 naming what is at fault
 */
export function putAlert(
  deps: AlertsDeps,
  userId: number,
  sent: SentAlert,
  refuseTooManyValues: (logic: unknown) => void,
): { row: AlertRow; isNew: boolean } {
  const { store, clock, market, watchlist } = deps;
  const symbol = accepted(checkLiveSymbol(sent.symbol ?? '', market.all()));
  const choice = firstChoice(deps, userId, sent);
  if (store.count(userId) >= MAX_ALERTS) {
    throw new AppError(400, `You already have ${MAX_ALERTS} alerts. Delete one before you add another.`);
  }
  const { active } = choice;
  if (active) refuseTooManyValues(choice.logic);
  const now = clock.now();
  const what = { ...choice, userId, symbol, armedAt: active ? now + ARMING_MS : null };
  return store.inTransaction(() => ({
    isNew: watchlist.put(userId, symbol).isNew,
    row: store.insert({ ...what, createdAt: now, updatedAt: now }),
  }));
}

/**
 * Adds an alert, and its symbol to its owner's watchlist, where it is shown.
 * @throws AppError 400 naming what is at fault
 */
export function createAlert(deps: AlertsDeps, userId: number, sent: SentAlert): Alert {
  const { row, isNew } = putAlert(deps, userId, sent, (logic) => refuseTooMany(deps, userId, null, logic));
  if (isNew) deps.watchlist.told(userId, row.symbol);
  return takeUp(deps, row);
}

/** What is true at once waits to be armed after such a change, and can be taken back to this. */
function armingAfter({ clock, engine }: AlertsDeps, row: AlertRow, choice: Choice): AlertChange {
  const isOther = choice.symbol !== row.symbol || !Bun.deepEquals(choice.logic, row.logic);
  if (!choice.active || (row.active && !isOther)) return {};
  const armedAt = clock.now() + ARMING_MS;
  if (!row.active || choice.symbol !== row.symbol) return { armedAt, undoLogic: null };
  // What was not armed yet is no form to go back to.
  return { armedAt, undoLogic: engine.isArming(row.id) ? row.undoLogic : row.logic };
}

/** Whether a change says anything new. */
const isNews = (row: AlertRow, change: AlertChange): boolean =>
  Object.entries(change).some(([key, value]) => !Bun.deepEquals(row[key as keyof AlertRow], value));

/**
 * Changes what was sent of an alert. A change that says nothing new is none: it disturbs neither the version nor what
 * the engine remembers.
 * @throws AppError 400 naming what is at fault, 404 when there is no such alert of the user's
 */
export function changeAlert(deps: AlertsDeps, userId: number, id: number, sent: SentAlert): Changed {
  const { store, clock, watchlist } = deps;
  const row = store.own(userId, id);
  if (!row) throw missing();
  if (sent.version !== undefined && sent.version !== row.version) {
    return { kind: 'conflict', alert: toAlert(row) };
  }
  const choice = chosen(deps, row, sent);
  const isSwitchedOn = choice.active && !row.active;
  // Who switches an alert on wants to hear of it: neither the stop nor the snooze goes on.
  const awake = snoozeAfter(deps, sent, isSwitchedOn);
  const change = { ...choice, ...awake, ...(isSwitchedOn ? { stoppedReason: null } : {}) };
  if (!isNews(row, change)) return { kind: 'changed', alert: toAlert(row) };
  if (choice.active) refuseTooMany(deps, userId, id, choice.logic);
  const version = isNews(row, choice) ? row.version + 1 : row.version;
  const { changed, isNew } = store.inTransaction(() => ({
    isNew: choice.symbol !== row.symbol && watchlist.put(userId, choice.symbol).isNew,
    changed: store.update(userId, id, {
      ...change,
      ...armingAfter(deps, row, choice),
      version,
      updatedAt: clock.now(),
    }),
  }));
  if (!changed) throw missing();
  if (isNew) watchlist.told(userId, choice.symbol);
  const alert = takeUp(deps, changed);
  if (alert.symbol !== row.symbol) deps.changed(userId, id, row.symbol);
  return { kind: 'changed', alert };
}

function snoozeAfter({ clock }: AlertsDeps, sent: SentAlert, isSwitchedOn: boolean): AlertChange {
  if (sent.snoozed_until !== undefined) {
    return { snoozedUntil: accepted(checkSnooze(sent.snoozed_until, clock.now())) };
  }
  return isSwitchedOn ? { snoozedUntil: null } : {};
}

/**
 * Takes back what an alert was changed to, as long as it waits to be armed: it goes on as it was, or is off where it was
 * not live before. @throws AppError 404 when there is no such alert of the user's
 */
export function undoAlert(deps: AlertsDeps, userId: number, id: number, version?: number): Changed {
  const { store, clock, engine } = deps;
  const row = store.own(userId, id);
  if (!row) throw missing();
  if (version !== undefined && version !== row.version) return { kind: 'conflict', alert: toAlert(row) };
  if (!engine.isArming(id)) return { kind: 'late', alert: toAlert(row) };
  const now = clock.now();
  const { undoLogic } = row;
  const before =
    undoLogic === null ? { active: false, armedAt: null } : { logic: undoLogic, armedAt: now + ARMING_MS };
  if (undoLogic !== null) refuseTooMany(deps, userId, id, undoLogic);
  const changed = store.update(userId, id, {
    ...before,
    undoLogic: null,
    version: row.version + 1,
    updatedAt: now,
  });
  if (!changed) throw missing();
  return { kind: 'changed', alert: takeUp(deps, changed) };
}

/** @throws AppError 404 when there is no such alert of the user's */
export function removeAlert(deps: AlertsDeps, userId: number, id: number): void {
  const row = deps.store.remove(userId, id);
  if (!row) throw missing();
  forget(deps, userId, [id], row.symbol);
}

/** Lets go of alerts that were removed from the database. */
export function forget(deps: AlertsDeps, userId: number, ids: readonly number[], symbol: string): void {
  if (ids.length === 0) return;
  for (const id of ids) deps.engine.remove(id);
  deps.indicators.alertsChanged([userId]);
  for (const id of ids) deps.changed(userId, id, symbol);
}

/**
 * Lets an alert be evaluated and say nothing until then; null ends that. It is no change of what the alert is, so its
 * version stays.
 * @param until epoch ms
 * @throws AppError 404 when there is no such alert of the user's
 */
export function snoozeAlert(deps: AlertsDeps, userId: number, id: number, until: number | null): Alert {
  const row = deps.store.update(userId, id, { snoozedUntil: until });
  if (!row) throw missing();
  const alert = toAlert(row);
  deps.engine.put(alert);
  deps.changed(userId, id, row.symbol);
  return alert;
}
