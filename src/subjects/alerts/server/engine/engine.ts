import type { Alert } from '#subjects/alerts/rules/alert.ts';
import type { Evaluation } from '#subjects/alerts/rules/alertView.ts';
import { type FiringState, HOLDING, NEW } from '#subjects/alerts/rules/firingState.ts';
import type { Trigger } from '#subjects/alerts/rules/trigger.ts';
import { scanRefs, watchable } from '#subjects/conditions/rules/savedScan.ts';
import { LongList } from '#lib/inspection.ts';
import type { ChangeSet } from '#market/types.ts';
import { Arming, formerOf } from './arming.ts';
import { DeferredUpdates } from './deferredUpdates.ts';
import { changeEntry, Entries, type Entry, hashLogic, NOBODYS } from './entries.ts';
import { Evaluator } from './evaluator.ts';
import { resumeAlerts } from './resume.ts';
import { StateSaver } from './stateSaver.ts';
import { AlertEngineStore } from './store.ts';
import { type AlertOutcome, TriggerWriter } from './triggerWriter.ts';
import type { AlertEngineListener, EngineParts, StoppedAlert, TriggerListener } from './types.ts';
import type { Clock } from '#lib/clock.ts';
import { createMarketSession } from '#market/newSession.ts';
import { expiredReason } from '#subjects/alerts/rules/alertState.ts';
import type { App } from '#platform/app.ts';

/** Stops alerts that expire. */
class Expiries {
  private readonly expiring = new Set<Entry>();
  /** No alert expires before then, epoch ms by the market's clock. */
  private soonest = Number.POSITIVE_INFINITY;

  /** @param happened takes what is to be written and told of each */
  constructor(private readonly happened: (outcome: AlertOutcome) => void) {}

  /** An alert was put in, or changed. */
  note(entry: Entry): void {
    if (entry.expiresAt === null) return;
    this.expiring.add(entry);
    this.soonest = Math.min(this.soonest, entry.expiresAt);
  }

  /** To be called at each tick, before anything is evaluated. @param now the market's clock */
  stopDue(now: number): void {
    if (now < this.soonest) return;
    this.soonest = Number.POSITIVE_INFINITY;
    for (const entry of this.expiring) {
      const { expiresAt, isGone, isWaiting } = entry;
      // What came true before is told first.
      if (isGone || expiresAt === null) this.expiring.delete(entry);
      else if (now < expiresAt || isWaiting) this.soonest = Math.min(this.soonest, expiresAt);
      else this.happened({ entry, trigger: null, reason: expiredReason(expiresAt), stock: null });
    }
  }
}

/** Says once a session that its trading is over: then the last values of the session are saved too. */
class SessionEnd {
  private readonly readSession: ReturnType<typeof createMarketSession>;
  /** The session of which it was said. */
  private said = '';

  /** @param clock the market's */
  constructor(
    clock: Clock,
    private readonly over: () => void,
  ) {
    this.readSession = createMarketSession(clock);
  }

  /** To be called at every tick. */
  look(): void {
    const { phase, date } = this.readSession();
    if ((phase !== 'adjust' && phase !== 'closed') || date === this.said) return;
    this.said = date;
    this.over();
  }

  /** The market was taken to another moment. */
  forget(): void {
    this.said = '';
  }
}

/**
 * Evaluates alerts on every tick, and has what follows on disk, messages included, before anybody hears of it. Only the
 * alerts on stocks that changed are looked at, and those that were just put in.
 */
export class AlertEngine {
  private readonly parts: EngineParts;
  private readonly entries: Entries;
  private readonly saver: StateSaver;
  private readonly triggers: TriggerWriter;
  private readonly evaluator: Evaluator;
  private readonly expiries: Expiries;
  private readonly sessionEnd: SessionEnd;
  private readonly listeners = new Set<TriggerListener>();
  /** Symbols with alerts that are evaluated at the next tick whether or not the stock changes. */
  private readonly unseen = new Set<string>();

  constructor(
    private readonly app: App,
    private readonly listener: AlertEngineListener = {},
  ) {
    const { db, clock, source } = app;
    const log = app.log.child('alerts');
    // A replay begins again with each run, and must not take the place of what is remembered of the real market.
    const isSaved = source.replay === undefined;
    const store = new AlertEngineStore(db, isSaved, () => app.announcements.sink.note());
    const entries = new Entries(app.indicators.scansOf, () => source.ignoreStatus());
    const saver = new StateSaver(app, store, entries);
    const deferredUpdates = new DeferredUpdates(log, store, saver);
    const arming = new Arming(clock, (entry) => this.foundTrue(entry));
    const happened = (outcome: AlertOutcome): void => this.triggers.add(outcome);
    this.entries = entries;
    this.saver = saver;
    this.parts = { log, store, entries, saver, deferredUpdates, arming };
    this.triggers = new TriggerWriter(app, this.parts, (fired, stopped) => this.tell(fired, stopped));
    this.evaluator = new Evaluator(app, this.parts, happened);
    this.expiries = new Expiries(happened);
    this.sessionEnd = new SessionEnd(source.clock, () => saver.addAllLater());
  }

  /**
   * Takes an alert as it is stored now, new or changed; to be called after the commit. It is evaluated at the next tick,
   * whether or not its stock changes, or once the source is back where that brings nothing now. With other conditions or
   * another symbol it begins afresh: no state, and previous values as they are now; with those that it had before it was
   * changed a moment ago it goes on as it was. An alert that is not active is forgotten.
   */
  put(alert: Alert): void {
    this.putIn(alert, NEW);
  }

  /**
   * Takes an alert as `put` does after a saved scan that it reads was changed, renamed or deleted. With other conditions of
   * the scan it begins afresh too, but what holds at its first evaluation then has not begun to, so that fires nothing.
   */
  putWithScan(alert: Alert, scanId: number): void {
    // What a scan that can't be read leaves unknown makes nothing begin to hold.
    const isRead = watchable(this.app.indicators.scansOf(alert.userId)(scanId)) !== null;
    this.putIn(alert, isRead ? HOLDING : (this.entries.get(alert.id)?.firingState ?? HOLDING));
  }

  /** Forgets an alert that was deleted. */
  remove(id: number): void {
    const entry = this.entries.get(id);
    if (!entry) return;
    this.entries.remove(entry);
    this.saver.settle(entry);
  }

  /** One tick; to be called with every change set, after the indicators were written into the Market. */
  onChanges(changes: ChangeSet | null): void {
    try {
      this.evaluateChanged(changes);
    } finally {
      this.parts.deferredUpdates.applySome();
      this.triggers.commit();
      this.sessionEnd.look();
      this.saver.saveDue();
    }
  }

  /**
   * The market was taken to another moment. Everything is evaluated there, and nothing fires: what holds at that moment did
   * not begin to hold, and a crossing needs a value from before. A value that is still computed counts so when it comes.
   */
  jump(): void {
    this.unseen.clear();
    this.sessionEnd.forget();
    this.evaluator.prime();
  }

  /** What the conditions of an active alert see now; null when the engine has no such alert. */
  evaluation(id: number): Evaluation | null {
    const entry = this.entries.get(id);
    return entry ? this.evaluator.evaluation(entry) : null;
  }

  /** Whether an alert was true already as it was put in, and fires only when its time to undo that is over. */
  isArming(id: number): boolean {
    return this.entries.get(id)?.isArming ?? false;
  }

  /** What conditions that are not saved would see now. */
  preview(alert: Pick<Alert, 'userId' | 'symbol' | 'logic'>): Evaluation {
    // Among the alerts for a moment, so that it is seen as they would be.
    const entry = this.entries.add({ ...NOBODYS, ...alert }, 0);
    try {
      return this.evaluator.evaluation(entry);
    } finally {
      this.entries.remove(entry);
    }
  }

  /** The result removes the listener. */
  listen(listener: TriggerListener): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /**
   * Takes up all active alerts and what an earlier run remembered of them.
   * @returns owners of alerts that the earlier run had switched off, but not in the alerts' own rows
   */
  resume(): readonly number[] {
    return resumeAlerts(this.app, this.parts, (entry) => {
      this.unseen.add(entry.book.symbol);
      this.expiries.note(entry);
      // One whose conditions did not cease to hold yet may have been true already as it was put in.
      this.parts.arming.begin(entry, () => (entry.firingState === NEW ? null : false));
    });
  }

  /**
   * Has on disk what the triggers of these users' alerts change of the alerts; to be called before they are read or
   * changed. @throws what the database throws
   */
  applyDeferred(userIds: readonly number[]): void {
    this.parts.deferredUpdates.applyOf(userIds);
  }

  /** Writes whatever is not on disk yet. */
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

  /** What is known of each alert, for the state inspector. */
  held(): LongList {
    return new LongList(this.entries.counts().alerts, () => this.entries.shown());
  }

  private evaluateChanged(changes: ChangeSet | null): void {
    const { entries, evaluator, unseen } = this;
    if (entries.counts().alerts === 0) return;
    const { source } = this.app;
    evaluator.begin();
    this.expiries.stopDue(source.clock.now());
    for (const { book } of this.parts.arming.due()) unseen.add(book.symbol);
    const upsert = changes?.upsert ?? {};
    for (const symbol in upsert) {
      const book = entries.book(symbol);
      if (book) evaluator.evaluateBook(book);
      unseen.delete(symbol);
    }
    // What the market holds may be old: these wait until the source is back.
    if (unseen.size === 0 || !source.health().healthy) return;
    for (const symbol of unseen) {
      const book = entries.book(symbol);
      if (book) evaluator.evaluateBook(book);
    }
    unseen.clear();
  }

  /** @param state of an alert that asks something new */
  private putIn(alert: Alert, state: FiringState): void {
    const before = this.entries.get(alert.id) ?? null;
    const logicHash = hashLogic(alert, JSON.stringify(alert.logic), this.app.indicators.scansOf);
    if (before && alert.active && before.logicHash === logicHash) return this.change(before, alert);
    // The new form first, so that what is known of the stock is kept.
    const entry = alert.active ? this.entries.add(alert, logicHash) : null;
    if (before) {
      this.saver.drop(before);
      this.entries.remove(before);
    }
    if (entry) this.begin(entry, before, state);
  }

  /** Gives an alert that asks the same as before what was changed of it. */
  private change(entry: Entry, alert: Alert): void {
    changeEntry(entry, alert);
    this.expiries.note(entry);
    for (const scan of scanRefs(alert.logic)) this.entries.columns.rename(scan);
    if (entry.firingState !== NEW) this.saver.add(entry);
    this.unseen.add(alert.symbol);
  }

  /** @param before the form of the alert whose place it takes; null for a new one */
  private begin(entry: Entry, before: Entry | null, state: FiringState): void {
    this.unseen.add(entry.book.symbol);
    this.expiries.note(entry);
    entry.former = formerOf(before);
    const isUndone = before?.isArming === true && entry.former?.logicHash === entry.logicHash;
    entry.firingState = isUndone ? (entry.former?.firingState ?? state) : state;
    if (entry.firingState !== NEW) this.saver.add(entry);
    else this.parts.arming.begin(entry, () => this.evaluator.evaluation(entry).holds);
    if (entry.hasCrossings) this.safely(() => this.noteFirst(entry));
  }

  /** What crosses is compared with what its owner is shown as it is put in, whatever comes before the next tick. */
  private noteFirst(entry: Entry): void {
    const isDecided = this.evaluator.evaluation(entry).holds !== null;
    if (isDecided && this.entries.program.note(entry.first, entry.count)) this.saver.add(entry);
  }

  private foundTrue({ id, userId, book: { symbol } }: Entry): void {
    this.safely(() => this.listener.arming?.({ id, userId, symbol }));
  }

  private tell(fired: readonly Trigger[], stopped: readonly StoppedAlert[]): void {
    if (stopped.length > 0) this.safely(() => this.listener.stopped?.(stopped));
    if (fired.length === 0) return;
    for (const listener of this.listeners) this.safely(() => listener(fired));
  }

  private safely(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.parts.log.error('What follows from an alert failed; the others go on', { error });
    }
  }
}
