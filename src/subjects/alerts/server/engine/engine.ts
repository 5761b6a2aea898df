import type { Alert } from '#subjects/alerts/rules/alert.ts';
import type { Evaluation } from '#subjects/alerts/rules/alertView.ts';
import { type FiringState, HOLDING, NEW } from '#subjects/alerts/rules/firingState.ts';
import type { Trigger } from '#subjects/alerts/rules/trigger.ts';
import { scanRefs, watchable } from '#subjects/conditions/rules/savedScan.ts';
import { LongList } from '#lib/inspection.ts';
import type { ChangeSet } from '#market/types.ts';
import { UndoWindows, formerOf } from './undoWindows.ts';
import { DeferredUpdates } from './deferredUpdates.ts';
import { changeEntry, ActiveAlerts, type ActiveAlert, hashLogic, NOBODYS } from './activeAlerts.ts';
import { Evaluator } from './evaluator.ts';
import { resumeAlerts } from './resume.ts';
import { StateSaver } from './stateSaver.ts';
import { AlertEngineStore } from './store.ts';
import { type AlertOutcome, TriggerWriter } from './triggerWriter.ts';
import type { AlertEngineListener, EngineParts, StoppedAlert, TriggerListener } from './types.ts';
import type { Clock } from '#lib/clock.ts';
import { createMarketSession } from '#market/newSession.ts';
import { expiredReason } from '#subjects/alerts/rules/expiry.ts';
import type { App } from '#platform/app.ts';

class Expiries {
  private readonly expiring = new Set<ActiveAlert>();
  /** Earliest expiry, epoch ms by the market's clock. */
  private soonest = Number.POSITIVE_INFINITY;

  constructor(private readonly happened: (outcome: AlertOutcome) => void) {}

  note(entry: ActiveAlert): void {
    if (entry.expiresAt === null) return;
    this.expiring.add(entry);
    this.soonest = Math.min(this.soonest, entry.expiresAt);
  }

  /** Stops expired alerts. Call it at each tick before the evaluation. @param now the market's clock */
  stopDue(now: number): void {
    if (now < this.soonest) return;
    this.soonest = Number.POSITIVE_INFINITY;
    for (const entry of this.expiring) {
      const { expiresAt, isGone, isWaiting } = entry;
      // An alert with a pending trigger is stopped after the trigger is written.
      if (isGone || expiresAt === null) this.expiring.delete(entry);
      else if (now < expiresAt || isWaiting) this.soonest = Math.min(this.soonest, expiresAt);
      else this.happened({ entry, trigger: null, reason: expiredReason(expiresAt), stock: null });
    }
  }
}

/** Calls `over` once per session after its trading, so that the last values are saved. */
class SessionEnd {
  private readonly readSession: ReturnType<typeof createMarketSession>;
  private endedDate = '';

  /** @param clock the market's clock */
  constructor(
    clock: Clock,
    private readonly over: () => void,
  ) {
    this.readSession = createMarketSession(clock);
  }

  check(): void {
    const { phase, date } = this.readSession();
    if ((phase !== 'adjust' && phase !== 'closed') || date === this.endedDate) return;
    this.endedDate = date;
    this.over();
  }

  forget(): void {
    this.endedDate = '';
  }
}

/**
 * Evaluates alerts on every tick: those of changed stocks, and new ones. Results and messages are on disk before any
 * user is notified.
 */
export class AlertEngine {
  private readonly parts: EngineParts;
  private readonly entries: ActiveAlerts;
  private readonly saver: StateSaver;
  private readonly triggers: TriggerWriter;
  private readonly evaluator: Evaluator;
  private readonly expiries: Expiries;
  private readonly sessionEnd: SessionEnd;
  private readonly listeners = new Set<TriggerListener>();
  /** Symbols to evaluate at the next tick even if they did not change. */
  private readonly unseen = new Set<string>();

  constructor(
    private readonly app: App,
    private readonly listener: AlertEngineListener = {},
  ) {
    const { db, clock, source } = app;
    const log = app.log.child('alerts');
    // A replay starts again with each run, so it must not overwrite the states of the real market.
    const isSaved = source.replay === undefined;
    const store = new AlertEngineStore(db, isSaved, () => app.announcements.sink.note());
    const entries = new ActiveAlerts(app.indicators.scansOf, () => source.ignoreStatus());
    const saver = new StateSaver(app, store, entries);
    const deferredUpdates = new DeferredUpdates(log, store, saver);
    const undoWindows = new UndoWindows(clock, (entry) => this.foundTrue(entry));
    const happened = (outcome: AlertOutcome): void => this.triggers.add(outcome);
    this.entries = entries;
    this.saver = saver;
    this.parts = { log, store, entries, saver, deferredUpdates, undoWindows };
    this.triggers = new TriggerWriter(app, this.parts, (fired, stopped) => this.notify(fired, stopped));
    this.evaluator = new Evaluator(app, this.parts, happened);
    this.expiries = new Expiries(happened);
    this.sessionEnd = new SessionEnd(source.clock, () => saver.addAllLater());
  }

  /**
   * Activates a stored alert, new or changed; call it after the commit. The alert is evaluated at the next tick, or
   * when the source is back. With other conditions or another symbol it starts without state; conditions that are
   * restored within the undo window keep theirs. An inactive alert is removed.
   */
  put(alert: Alert): void {
    this.putIn(alert, NEW);
  }

  /**
   * Like `put`, after a saved scan that the alert reads was changed, renamed or deleted. If its conditions hold at the
   * next evaluation, it does not fire then, because the market did not cause that.
   */
  putWithScan(alert: Alert, scanId: number): void {
    // If the scan is unreadable, conditions must not begin to hold.
    const isRead = watchable(this.app.indicators.scansOf(alert.userId)(scanId)) !== null;
    this.putIn(alert, isRead ? HOLDING : (this.entries.get(alert.id)?.firingState ?? HOLDING));
  }

  remove(id: number): void {
    const entry = this.entries.get(id);
    if (!entry) return;
    this.entries.remove(entry);
    this.saver.settle(entry);
  }

  /** Processes one tick; call it with every change set, after indicators are in the Market. */
  onChanges(changes: ChangeSet | null): void {
    try {
      this.evaluateChanged(changes);
    } finally {
      this.parts.deferredUpdates.applySome();
      this.triggers.commit();
      this.sessionEnd.check();
      this.saver.saveDue();
    }
  }

  /**
   * Handles a jump of the replay: evaluates everything without firing, because conditions that hold there did not begin
   * to hold, and a crossing needs an earlier value. The same applies to values that arrive later.
   */
  jump(): void {
    this.unseen.clear();
    this.sessionEnd.forget();
    this.evaluator.prime();
  }

  evaluation(id: number): Evaluation | null {
    const entry = this.entries.get(id);
    return entry ? this.evaluator.evaluation(entry) : null;
  }

  /** Whether an alert was already true when saved and waits for its undo window. */
  isPending(id: number): boolean {
    return this.entries.get(id)?.isPending ?? false;
  }

  preview(alert: Pick<Alert, 'userId' | 'symbol' | 'logic'>): Evaluation {
    // Added temporarily, so that it is evaluated like other alerts.
    const entry = this.entries.add({ ...NOBODYS, ...alert }, 0);
    try {
      return this.evaluator.evaluation(entry);
    } finally {
      this.entries.remove(entry);
    }
  }

  listen(listener: TriggerListener): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /**
   * Loads all active alerts with their stored states.
   * @returns owners of alerts that the earlier run switched off in memory but not on disk
   */
  resume(): readonly number[] {
    return resumeAlerts(this.app, this.parts, (entry) => {
      this.unseen.add(entry.symbolAlerts.symbol);
      this.expiries.note(entry);
      // If its conditions have held since the alert was saved, it may have been true then.
      this.parts.undoWindows.begin(entry, () => (entry.firingState === NEW ? null : false));
    });
  }

  /** Writes pending updates of these users' alerts; call it before reading or changing them. @throws database errors */
  applyDeferred(userIds: readonly number[]): void {
    this.parts.deferredUpdates.applyOf(userIds);
  }

  flush(): void {
    this.triggers.commit();
    this.parts.deferredUpdates.applyAll();
    this.saver.saveAll();
  }

  counts(): {
    alerts: number;
    symbols: number;
    scans: number;
    unsaved: number;
    waiting: number;
  } {
    return {
      ...this.entries.counts(),
      unsaved: this.saver.count() + this.parts.deferredUpdates.count,
      waiting: this.triggers.count(),
    };
  }

  held(): LongList {
    return new LongList(this.entries.counts().alerts, () => this.entries.shown());
  }

  private evaluateChanged(changes: ChangeSet | null): void {
    const { entries, evaluator, unseen } = this;
    if (entries.counts().alerts === 0) return;
    const { source } = this.app;
    evaluator.begin();
    this.expiries.stopDue(source.clock.now());
    for (const { symbolAlerts } of this.parts.undoWindows.due()) unseen.add(symbolAlerts.symbol);
    const upsert = changes?.upsert ?? {};
    for (const symbol in upsert) {
      const symbolAlerts = entries.symbolAlerts(symbol);
      if (symbolAlerts) evaluator.evaluateSymbol(symbolAlerts);
      unseen.delete(symbol);
    }
    // The Market may be outdated, so these symbols wait until the source is back.
    if (unseen.size === 0 || !source.health().healthy) return;
    for (const symbol of unseen) {
      const symbolAlerts = entries.symbolAlerts(symbol);
      if (symbolAlerts) evaluator.evaluateSymbol(symbolAlerts);
    }
    unseen.clear();
  }

  /** @param state of an alert with new conditions */
  private putIn(alert: Alert, state: FiringState): void {
    const before = this.entries.get(alert.id) ?? null;
    const logicHash = hashLogic(alert, JSON.stringify(alert.logic), this.app.indicators.scansOf);
    if (before && alert.active && before.logicHash === logicHash) return this.change(before, alert);
    // The new form is added before the old one is removed, so that the stock's data stays.
    const entry = alert.active ? this.entries.add(alert, logicHash) : null;
    if (before) {
      this.saver.drop(before);
      this.entries.remove(before);
    }
    if (entry) this.begin(entry, before, state);
  }

  private change(entry: ActiveAlert, alert: Alert): void {
    changeEntry(entry, alert);
    this.expiries.note(entry);
    for (const scan of scanRefs(alert.logic)) this.entries.columns.rename(scan);
    if (entry.firingState !== NEW) this.saver.add(entry);
    this.unseen.add(alert.symbol);
  }

  /** Starts a new or changed alert. @param before the replaced alert; null for a new one */
  private begin(entry: ActiveAlert, before: ActiveAlert | null, state: FiringState): void {
    this.unseen.add(entry.symbolAlerts.symbol);
    this.expiries.note(entry);
    entry.former = formerOf(before);
    const isUndone = before?.isPending === true && entry.former?.logicHash === entry.logicHash;
    entry.firingState = isUndone ? (entry.former?.firingState ?? state) : state;
    if (entry.firingState !== NEW) this.saver.add(entry);
    else this.parts.undoWindows.begin(entry, () => this.evaluator.evaluation(entry).holds);
    if (entry.hasCrossings) this.safely(() => this.noteFirst(entry));
  }

  /** Stores the values that the owner saw when saving as previous values of crossings. */
  private noteFirst(entry: ActiveAlert): void {
    const isDecided = this.evaluator.evaluation(entry).holds !== null;
    if (isDecided && this.entries.program.note(entry.first, entry.count)) this.saver.add(entry);
  }

  private foundTrue({ id, userId, symbolAlerts: { symbol } }: ActiveAlert): void {
    this.safely(() => this.listener.arming?.({ id, userId, symbol }));
  }

  private notify(fired: readonly Trigger[], stopped: readonly StoppedAlert[]): void {
    if (stopped.length > 0) this.safely(() => this.listener.stopped?.(stopped));
    if (fired.length === 0) return;
    for (const listener of this.listeners) this.safely(() => listener(fired));
  }

  private safely(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.parts.log.error('A step after an alert failed; other alerts continue', { error });
    }
  }
}
