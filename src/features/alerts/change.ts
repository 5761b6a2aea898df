import type { Alert } from '../../domain/alerts/alert.ts';
import {
  checkAlertLogic,
  checkAlertName,
  checkDestinations,
  MAX_ALERTS,
} from '../../domain/alerts/alertRules.ts';
import type { Logic } from '../../domain/conditions/condition.ts';
import { followedScans } from '../../domain/conditions/savedScan.ts';
import { checkLiveSymbol, normaliseSymbol } from '../../domain/market/liveSymbols.ts';
import { accepted, AppError } from '../../http/errors.ts';
import type { Result } from '../../lib/result.ts';
import type { AlertsDeps } from './deps.ts';
import { type AlertChange, type AlertRow, toAlert } from './store.ts';

/** An alert as it was sent (specification 7.4). What is absent stays as it is. */
export type SentAlert = {
  symbol?: string | undefined;
  name?: unknown;
  active?: boolean | undefined;
  persistent?: boolean | undefined;
  logic_json?: unknown;
  destinations?: unknown;
  /** Only null, which ends the snooze. */
  snoozed_until?: null | undefined;
  /** The version that the change was made on; without it the last change wins. */
  version?: number | undefined;
};

/** `conflict`: somebody changed it first, and it is as it was. */
export type Changed = { kind: 'changed' | 'conflict'; alert: Alert };

export const missing = (): AppError =>
  new AppError(404, 'That alert does not exist any more. Reload the list.');

const NOWHERE = { telegram: false, discord: false };

/** Takes a stored alert up wherever it works. */
function takeUp(deps: AlertsDeps, row: AlertRow): Alert {
  const alert = toAlert(row);
  deps.engine.put(alert);
  deps.indicators.alertsChanged([row.userId]);
  deps.changed(row.userId, row.id, row.symbol);
  return alert;
}

/** Conditions as a user may have them; a refusal names what is at fault. */
export const checkOwnLogic = ({ indicators }: AlertsDeps, userId: number, sent: unknown): Result<Logic> =>
  checkAlertLogic(indicators.catalog.current(), sent, followedScans(indicators.scansOf(userId)));

/** @throws AppError 400 when the user's alerts would read too many indicator values with this one */
function refuseTooMany({ indicators }: AlertsDeps, userId: number, id: number | null, logic: unknown): void {
  indicators.refuseTooMany(userId, 'logic_json', ({ alerts }) => ({
    alerts: [...alerts.filter((alert) => alert.id !== id), { logic }],
  }));
}

/**
 * Adds an alert, and its symbol to its owner's watchlist, where it is shown.
 * @throws AppError 400 naming what is at fault
 */
export function createAlert(deps: AlertsDeps, userId: number, sent: SentAlert): Alert {
  const { store, clock, market, watchlist } = deps;
  const symbol = accepted(checkLiveSymbol(sent.symbol ?? '', market.all()));
  const name = accepted(checkAlertName(sent.name));
  const logic = accepted(checkOwnLogic(deps, userId, sent.logic_json));
  const destinations = accepted(checkDestinations(sent.destinations, NOWHERE));
  if (store.count(userId) >= MAX_ALERTS) {
    throw new AppError(400, `You have ${MAX_ALERTS} alerts already. Delete one before you add another.`);
  }
  const { active = true, persistent = false } = sent;
  if (active) refuseTooMany(deps, userId, null, logic);
  const now = clock.now();
  const what = { userId, symbol, name, active, persistent, logic, ...destinations };
  const { row, isNew } = store.inTransaction(() => ({
    isNew: watchlist.put(userId, symbol).isNew,
    row: store.insert({ ...what, createdAt: now, updatedAt: now }),
  }));
  if (isNew) watchlist.told(userId, symbol);
  return takeUp(deps, row);
}

/** What a person chose, as it would be stored. @throws AppError 400 naming what is at fault */
function chosen(deps: AlertsDeps, row: AlertRow, sent: SentAlert) {
  const { market } = deps;
  const { telegram, discord } = row;
  // A symbol that is not listed any more stays where it is.
  const isMoved = sent.symbol !== undefined && normaliseSymbol(sent.symbol) !== row.symbol;
  const symbol = isMoved ? accepted(checkLiveSymbol(sent.symbol ?? '', market.all())) : row.symbol;
  const name = sent.name === undefined ? row.name : accepted(checkAlertName(sent.name));
  const active = sent.active ?? row.active;
  const isOther = sent.logic_json !== undefined && !Bun.deepEquals(sent.logic_json, row.logic);
  // What stays is not judged anew, so that an alert whose scan is gone can still be renamed; but what is switched on may
  // have been stored when the catalog was another.
  const isLogicNew = isOther || (active && !row.active);
  const logic = isLogicNew
    ? accepted(checkOwnLogic(deps, row.userId, sent.logic_json ?? row.logic))
    : row.logic;
  const destinations = accepted(checkDestinations(sent.destinations, { telegram, discord }));
  return { symbol, name, active, persistent: sent.persistent ?? row.persistent, logic, ...destinations };
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
  const awake = isSwitchedOn || sent.snoozed_until === null ? { snoozedUntil: null } : {};
  const change = { ...choice, ...awake, ...(isSwitchedOn ? { stoppedReason: null } : {}) };
  if (!isNews(row, change)) return { kind: 'changed', alert: toAlert(row) };
  if (choice.active) refuseTooMany(deps, userId, id, choice.logic);
  const version = isNews(row, choice) ? row.version + 1 : row.version;
  const { changed, isNew } = store.inTransaction(() => ({
    isNew: choice.symbol !== row.symbol && watchlist.put(userId, choice.symbol).isNew,
    changed: store.update(userId, id, { ...change, version, updatedAt: clock.now() }),
  }));
  if (!changed) throw missing();
  if (isNew) watchlist.told(userId, choice.symbol);
  const alert = takeUp(deps, changed);
  if (alert.symbol !== row.symbol) deps.changed(userId, id, row.symbol);
  return { kind: 'changed', alert };
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
