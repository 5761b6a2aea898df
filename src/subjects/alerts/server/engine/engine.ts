import type { Alert } from '../../rules/alert.ts';
import { HOLDING, type Latch, NEW } from '../../rules/latch.ts';
import { createOperandTexts } from '../../rules/seen.ts';
import type { Trigger } from '../../rules/trigger.ts';
import { scanRefs, watchable } from '../../../conditions/rules/savedScan.ts';
import { createMarketSession } from '../../../../market/marketSession.ts';
import { LongList } from '../../../../lib/inspection.ts';
import type { ChangeSet } from '../../../../market/types.ts';
import { changeEntry, createEntries, type Entry, hashLogic } from './entries.ts';
import { createEvaluate } from './evaluate.ts';
import { evaluationOf } from './evaluation.ts';
import { createResume } from './resume.ts';
import { createArming, formerOf } from './arming.ts';
import { createExpiries } from './expiries.ts';
import { createSaver } from './saver.ts';
import { createDeferredUpdates } from './deferredUpdates.ts';
import { shownEntries } from './shownEntries.ts';
import { alertEngineStore } from './store.ts';
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
  const deferredUpdates = createDeferredUpdates({ log, store, saver });
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

  const arming = createArming(clock, ({ id, userId, book: { symbol } }) =>
    safely(() => needs.arming?.({ id, userId, symbol })),
  );
  const triggers = createTriggers({
    ...needs,
    log,
    store,
    entries,
    saver,
    deferredUpdates,
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
    arming,
    textOf,
    log,
    happened: triggers.add,
  });
  const expiries = createExpiries(triggers.add);
  const resume = createResume({
    log,
    store,
    entries,
    deferredUpdates,
    clock,
    source,
    scansOf,
    placed(entry) {
      unseen.add(entry.book.symbol);
      expiries.note(entry);
      // One that was not released yet may have been true already as it was put in.
      arming.begin(entry, () => (entry.latch === NEW ? null : false));
    },
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
    expiries.stopDue(source.clock.now());
    for (const { book } of arming.due()) unseen.add(book.symbol);
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

  /** @param latch of an alert that asks something new */
  function put(alert: Alert, latch: Latch): void {
    const before = entries.get(alert.id) ?? null;
    const logicHash = hashLogic(alert, JSON.stringify(alert.logic), scansOf);
    if (before && alert.active && before.logicHash === logicHash) {
      changeEntry(before, alert);
      expiries.note(before);
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
    expiries.note(entry);
    entry.former = formerOf(before);
    const isUndone = before?.isArming === true && entry.former?.logicHash === logicHash;
    entry.latch = isUndone ? (entry.former?.latch ?? latch) : latch;
    if (entry.latch !== NEW) saver.add(entry);
    else arming.begin(entry, () => evaluationOfEntry(entry).holds);
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
        deferredUpdates.applySome();
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

    isArming: (id) => entries.get(id)?.isArming ?? false,

    preview(alert) {
      // Among the alerts for a moment, so that it is seen as they would be.
      const entry = entries.add({ ...NOBODYS, ...alert }, 0);
      try {
        return evaluationOfEntry(entry);
      } finally {
        entries.remove(entry);
      }
    },

    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    resume,

    applyDeferred: deferredUpdates.applyOf,

    flush() {
      triggers.commit();
      deferredUpdates.applyAll();
      saver.saveAll();
    },

    counts: () => ({
      ...entries.counts(),
      unsaved: saver.count() + deferredUpdates.count(),
      waiting: triggers.count(),
    }),

    held: () => new LongList(entries.counts().alerts, () => shownEntries(entries.all())),
  };
}

/** What conditions that nobody has saved are evaluated as. */
const NOBODYS: Omit<Alert, 'userId' | 'symbol' | 'logic'> = {
  id: 0,
  name: null,
  active: true,
  persistent: false,
  destinations: { telegram: false, discord: false },
  note: null,
  expiresAt: null,
  version: 0,
  lastTriggeredAt: null,
  snoozedUntil: null,
  stoppedReason: null,
  armedAt: null,
};
