import { type Alert, UNDO_WINDOW_MS, undoTimeLeft } from '../rules/alert.ts';
import { STOCK_OPTIONS, valuesOf } from '../answers/options.ts';
import { checkAlertLogic, MAX_ALERTS } from '../rules/alertRules.ts';
import type { AlertView, TriggerView, Evaluation } from '../rules/alertView.ts';
import { type Delivery, type SentTo, worstOf } from '#platform/outbox/rules/delivery.ts';
import type { ListedTrigger, Trigger, TriggerBound } from '../rules/trigger.ts';
import { isUntilOpen } from '../rules/alertState.ts';
import { followedScans, scanRefs, withScanNames } from '#subjects/conditions/rules/savedScan.ts';
import { checkLiveSymbol, normaliseSymbol } from '#market/rules/liveSymbols.ts';
import { accepted, AppError } from '#platform/http/errors.ts';
import { readTime } from '#lib/read.ts';
import type { Result } from '#lib/result.ts';
import type { App } from '#platform/app.ts';
import type { Logic } from '#subjects/conditions/rules/condition.ts';
import type { AlertEngine } from './engine/engine.ts';
import { type Changed, isoOrNull, OwnAlerts, type SentAlert } from './ownAlerts.ts';
import { alertOf } from './ownRows.ts';
import { type AlertRow, AlertStore } from './store.ts';
import type { alerts } from '#src/tables/alertSchema.ts';
import { eventFilterText } from '../rules/eventFilter.ts';

/**
 * @param triggered the last trigger: `delivery` is null if nothing was sent, `marketAt` is epoch ms by the market's
 * clock
 * @param state `problem` says what the conditions can no longer read; `isArming` is true during the undo window
 * @param now epoch ms: an expired snooze is left out
 */
const toAlertView = (
  alert: Alert,
  { delivery, marketAt }: { delivery: Delivery | null; marketAt: number | null },
  { problem, isPending, isUntilOpen }: { problem: string | null; isPending: boolean; isUntilOpen: boolean },
  now: number,
): AlertView => ({
  id: alert.id,
  symbol: alert.symbol,
  active: alert.active,
  ...valuesOf(STOCK_OPTIONS, alert),
  logic_json: alert.logic,
  destinations: alert.destinations,
  last_triggered_at: isoOrNull(alert.lastTriggeredAt),
  last_triggered_market_time: isoOrNull(marketAt),
  version: alert.version,
  snoozed_until: isoOrNull((alert.snoozedUntil ?? 0) > now ? alert.snoozedUntil : null),
  stopped_reason: alert.stoppedReason,
  arms_in_ms: isPending ? undoTimeLeft(alert.armedAt, now) : null,
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
  guard: trigger.guard && eventFilterText(trigger.guard),
  delivery,
});

const toListedTrigger = (trigger: Trigger, name: string | null, sent: readonly SentTo[]): ListedTrigger => ({
  ...toTriggerView(trigger, worstOf(sent)),
  kind: 'alert',
  alertId: trigger.alertId,
  name,
  symbol: trigger.symbol,
  symbols: [],
  announcements: [],
  event: null,
  scan: null,
  sent: [...sent],
});

const NOT_EVALUATED: Evaluation = {
  at: null,
  notEvaluated: 'The alert is switched off',
  conditions: [],
  holds: null,
  guard: null,
};

export type SentStockAlert = SentAlert<typeof STOCK_OPTIONS> & {
  symbol?: string | undefined;
  logic_json?: unknown;
};

type Choice = Partial<typeof alerts.$inferInsert>;
type Kept = ReturnType<typeof alertOf<AlertRow>>;

export class Alerts extends OwnAlerts<typeof alerts, typeof STOCK_OPTIONS, SentStockAlert> {
  declare readonly store: AlertStore;

  constructor(
    app: App,
    protected readonly engine: AlertEngine,
    private readonly stream: { changed(userId: number, alertId: number, symbol: string): void },
  ) {
    super(app, new AlertStore(app.db), STOCK_OPTIONS, {
      own: 'your alerts',
      gone: 'That alert no longer exists. Reload the list.',
    });
  }

  /** Checks a user's conditions; a refusal names the fault. */
  checkLogic(userId: number, sent: unknown): Result<Logic> {
    const { catalog, scansOf } = this.app.indicators;
    return checkAlertLogic(catalog.current(), sent, followedScans(scansOf(userId)));
  }

  override put(
    userId: number,
    sent: SentStockAlert,
    refuseTooManyValues = this.refuseTooManyValues,
  ): AlertRow {
    if (this.store.count(userId) >= MAX_ALERTS) {
      accepted(checkLiveSymbol(sent.symbol ?? '', this.app.market.all()));
      this.chosen(userId, sent, null);
      throw new AppError(400, `You already have ${MAX_ALERTS} alerts. Delete one before you add another.`);
    }
    const { cooldown_minutes: cooldown, ...others } = sent;
    const choice = this.chosen(
      userId,
      { ...others, ...(cooldown != null && { cooldown_minutes: cooldown }) },
      null,
    );
    if (choice.active) refuseTooManyValues(userId, null, choice.logic);
    const now = this.app.clock.now();
    const armedAt = choice.active ? now + UNDO_WINDOW_MS : null;
    return this.add({ ...choice, userId, armedAt, createdAt: now, updatedAt: now });
  }

  protected override add(row: Choice): AlertRow {
    const { userId = 0, symbol = '' } = row;
    return this.store.inTransaction(() => {
      if (this.app.watchlist.put(userId, symbol).isNew) this.fresh.add(symbol);
      return super.add(row);
    });
  }

  /** Symbols that were added to a watchlist for an alert before windows are updated. */
  private readonly fresh = new Set<string>();

  override activate(row: AlertRow): Kept {
    if (this.fresh.has(row.symbol)) this.app.watchlist.notify(row.userId, row.symbol);
    this.fresh.clear();
    return super.activate(row);
  }

  protected override watched(sent: SentStockAlert, userId: number, before: AlertRow | null, active: boolean) {
    const { symbol, logic_json: logic } = sent;
    // An alert on a symbol that is no longer listed may stay.
    const stays = before && (symbol === undefined || normaliseSymbol(symbol) === before.symbol);
    const chosen = stays ? before.symbol : accepted(checkLiveSymbol(symbol ?? '', this.app.market.all()));
    // Unchanged conditions are not checked again, so that an alert whose scan is deleted can be renamed. Switching on
    // checks them, because the catalog may have changed.
    const isSame = before && (logic === undefined || Bun.deepEquals(logic, before.logic));
    const isJudged = !isSame || (active && !before.active);
    return {
      symbol: chosen,
      logic: isJudged ? accepted(this.checkLogic(userId, logic ?? before?.logic)) : before.logic,
    };
  }

  /** An unchanged expiry in the past is accepted; it is removed when the alert is switched on. */
  protected override chosen(userId: number, sent: SentStockAlert, before: AlertRow | null) {
    const { expires_at: time, ...others } = sent;
    const known = before?.expiresAt ?? null;
    const stays =
      time === undefined || (typeof time === 'string' && known !== null && readTime(time) === known);
    const choice = super.chosen(userId, stays ? others : sent, before);
    const ends =
      stays && known !== null && known <= this.marketNow() && sent.active === true && !before?.active;
    return ends ? { ...choice, expiresAt: null } : choice;
  }

  protected override refuseTooMuch(userId: number, before: AlertRow | null, { active, logic }: Choice): void {
    if (active) this.refuseTooManyValues(userId, before?.id ?? null, logic);
  }

  /** @throws AppError 400 if the user's alerts would read too many values */
  private readonly refuseTooManyValues = (userId: number, id: number | null, logic: unknown): void => {
    this.app.indicators.refuseTooMany(userId, 'logic_json', ({ alerts: own }) => ({
      alerts: [...own.filter((alert) => alert.id !== id), { logic }],
    }));
  };

  protected override wake(sent: SentStockAlert, isSwitchedOn: boolean) {
    return { ...super.wake(sent, isSwitchedOn), ...(isSwitchedOn && { stoppedReason: null }) };
  }

  protected override changed(row: AlertRow, change: Choice): Changed<Kept> {
    const moved = change.symbol !== undefined && change.symbol !== row.symbol ? change.symbol : null;
    const done = this.store.inTransaction(() => {
      if (moved !== null && this.app.watchlist.put(row.userId, moved).isNew) this.fresh.add(moved);
      const all = { ...change, ...this.undoWindowAfter(row, change) };
      return this.store.update(row.userId, row.id, all);
    });
    if (!done) throw this.missing();
    const alert = this.activate(done);
    if (moved !== null) this.notify(row);
    return { kind: 'changed', alert };
  }

  /** The undo window after a change. An alert that is already true waits for it and can return to its previous form. */
  private undoWindowAfter(row: AlertRow, { active, symbol, logic, undoLogic }: Choice): Choice {
    if (!active || undoLogic !== undefined) return {};
    const isMoved = symbol !== row.symbol;
    if (row.active && !isMoved && Bun.deepEquals(logic, row.logic)) return {};
    const armedAt = this.app.clock.now() + UNDO_WINDOW_MS;
    if (!row.active || isMoved) return { armedAt, undoLogic: null };
    // A form that was never active cannot be restored.
    return { armedAt, undoLogic: this.engine.isPending(row.id) ? row.undoLogic : row.logic };
  }

  protected override notify({ userId, id, symbol }: AlertRow): void {
    this.stream.changed(userId, id, symbol);
  }

  protected override beginRead(userId: number): void {
    this.engine.applyDeferred([userId]);
  }

  /** A user's alerts by symbol, oldest first. @param symbol untrimmed and in any case; all symbols if omitted */
  list(userId: number, symbol?: string): Alert[] {
    this.beginRead(userId);
    const code = symbol === undefined ? null : normaliseSymbol(symbol);
    return this.store
      .ofUser(userId)
      .filter((row) => code === null || row.symbol === code)
      .map(alertOf);
  }

  views(alerts: readonly Alert[]): AlertView[] {
    const { store, engine } = this;
    const { deliveryOf } = this.app.outbox;
    const last = store.lastTriggers(alerts.map(({ id }) => id));
    const deliveries = deliveryOf([...last.values()].map(({ id }) => id));
    const now = this.app.clock.now();
    return alerts.map((alert) => {
      const trigger = last.get(alert.id) ?? null;
      const delivery = trigger && (deliveries.get(trigger.id) ?? null);
      const triggered = { delivery, marketAt: trigger && trigger.marketAt };
      const problem = this.problemOf(alert);
      const state = { problem, isPending: engine.isPending(alert.id), isUntilOpen: this.isUntilOpen(alert) };
      return toAlertView(alert, triggered, state, now);
    });
  }

  protected override titled({ id, symbol, name }: AlertRow) {
    return { id, title: name === null ? symbol : `${symbol} ${name}` };
  }

  /** Whether the conditions can only hold before the open. */
  readonly isUntilOpen = ({ userId, logic }: Pick<Alert, 'userId' | 'logic'>): boolean =>
    isUntilOpen(logic, this.app.indicators.scansOf(userId));

  view(alert: Alert): AlertView {
    const [view] = this.views([alert]);
    if (!view) throw new Error(`Alert ${alert.id} could not be read.`);
    return view;
  }

  listViews(userId: number, symbol?: string): AlertView[] {
    return this.views(this.list(userId, symbol));
  }

  /**
   * Undoes a change or a switch-on within the undo window. The alert becomes as before, or off if it was not active.
   * @param version to undo; the newest if omitted
   * @throws AppError 404, 429
   */
  undo(userId: number, id: number, version?: number): Changed<Kept> {
    this.beginWrite(userId);
    const row = this.own(userId, id);
    if (version !== undefined && version !== row.version) return this.as('conflict', row);
    if (!this.engine.isPending(id)) return this.as('late', row);
    const now = this.app.clock.now();
    const { undoLogic: logic } = row;
    if (logic !== null) this.refuseTooManyValues(userId, id, logic);
    const before =
      logic === null ? { active: false, armedAt: null } : { logic, armedAt: now + UNDO_WINDOW_MS };
    return this.changed(row, { ...before, undoLogic: null, version: row.version + 1, updatedAt: now });
  }

  /** An alert's triggers, newest first. @throws AppError 404 */
  triggers(userId: number, id: number, limit: number): Trigger[] {
    return this.store.triggers(this.own(userId, id), limit);
  }

  triggerViews(triggers: readonly Trigger[]): TriggerView[] {
    const deliveries = this.app.outbox.deliveryOf(triggers.map(({ id }) => id));
    return triggers.map((trigger) => toTriggerView(trigger, deliveries.get(trigger.id) ?? null));
  }

  /** Newest triggers of all of a user's alerts after a position, unsorted. */
  listedTriggers(userId: number, behind: TriggerBound, limit: number): ListedTrigger[] {
    this.beginRead(userId);
    const found = this.store.ownTriggers(userId, behind, limit);
    const ids = found.map(({ trigger }) => trigger.id);
    const sent = this.app.outbox.sentOf('alert', ids);
    return found.map(({ trigger, name }) =>
      toListedTrigger({ ...trigger, userId }, name, sent.get(trigger.id) ?? []),
    );
  }

  /** Null if the user has no such trigger. */
  triggerById(userId: number, triggerId: number): Trigger | null {
    return this.store.trigger(userId, triggerId) ?? null;
  }

  /** The current values of the conditions. @throws AppError 404 */
  evaluation(userId: number, id: number): Evaluation {
    const row = this.own(userId, id);
    const evaluation = this.engine.evaluation(id);
    if (!evaluation) return NOT_EVALUATED;
    // For a missing indicator the engine would only say that its value is unknown.
    const problem = this.problemOf(row);
    if (problem === null) return evaluation;
    return { ...evaluation, notEvaluated: problem.replace(/\.$/, ''), holds: null };
  }

  /** Removes a user's alerts on a symbol in the caller's transaction. @returns the work for after the commit */
  readonly removeOfSymbol = (userId: number, symbol: string): (() => void) => {
    const ids = this.store.removeOfSymbol(userId, symbol);
    return () => {
      if (ids.length === 0) return;
      for (const id of ids) this.engine.remove(id);
      this.app.indicators.alertsChanged([userId]);
      for (const id of ids) this.stream.changed(userId, id, symbol);
    };
  };

  /**
   * Updates the alerts of a saved scan, and windows; call it after the scan was changed, renamed or deleted. The
   * alerts' version stays.
   */
  readonly scanChanged = (userId: number, scanId: number): void => {
    this.beginRead(userId);
    const reading = this.store
      .ofUser(userId)
      .filter(({ logic }) => scanRefs(logic).some(({ id }) => id === scanId));
    if (reading.length === 0) return;
    for (const row of reading) this.followScan(row, scanId);
    this.app.indicators.alertsChanged([userId]);
  };

  private followScan(row: AlertRow, scanId: number): void {
    const logic = withScanNames(row.logic, this.app.indicators.scansOf(row.userId));
    const isSame = Bun.deepEquals(logic, row.logic);
    const named = isSame ? row : this.store.update(row.userId, row.id, { logic });
    if (!named) return;
    this.engine.putWithScan(alertOf(named), scanId);
    this.notify(row);
  }

  protected override problemOf({
    userId,
    logic,
    active,
  }: Pick<Alert, 'userId' | 'logic' | 'active'>): string | null {
    const checked = this.checkLogic(userId, logic);
    if (!checked.ok) return checked.error.message;
    return active ? this.app.indicators.alertShortage(userId, { logic }) : null;
  }
}
