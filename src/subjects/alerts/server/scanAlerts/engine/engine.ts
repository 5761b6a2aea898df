import { createOperandTexts } from '../../../rules/seen.ts';
import { createFiringGuard } from '../../../rules/scanAlerts/firingGuard.ts';
import type { ScanAlert } from '../../../rules/scanAlerts/scanAlert.ts';
import { watchedLogic } from '../../../rules/scanAlerts/scanAlertRules.ts';
import { scanLabel } from '../../../rules/scanAlerts/scanAlertText.ts';
import { LongList } from '../../../../../lib/inspection.ts';
import { createCommit } from './commit.ts';
import { createDeal } from './deal.ts';
import { createLook } from './look.ts';
import { createResume, restoreSession } from './resume.ts';
import { createScanSaver } from './saver.ts';
import { scanEngineStore } from './store.ts';
import type { Entry, ScanEngine, ScanEngineCore, ScanEngineNeeds, Watch } from './types.ts';
import { createWatches } from './watches.ts';

/**
 * Follows who enters and leaves the scans that alerts watch, each scan once for all its alerts, and has what follows on
 * disk, messages included, before anybody hears of it.
 */
export function createScanEngine(core: ScanEngineCore, needs: ScanEngineNeeds): ScanEngine {
  const { db, clock, source } = core;
  const log = core.log.child('scanAlerts');
  const store = scanEngineStore(db);
  const watches = createWatches();
  const entries = new Map<number, Entry>();
  // A replay begins anew with each run, and must not take the place of what is remembered of the real market.
  const isSaved = source.replay === undefined;
  const deal = createDeal({ ...needs, source, clock });
  const textOf = createOperandTexts(needs.catalog);
  const saver = createScanSaver({
    ...{ db, clock, log, store, watches, source: source.name },
    session: () => look.session(),
  });
  const commit = createCommit({ ...needs, log, store, deal, saver, label: source.label });
  const look = createLook({
    ...needs,
    ...{ source, watches, textOf, log },
    changed: (watch) => isSaved && saver.add(watch),
    isWanted: deal.isWanted,
    moved: deal.moved,
  });
  /** The session whose counts the limits know. */
  let session = '';

  function leave(watch: Watch, entry: Entry, event: ScanAlert['event']): void {
    if (watches.leave(watch, event, entry)) saver.drop(watch);
  }

  /** An alert is not watched any more. @param isGone it was switched off or deleted, so nothing more is to be told */
  function remove(entry: Entry, isGone: boolean): void {
    const { alert, sum } = entry;
    entries.delete(alert.id);
    deal.forget(entry);
    leave(entry.watch, entry, alert.event);
    if (!isGone) return deal.closeSum(entry);
    entry.isGone = true;
    const rowId = sum?.rowId ?? null;
    if (sum && rowId !== null) store.changeSum(rowId, sum.symbols, false);
  }

  /** Gives an alert that is watched already what it asks now. */
  function change(entry: Entry, alert: ScanAlert, watch: Watch): void {
    const { alert: old, watch: before } = entry;
    const isOther = watch !== before || alert.event !== old.event;
    if (isOther) {
      deal.closeSum(entry);
      watches.join(watch, alert.event, entry);
      entry.watch = watch;
    }
    entry.alert = alert;
    entry.scanLabel = scanLabel(alert.scan);
    if (isOther) leave(before, entry, old.event);
  }

  /** @returns whether a scan is watched now that was not before */
  function put(alert: ScanAlert): boolean {
    const before = entries.get(alert.id);
    const { scan, event, userId } = alert;
    const logic = alert.active ? watchedLogic(scan, event, needs.scansOf(userId)) : null;
    if (logic === null) {
      if (before) remove(before, !alert.active);
      return false;
    }
    const { watch, isNew } = watches.take(logic, scan.type === 'scanner' ? scan.key : null);
    if (before) change(before, alert, watch);
    else {
      const entry: Entry = {
        ...{ alert, watch, sum: null, isGone: false },
        scanLabel: scanLabel(scan),
        guard: createFiringGuard(),
        mutes: new Set(),
      };
      entries.set(alert.id, entry);
      watches.join(watch, event, entry);
      deal.listChanged(userId);
    }
    return isNew;
  }

  const restoring = { store, clock, source: source.name, entries };
  const resume = createResume({ ...restoring, watches, saver, deal, look, put, days: source.days });

  function beginSession(): void {
    session = look.session();
    for (const { guard, mutes } of entries.values()) {
      guard.nextSession(clock.monotonic());
      mutes.clear();
    }
    // Where the clock was set back, the session is one of which something was told already.
    restoreSession(restoring, session);
  }

  return {
    put(alert) {
      const isFresh = !entries.has(alert.id);
      const isNew = put(alert);
      if (isFresh && entries.has(alert.id)) restoreSession(restoring, needs.market.date(), alert.id);
      if (isNew) look.lookAgain();
    },

    remove(id) {
      const entry = entries.get(id);
      if (entry) remove(entry, true);
    },

    muted(id, symbols) {
      const mutes = entries.get(id)?.mutes;
      mutes?.clear();
      for (const symbol of symbols) mutes?.add(symbol);
    },

    listChanged: deal.listChanged,

    onChanges(changes) {
      if (entries.size === 0 && deal.isIdle()) return;
      look.begin();
      if (look.session() !== session) beginSession();
      look.changes(changes);
      deal.deal(session);
      const hasWritten = commit.commit();
      // What was found and is not told yet must be found again after a crash.
      if (!hasWritten && deal.isIdle()) saver.saveDue();
    },

    jump: look.forgetAll,

    resume() {
      resume();
      look.begin();
      session = look.session();
      look.lookAgain();
    },

    flush() {
      commit.commit();
      if (deal.isIdle()) saver.saveAll();
    },

    inScan(id) {
      const entry = entries.get(id);
      return entry ? watches.members.countIn(entry.watch.slot) : null;
    },

    counts: () => ({ alerts: entries.size, scans: watches.count(), waiting: deal.count() }),
    held: () =>
      new LongList(entries.size, () =>
        entries.values().map(({ alert, scanLabel: scan, mutes }) => ({ ...alert, scan, muted: mutes.size })),
      ),
  };
}
