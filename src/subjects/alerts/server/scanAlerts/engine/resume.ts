import { cooledAt } from '../../../rules/cooldown.ts';
import { IN, membershipNextDay, NEW, OUT } from '../../../rules/scanAlerts/membership.ts';
import type { ScanAlert } from '../../../rules/scanAlerts/scanAlert.ts';
import type { SystemClock } from '../../../../../lib/clock.ts';
import { toScanAlert } from '../store.ts';
import type { Deal } from './deal.ts';
import type { Look } from './look.ts';
import type { ScanSaver } from './saver.ts';
import type { ScanEngineStore, ScanState, ScanTriggerRow } from './store.ts';
import type { Entry, Watch } from './types.ts';
import type { Watches } from './watches.ts';

const MINUTE_MS = 60_000;

type Restoring = {
  store: ScanEngineStore;
  clock: SystemClock;
  /** Its name: what was told on another one counts for nothing. */
  source: string;
  entries: ReadonlyMap<number, Entry>;
};

const symbolsOf = ({ symbol, symbols }: Pick<ScanTriggerRow, 'symbol' | 'symbols'>): readonly string[] =>
  symbol === null ? symbols : [symbol];

/**
 * Gives the limits of alerts what was told in a session, and the stocks that are not to be told in it.
 * @param only of this alert
 */
export function restoreSession(
  { store, clock, source, entries }: Restoring,
  session: string,
  only: number | null = null,
): void {
  const counts = new Map<Entry, Map<string, { count: number; at: number }>>();
  const isAsked = (id: number): boolean => only === null || id === only;
  for (const row of store.ofSession(session, source)) {
    const entry = isAsked(row.scanAlertId) ? entries.get(row.scanAlertId) : undefined;
    if (!entry) continue;
    const told = counts.get(entry) ?? new Map<string, { count: number; at: number }>();
    counts.set(entry, told);
    for (const symbol of symbolsOf(row)) {
      told.set(symbol, { count: (told.get(symbol)?.count ?? 0) + 1, at: row.triggeredAt });
    }
  }
  const now = { wall: clock.now(), monotonic: clock.monotonic() };
  for (const [{ guard, alert }, told] of counts) {
    for (const [symbol, { count, at }] of told) {
      guard.restore(symbol, count, cooledAt(at, alert.cooldownMinutes * MINUTE_MS, now));
    }
  }
  for (const { scanAlertId, symbol } of store.mutesOf(session)) {
    if (isAsked(scanAlertId)) entries.get(scanAlertId)?.mutes.add(symbol);
  }
}

export type ResumeDeps = Restoring & {
  watches: Watches;
  saver: ScanSaver;
  deal: Deal;
  look: Pick<Look, 'begin' | 'session'>;
  days: 'consecutive' | 'independent';
  put(alert: ScanAlert): boolean;
};

/** Takes up what an earlier run left, so that nothing which it told is told again, and what it missed is found. */
export function createResume(deps: ResumeDeps): () => void {
  const { store, source, entries, watches, saver, deal, look, days } = deps;

  function restoreState(watch: Watch, state: ScanState): void {
    saver.restore(watch, state);
    if (state.session === look.session()) return;
    const isMadeAnew = days === 'independent' && !watch.traits.readsDay;
    const { members, stocks } = watches;
    for (const { number } of stocks.all()) {
      const after = isMadeAnew ? NEW : membershipNextDay(members.get(watch.slot, number), watch.traits);
      members.set(watch.slot, number, after);
    }
  }

  /** What was told after who stood where was saved: those stocks have moved since. */
  function follow(row: ScanTriggerRow, watch: Watch): void {
    const after = row.event === 'enters' && !watch.traits.isMomentary ? IN : OUT;
    for (const symbol of symbolsOf(row))
      watches.members.set(watch.slot, watches.stocks.of(symbol).number, after);
  }

  function takeUpSum(row: ScanTriggerRow): void {
    const entry = entries.get(row.scanAlertId);
    if (!entry) return store.changeSum(row.id, row.symbols, false);
    const { id, symbols, isOpen: _isOpen, ...firing } = row;
    deal.takeUp({ entry, rowId: id, firing, symbols });
  }

  return () => {
    saver.takeUpCodes();
    for (const row of store.active()) deps.put(toScanAlert(row));
    look.begin();
    const byHash = new Map([...watches.all()].map((watch) => [watch.hash, watch]));
    const saved = new Map<number, number>();
    for (const state of store.states(source)) {
      const watch = byHash.get(state.scanHash);
      if (!watch) continue;
      restoreState(watch, state);
      saved.set(watch.hash, state.lastTriggerId);
    }
    store.dropOthers(source, [...byHash.keys()]);
    for (const row of store.ofSession(look.session(), source)) {
      const watch = byHash.get(row.scanHash);
      if (watch && row.id > (saved.get(watch.hash) ?? 0)) follow(row, watch);
    }
    restoreSession(deps, look.session());
    for (const row of store.openSums()) takeUpSum(row);
  };
}
