import {
  createMessageLimits,
  type Limits,
  listsOfScan,
  watchedLogic,
} from '#subjects/alerts/rules/scanAlerts/scanAlertRules.ts';
import type { ScanAlert } from '#subjects/alerts/rules/scanAlerts/scanAlert.ts';
import { scanLabel } from '#subjects/alerts/rules/scanAlerts/scanAlertText.ts';
import { LongList } from '#lib/inspection.ts';
import type { ChangeSet } from '#market/types.ts';
import { Dispatcher } from './dispatcher.ts';
import { ScanEvaluator } from './scanEvaluator.ts';
import { MemberSaver } from './memberSaver.ts';
import { NewsWatch } from './newsWatch.ts';
import { restoreSession, resumeScanAlerts, type ScanEngineParts } from './resume.ts';
import { ScanTriggerWriter } from './scanTriggerWriter.ts';
import { ScanEngineStore } from './store.ts';
import type { Entry, Watch, Written } from './types.ts';
import { Watches } from './watches.ts';
import type { App } from '#platform/app.ts';

/** The limits of an alert. Different announcements of a stock are all news, so they have no cooldown. */
const rulesOf = (alert: ScanAlert): Limits =>
  alert.scan.type === 'announcements' ? { ...alert, cooldownMinutes: 0 } : alert;

/**
 * Follows which stocks enter and leave watched scans. Each scan is evaluated once for all its alerts. Results and
 * messages are on disk before any user is notified.
 */
export class ScanEngine {
  private readonly store: ScanEngineStore;
  private readonly watches: Watches;
  private readonly entries = new Map<number, Entry>();
  private readonly dispatcher: Dispatcher;
  private readonly saver: MemberSaver;
  private readonly triggers: ScanTriggerWriter;
  private readonly evaluator: ScanEvaluator;
  /** Alerts on announcements. */
  readonly news: NewsWatch;
  private readonly parts: ScanEngineParts;
  private session = '';

  /** @param notify called with triggers after their transaction */
  constructor(
    private readonly app: App,
    notify: (written: readonly Written[]) => void,
  ) {
    const { source } = app;
    const watches = new Watches(() => source.ignoreStatus());
    const store = new ScanEngineStore(app.db, () => app.announcements.sink.note());
    const dispatcher = new Dispatcher(app);
    const saver = new MemberSaver(app, store, watches, () => this.evaluator.session);
    this.watches = watches;
    this.store = store;
    this.dispatcher = dispatcher;
    this.saver = saver;
    this.news = new NewsWatch(app, store, dispatcher);
    this.triggers = new ScanTriggerWriter(app, { store, dispatcher, saver, news: this.news }, notify);
    // A replay starts again with each run, so it must not overwrite the states of the real market.
    const isSaved = source.replay === undefined;
    this.evaluator = new ScanEvaluator(app, watches, dispatcher, (watch) => {
      if (isSaved) saver.add(watch);
    });
    this.parts = { store, entries: this.entries, watches, saver, dispatcher, evaluator: this.evaluator };
  }

  /**
   * Activates a stored alert, new or changed, also after its saved scan changed; call it after the commit. Stocks that
   * are in a newly watched scan have not entered it. An inactive alert is removed.
   */
  put(alert: ScanAlert): void {
    const { entries } = this;
    const isFresh = !entries.has(alert.id);
    const isNew = this.putIn(alert);
    if (isFresh && entries.has(alert.id)) {
      restoreSession(this.app, this.parts, this.app.market.date(), alert.id);
    }
    if (isNew) this.evaluator.checkAgain();
  }

  remove(id: number): void {
    const entry = this.entries.get(id);
    if (entry) this.removeEntry(entry, true);
  }

  /** Replaces the stocks that an alert does not report in this session. */
  muted(id: number, symbols: readonly string[]): void {
    const mutes = this.entries.get(id)?.mutes;
    mutes?.clear();
    for (const symbol of symbols) mutes?.add(symbol);
    // What was held back until now is not reported after a restart.
    this.news.saveReached();
  }

  listChanged(userId: number): void {
    this.dispatcher.listChanged(userId);
    this.news.saveReached();
  }

  /** Processes one tick; call it with every change set. */
  onChanges(changes: ChangeSet | null): void {
    const { evaluator, dispatcher } = this;
    if (this.entries.size === 0 && dispatcher.count === 0) return;
    evaluator.begin();
    if (evaluator.session !== this.session) this.beginSession();
    evaluator.changes(changes);
    this.news.begin();
    dispatcher.dispatch(this.session);
    const hasWritten = this.triggers.commit();
    // States are not saved while moves are unsent, so that these are found again after a crash.
    if (!hasWritten && dispatcher.count === 0) this.saver.behind.saveDue();
  }

  /** Handles a jump of the replay: stocks that are in a scan there have not entered it. */
  jump(): void {
    this.evaluator.forgetAll();
    this.news.jump();
  }

  resume(): void {
    const { evaluator } = this;
    this.news.resume(() => resumeScanAlerts(this.app, this.parts, (alert) => this.putIn(alert)));
    evaluator.begin();
    this.session = evaluator.session;
    evaluator.checkAgain();
  }

  flush(): void {
    this.triggers.commit();
    if (this.dispatcher.count === 0) this.saver.behind.saveAll();
    this.news.saveReached();
  }

  /** Number of stocks in an alert's scan; null if it is not watched. */
  inScan(id: number): number | null {
    const entry = this.entries.get(id);
    if (!entry?.watch) return null;
    const { members, stocks } = this.watches;
    return members.countIn(entry.watch.slot, stocks.all(), (code) => this.dispatcher.isChecked(entry, code));
  }

  counts(): { alerts: number; scans: number; waiting: number } {
    return { alerts: this.entries.size, scans: this.watches.count, waiting: this.dispatcher.count };
  }

  held(): LongList {
    return new LongList(this.entries.size, () =>
      this.entries
        .values()
        .map(({ alert, scanLabel: scan, mutes }) => ({ ...alert, scan, muted: mutes.size })),
    );
  }

  private beginSession(): void {
    this.session = this.evaluator.session;
    for (const { limits, mutes } of this.entries.values()) {
      limits.nextSession(this.app.clock.monotonic());
      mutes.clear();
    }
    this.news.nextSession();
    // If the clock was set back, messages of this session were already sent.
    restoreSession(this.app, this.parts, this.session);
  }

  /** @returns whether the alert's scan was not watched before */
  private putIn(alert: ScanAlert): boolean {
    const before = this.entries.get(alert.id);
    const isNews = alert.scan.type === 'announcements';
    // Another kind of alert begins again.
    if (before && isNews !== (before.watch === null)) {
      this.removeEntry(before, false);
      return this.putIn(alert);
    }
    if (isNews && alert.active) {
      if (before) this.changeNews(before, alert);
      else this.news.put(this.entryOf(alert, null));
      return false;
    }
    const { scan, event, userId } = alert;
    const logic = alert.active ? watchedLogic(scan, event, this.app.indicators.scansOf(userId)) : null;
    if (logic === null) {
      if (before) this.removeEntry(before, !alert.active);
      return false;
    }
    const { watch, isNew } = this.watches.take(logic, scan);
    if (before?.watch) this.change(before, before.watch, alert, watch);
    else this.watches.join(watch, alert.event, this.entryOf(alert, watch));
    return isNew;
  }

  private listsOf({ scan, userId }: ScanAlert): Entry['lists'] {
    return listsOfScan(scan, this.app.indicators.scansOf(userId));
  }

  /** Adds an entry. @param watch null for an alert on announcements */
  private entryOf(alert: ScanAlert, watch: Watch | null): Entry {
    const entry: Entry = {
      alert,
      watch,
      sum: null,
      isGone: false,
      scanLabel: scanLabel(alert.scan),
      lists: this.listsOf(alert),
      limits: createMessageLimits(),
      rules: rulesOf(alert),
      mutes: new Set(),
    };
    this.entries.set(alert.id, entry);
    this.dispatcher.listChanged(alert.userId);
    return entry;
  }

  private change(entry: Entry, before: Watch, alert: ScanAlert, watch: Watch): void {
    const { event } = entry.alert;
    const isOther = watch !== before || alert.event !== event;
    if (isOther) {
      this.dispatcher.closeSum(entry);
      this.watches.join(watch, alert.event, entry);
      entry.watch = watch;
    }
    this.setAlert(entry, alert);
    if (isOther) this.leave(before, entry, event);
  }

  private changeNews(entry: Entry, alert: ScanAlert): void {
    const { scan, scope } = entry.alert;
    this.setAlert(entry, alert);
    if (scope === alert.scope && Bun.deepEquals(scan, alert.scan)) return;
    this.dispatcher.closeSum(entry);
    this.news.beginNow(entry);
  }

  private setAlert(entry: Entry, alert: ScanAlert): void {
    entry.alert = alert;
    entry.rules = rulesOf(alert);
    entry.scanLabel = scanLabel(alert.scan);
    entry.lists = this.listsOf(alert);
  }

  /** Stops watching an alert. @param isGone true if it was switched off or deleted, so that nothing more is sent */
  private removeEntry(entry: Entry, isGone: boolean): void {
    const { alert, sum, watch } = entry;
    this.entries.delete(alert.id);
    this.dispatcher.forget(entry);
    if (watch) this.leave(watch, entry, alert.event);
    else this.news.remove(entry);
    if (!isGone) return this.dispatcher.closeSum(entry);
    entry.isGone = true;
    const rowId = sum?.rowId ?? null;
    if (rowId !== null) this.store.abandonSum(rowId);
  }

  private leave(watch: Watch, entry: Entry, event: ScanAlert['event']): void {
    if (this.watches.leave(watch, event, entry)) this.saver.behind.forget(watch);
  }
}
