import type { Alert } from '../../../domain/alerts/alert.ts';
import { COOLDOWN_MS, HOLDING, type Latch, latchHolding, NEW } from '../../../domain/alerts/latch.ts';
import { createOperandTexts } from '../../../domain/alerts/seen.ts';
import type { Trigger } from '../../../domain/alerts/trigger.ts';
import type { Logic } from '../../../domain/conditions/condition.ts';
import { scanRefs, watchable } from '../../../domain/conditions/savedScan.ts';
import { createMarketSession } from '../../../market/marketSession.ts';
import { LongList } from '../../../lib/inspection.ts';
import type { ChangeSet } from '../../../market/types.ts';
import { changeEntry, createEntries, type Entry, hashLogic } from './entries.ts';
import { createEvaluate } from './evaluate.ts';
import { evaluationOf } from './evaluation.ts';
import { restoreBefore, type UnpackedState, unpackState } from './packedState.ts';
import { createSaver } from './saver.ts';
import { createSettlement } from './settlement.ts';
import { alertEngineStore, type StoredAlert, type UnsettledTrigger } from './store.ts';
import { createTriggers } from './triggers.ts';
import type {
  AlertEngine,
  AlertEngineCore,
  AlertEngineNeeds,
  StoppedAlert,
  TriggerListener,
} from './types.ts';

/**
 * Evaluates alerts on every tick, and has what follows on disk, messages included, before anybody hears of it. Only the
 * alerts on stocks that changed are looked at, and those that were just put in.
 */
export function createAlertEngine(core: AlertEngineCore, needs: AlertEngineNeeds): AlertEngine {
  const { db, clock, source } = core;
  const log = core.log.child('alerts');
  // A replay begins anew with each run, and must not take the place of what is remembered of the real market.
  const store = alertEngineStore(db, { savesStates: source.replay === undefined });
  const { scansOf } = needs;
  const entries = createEntries(scansOf);
  const textOf = createOperandTexts(needs.catalog);
  const saver = createSaver({ clock, log, store, entries, source: source.name });
  const settlement = createSettlement({ log, store, saver });
  const listeners = new Set<TriggerListener>();
  /** Symbols with alerts that are evaluated at the next tick whether or not the stock changes. */
  const unseen = new Set<string>();
  const readSession = createMarketSession(source.clock);
  /** The session after whose close everything was queued to be saved. */
  let savedSession = '';

  function safely(work: () => void): void {
    try {
      work();
    } catch (error) {
      log.error('What follows from an alert failed; the others go on', { error });
    }
  }

  const triggers = createTriggers({
    ...needs,
    log,
    store,
    entries,
    saver,
    settlement,
    source,
    written(fired: readonly Trigger[], stopped: readonly StoppedAlert[]) {
      if (stopped.length > 0) safely(() => needs.stopped?.(stopped));
      if (fired.length === 0) return;
      for (const listener of listeners) safely(() => listener(fired));
    },
  });
  const { begin, evaluateBook, prime } = createEvaluate({
    ...needs,
    source,
    clock,
    entries,
    saver,
    textOf,
    log,
    happened: triggers.add,
  });

  /** Once trading is over, the last values of the session are saved too. */
  function saveSession(): void {
    const { phase, date } = readSession();
    if ((phase !== 'adjust' && phase !== 'closed') || date === savedSession) return;
    savedSession = date;
    saver.addAllLater();
  }

  function evaluateChanged(changes: ChangeSet | null): void {
    if (entries.counts().alerts === 0) return;
    begin();
    const upsert = changes?.upsert ?? {};
    for (const symbol in upsert) {
      const book = entries.book(symbol);
      if (book) evaluateBook(book);
      unseen.delete(symbol);
    }
    // What the market holds may be old: these wait until the source is back.
    if (unseen.size === 0 || !source.health().healthy) return;
    for (const symbol of unseen) {
      const book = entries.book(symbol);
      if (book) evaluateBook(book);
    }
    unseen.clear();
  }

  /**
   * Takes up a stored alert and what is remembered of it.
   * @param last its last trigger, where what is remembered may be older
   */
  function restore(
    { alert, logic, source: from, state }: StoredAlert,
    last: UnsettledTrigger | undefined,
  ): void {
    const whole = { ...alert, logic: JSON.parse(logic) as Logic };
    const entry = entries.add(whole, hashLogic(whole, logic, scansOf));
    unseen.add(alert.symbol);
    const known = state && from === source.name ? unpackState(state, entry.logicHash) : null;
    if (known) restoreState(entry, known);
    if (last === undefined) return;
    settlement.add(entry, last, entry);
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
    // A trigger in the future was noted before the clock was set back: its cooldown begins anew, and ends.
    const age = Math.max(0, clock.now() - lastTriggeredAt);
    if (age < COOLDOWN_MS) entry.coolUntil = clock.monotonic() + COOLDOWN_MS - age;
  }

  /** Gives an alert what its last trigger left. */
  function restoreTrigger(entry: Entry, { silent, marketAt, triggeredAt }: UnsettledTrigger): void {
    const firing = { isPersistent: entry.persistent, isSnoozed: silent, isCooling: false };
    entry.latch = latchHolding(entry.latch, firing);
    entry.evaluatedAt = marketAt;
    coolDown(entry, triggeredAt);
  }

  /** Switches off what fired for the last time in an earlier run. */
  function switchOff(unsettled: readonly UnsettledTrigger[]): void {
    store.inTransaction(() => {
      for (const trigger of unsettled) store.applyTrigger(trigger, trigger.version, null);
    });
  }

  /** @param latch of an alert that asks something new */
  function put(alert: Alert, latch: Latch): void {
    const before = entries.get(alert.id);
    const logicHash = hashLogic(alert, JSON.stringify(alert.logic), scansOf);
    if (before && alert.active && before.logicHash === logicHash) {
      changeEntry(before, alert);
      for (const scan of scanRefs(alert.logic)) entries.columns.rename(scan);
      if (before.latch !== NEW) saver.add(before);
      unseen.add(alert.symbol);
      return;
    }
    // The new form first, so that what is known of the stock is kept.
    const entry = alert.active ? entries.add(alert, logicHash) : null;
    if (before) {
      saver.drop(before);
      entries.remove(before);
    }
    if (entry === null) return;
    unseen.add(alert.symbol);
    entry.latch = latch;
    if (latch !== NEW) saver.add(entry);
    if (entry.hasCrossings) safely(() => noteFirst(entry));
  }

  const evaluationOfEntry = (entry: Entry) => evaluationOf({ ...needs, source, entries, textOf }, entry);

  /** What crosses is compared with what its owner is shown as it is put in, whatever comes before the next tick. */
  function noteFirst(entry: Entry): void {
    const isDecided = evaluationOfEntry(entry).holds !== null;
    if (isDecided && entries.program.note(entry.first, entry.count)) saver.add(entry);
  }

  return {
    put: (alert) => put(alert, NEW),
    putWithScan(alert, scanId) {
      // What a scan that can't be read leaves unknown makes nothing begin to hold.
      const isRead = watchable(scansOf(alert.userId)(scanId)) !== null;
      put(alert, isRead ? HOLDING : (entries.get(alert.id)?.latch ?? HOLDING));
    },

    remove(id) {
      const entry = entries.get(id);
      if (!entry) return;
      entries.remove(entry);
      saver.settle(entry);
    },

    onChanges(changes) {
      try {
        evaluateChanged(changes);
      } finally {
        settlement.settleSome();
        triggers.commit();
        saveSession();
        saver.saveDue();
      }
    },

    jump() {
      unseen.clear();
      savedSession = '';
      prime();
    },

    evaluation(id) {
      const entry = entries.get(id);
      return entry ? evaluationOfEntry(entry) : null;
    },

    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    resume() {
      const unsettled = store.unsettled();
      const off = unsettled.filter(({ deactivated }) => deactivated);
      if (off.length > 0) switchOff(off);
      store.dropInactiveStates();
      const last = new Map(unsettled.map((trigger) => [trigger.alertId, trigger]));
      for (const stored of store.active()) {
        if (entries.get(stored.alert.id)) continue;
        try {
          restore(stored, last.get(stored.alert.id));
        } catch (error) {
          log.error('An alert could not be read and is left out', { alert: stored.alert.id, error });
        }
      }
      return off.map(({ userId }) => userId);
    },

    settle: settlement.settleOf,

    flush() {
      triggers.commit();
      settlement.settleAll();
      saver.saveAll();
    },

    counts: () => ({
      ...entries.counts(),
      unsaved: saver.count() + settlement.count(),
      waiting: triggers.count(),
    }),

    held: () => new LongList(entries.counts().alerts, () => shownEntries(entries.all())),
  };
}

/** Entries without the conditions, and without the book, which holds all others of the stock. */
function* shownEntries(entries: Iterable<Entry>): Iterable<unknown> {
  for (const {
    id,
    userId,
    book,
    name,
    version,
    persistent,
    lastTriggeredAt,
    snoozedUntil,
    isWaiting,
  } of entries) {
    yield {
      id,
      userId,
      symbol: book.symbol,
      name,
      version,
      persistent,
      lastTriggeredAt,
      snoozedUntil,
      isWaiting,
    };
  }
}
