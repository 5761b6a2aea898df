import { cooldownMs, cooledAt } from '#subjects/alerts/rules/alert.ts';
import { IN, NEW, OUT } from '#subjects/alerts/rules/scanAlerts/membership.ts';
import type { ScanAlert } from '#subjects/alerts/rules/scanAlerts/scanAlert.ts';
import type { App } from '#platform/app.ts';
import type { Adjustments } from '#market/splits.ts';
import { alertOf } from '../../ownRows.ts';
import type { Dispatcher } from './dispatcher.ts';
import { type ScanEvaluator, passToNextDay } from './scanEvaluator.ts';
import type { MemberSaver } from './memberSaver.ts';
import type { ScanEngineStore, ScanTriggerRow } from './store.ts';
import type { Entry, Watch } from './types.ts';
import type { Watches } from './watches.ts';

export type ScanEngineParts = {
  store: ScanEngineStore;
  entries: ReadonlyMap<number, Entry>;
  watches: Watches;
  saver: MemberSaver;
  dispatcher: Dispatcher;
  evaluator: ScanEvaluator;
};

const symbolsOf = ({ symbol, symbols }: ScanTriggerRow): readonly string[] =>
  symbol === null ? symbols : [symbol];

type Firings = Map<string, { count: number; at: number }>;

/** Restores what alerts reported in a session, and their muted stocks. @param only this alert; all if omitted */
export function restoreSession(
  app: App,
  { entries, store }: ScanEngineParts,
  session: string,
  only: number | null = null,
): void {
  const { clock, source } = app;
  const entryOf = (id: number): Entry | undefined =>
    only === null || id === only ? entries.get(id) : undefined;
  const now = { wall: clock.now(), monotonic: clock.monotonic() };
  for (const [{ limits, rules }, firings] of reportedIn(store.ofSession(session, source.name), entryOf)) {
    for (const [symbol, { count, at }] of firings) {
      limits.restore(symbol, count, cooledAt(at, cooldownMs(rules.cooldownMinutes), now));
    }
  }
  for (const { scanAlertId, symbol } of store.mutesOf(session)) entryOf(scanAlertId)?.mutes.add(symbol);
}

/** Number of triggers per stock, and the time of the last one. */
function reportedIn(
  rows: readonly ScanTriggerRow[],
  entryOf: (id: number) => Entry | undefined,
): Map<Entry, Firings> {
  const counts = new Map<Entry, Firings>();
  for (const row of rows) {
    const entry = entryOf(row.scanAlertId);
    if (!entry) continue;
    const firings: Firings = counts.get(entry) ?? new Map();
    counts.set(entry, firings);
    for (const symbol of symbolsOf(row)) {
      firings.set(symbol, { count: (firings.get(symbol)?.count ?? 0) + 1, at: row.triggeredAt });
    }
  }
  return counts;
}

/** Resumes after an earlier run, so that no message is repeated and missed moves are found. */
export function resumeScanAlerts(app: App, parts: ScanEngineParts, put: (alert: ScanAlert) => void): void {
  const { store, watches, saver, evaluator } = parts;
  const { name: source } = app.source;
  saver.activateCodes();
  for (const row of store.active()) put(alertOf(row));
  evaluator.begin();
  const byHash = new Map([...watches.all()].map((watch) => [watch.hash, watch]));
  const saved = restoreStates(app, parts, byHash);
  store.dropOthers(source, [...byHash.keys()]);
  for (const row of store.ofSession(evaluator.session, source)) {
    const watch = byHash.get(row.scanHash);
    if (watch && row.id > (saved.get(watch.hash) ?? 0)) follow(watches, row, watch);
  }
  restoreSession(app, parts, evaluator.session);
  for (const row of store.openSums()) activateSum(parts, row);
}

/** @returns the newest trigger at the time of saving, by the hash of each restored scan */
function restoreStates(
  app: App,
  { store, watches, saver, evaluator }: ScanEngineParts,
  byHash: ReadonlyMap<number, Watch>,
): Map<number, number> {
  const { source, values } = app;
  const saved = new Map<number, number>();
  for (const state of store.states(source.name)) {
    const watch = byHash.get(state.scanHash);
    if (!watch) continue;
    saver.restore(watch, state);
    if (state.session !== evaluator.session) passToNextDay(watches, watch, source.days);
    forgetAdjusted(watches, values.adjustments, watch, state.session);
    saved.set(watch.hash, state.lastTriggerId);
  }
  return saved;
}

/** Resets stocks that were split or consolidated after a session: they are new to the scan. */
function forgetAdjusted(
  { members, stocks }: Watches,
  adjustments: Adjustments,
  { slot }: Watch,
  session: string,
): void {
  for (const { code, number } of stocks.all()) {
    const adjustment = adjustments.latest(code);
    if (adjustment !== null && adjustment.date > session) members.set(slot, number, NEW);
  }
}

/** Applies triggers that are newer than the saved state. */
function follow({ members, stocks }: Watches, row: ScanTriggerRow, { slot, traits }: Watch): void {
  const after = row.event === 'enters' && !traits.isMomentary ? IN : OUT;
  for (const symbol of symbolsOf(row)) members.set(slot, stocks.of(symbol).number, after);
}

function activateSum({ entries, store, dispatcher }: ScanEngineParts, row: ScanTriggerRow): void {
  const entry = entries.get(row.scanAlertId);
  if (!entry) return store.abandonSum(row.id);
  const { id, symbols, isOpen: _isOpen, ...firing } = row;
  dispatcher.activate({ entry, rowId: id, firing, symbols: new Set(symbols) });
}
