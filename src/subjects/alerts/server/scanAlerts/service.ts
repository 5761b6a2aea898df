import { type SentTo, worstOf } from '#platform/outbox/rules/delivery.ts';
import type { ListedTrigger, TriggerBound } from '#subjects/alerts/rules/triggerList.ts';
import { guardText } from '#subjects/alerts/rules/eventGuard.ts';
import { isUntilOpen } from '#subjects/alerts/rules/untilOpen.ts';
import { inScan } from '#subjects/conditions/rules/savedScan.ts';
import { MAX_SCAN_ALERTS, type ScanAlert } from '#subjects/alerts/rules/scanAlerts/scanAlert.ts';
import { mannerOf } from '#subjects/alerts/rules/manner.ts';
import { destinationsOf } from '#subjects/alerts/rules/alert.ts';
import { scanAlertTitle } from '#subjects/alerts/rules/scanAlerts/scanAlertText.ts';
import { goneListsProblem, scanProblem } from '#subjects/alerts/rules/scanAlerts/scanAlertRules.ts';
import type {
  ScanAlertView,
  ScanTrigger,
  ScanTriggerView,
} from '#subjects/alerts/rules/scanAlerts/scanTrigger.ts';
import { normaliseSymbol } from '#market/rules/liveSymbols.ts';
import { AppError } from '#platform/http/errors.ts';
import { createWriteLimit } from '#platform/http/requestLimits.ts';
import {
  type ChangedScanAlert,
  changeScanAlert,
  createScanAlert,
  missing,
  type SentScanAlert,
  takeUp,
  type ScanAlertsDeps,
} from './change.ts';
import type { TransferKind } from '#subjects/transfer/rules/kind.ts';
import { scanAlertsKind } from './transfer.ts';
import type { LostReference } from '../lostReferences/index.ts';
import { type ScanAlertRow, toScanAlert } from './store.ts';

/** Changes of one user in a minute. */
const MAX_WRITES_A_MINUTE = 120;
/** How many triggers are shown of an alert. */
const MAX_TRIGGERS = 50;

const iso = (time: number): string => new Date(time).toISOString();
const isoOrNull = (time: number | null): string | null => (time === null ? null : iso(time));

const toTriggerView = (trigger: ScanTrigger): ScanTriggerView => ({
  id: trigger.id,
  symbol: trigger.symbol,
  symbols: [...trigger.symbols],
  event: trigger.event,
  scan: trigger.scanLabel,
  timestamp: iso(trigger.triggeredAt),
  marketTime: iso(trigger.marketAt),
  seen: [...trigger.seen],
  quoteTime: isoOrNull(trigger.quoteAt),
  source: trigger.source,
  delayMinutes: trigger.delayMinutes,
  silent: trigger.silent,
  guard: trigger.guard && guardText(trigger.guard),
});

/** @param name the alert's; null where it has none */
const toListedTrigger = (
  trigger: ScanTrigger,
  name: string | null,
  sent: readonly SentTo[],
): ListedTrigger => ({
  ...toTriggerView(trigger),
  kind: 'scan',
  alertId: trigger.scanAlertId,
  name,
  deactivated: false,
  delivery: worstOf(sent),
  sent: [...sent],
});

/** What is done with scan alerts by their owners, in whatever way. Every id is looked up as theirs. */
export class ScanAlerts {
  private readonly countWrite: (userId: number) => void;

  constructor(private readonly deps: ScanAlertsDeps) {
    this.countWrite = createWriteLimit(deps.clock, MAX_WRITES_A_MINUTE, 'your scan alerts');
  }

  view(alert: ScanAlert): ScanAlertView {
    const { clock, store, market, engine } = this.deps;
    return {
      id: alert.id,
      name: alert.name,
      scan: alert.scan,
      event: alert.event,
      scope: alert.scope,
      cooldown_minutes: alert.cooldownMinutes,
      day_maximum: alert.dayMaximum,
      minute_maximum: alert.minuteMaximum,
      active: alert.active,
      destinations: alert.destinations,
      event_guard: alert.guard,
      ...this.lastTriggered(alert),
      version: alert.version,
      snoozed_until: isoOrNull((alert.snoozedUntil ?? 0) > clock.now() ? alert.snoozedUntil : null),
      ...mannerOf(alert),
      muted_today: store.mutes(alert.id, market.date()),
      in_scan: engine.inScan(alert.id),
      problem: this.problemOf(alert),
      until_open: this.isUntilOpen(alert),
    };
  }

  /** Whether a scan has stocks only before the open. */
  readonly isUntilOpen = ({ userId, scan }: Pick<ScanAlert, 'userId' | 'scan'>): boolean => {
    if (scan.type === 'scanner') return scan.key === 'preMarket';
    return isUntilOpen(inScan(scan), this.deps.indicators.scansOf(userId));
  };

  list(userId: number): { scan_alerts: ScanAlertView[]; limit: number } {
    const { store, levelOf } = this.deps;
    return {
      scan_alerts: store.ofUser(userId).map((row) => this.view(toScanAlert(row))),
      limit: MAX_SCAN_ALERTS[levelOf(userId)],
    };
  }

  /** Null when there is no such alert of the user's. */
  get(userId: number, id: number): ScanAlert | null {
    const row = this.deps.store.own(userId, id);
    return row ? toScanAlert(row) : null;
  }

  /** @throws AppError 400 naming what is at fault, 429 */
  create(userId: number, sent: SentScanAlert): ScanAlert {
    this.countWrite(userId);
    return createScanAlert(this.deps, userId, sent);
  }

  /** @throws AppError 400 naming what is at fault, 404 when there is no such alert of the user's, 429 */
  change(userId: number, id: number, sent: SentScanAlert): ChangedScanAlert {
    this.countWrite(userId);
    return changeScanAlert(this.deps, userId, id, sent);
  }

  /** @throws AppError 404, 429 */
  remove(userId: number, id: number): void {
    this.countWrite(userId);
    const { store, engine, indicators, changed } = this.deps;
    if (!store.remove(userId, id)) throw missing();
    engine.remove(id);
    indicators.alertsChanged([userId]);
    changed(userId, id);
  }

  /**
   * Has a stock told no more in this session, or told again.
   * @throws AppError 400 for a symbol that is not listed, 404, 429
   */
  mute(userId: number, id: number, typed: string, isMuted: boolean): ScanAlert {
    this.countWrite(userId);
    const { store, market, engine, changed } = this.deps;
    const row = this.own(userId, id);
    const symbol = normaliseSymbol(typed);
    if (isMuted && !market.get(symbol)) {
      throw new AppError(400, { field: 'symbol', message: 'Choose a stock that is listed.' });
    }
    if (isMuted) store.mute(id, symbol, market.date());
    else store.unmute(id, symbol);
    engine.muted(id, store.mutes(id, market.date()));
    changed(userId, id);
    return toScanAlert(row);
  }

  /** Newest first. @throws AppError 404 */
  triggers(userId: number, id: number): ScanTriggerView[] {
    return this.deps.store.triggers(userId, this.own(userId, id).id, MAX_TRIGGERS).map(toTriggerView);
  }

  /** The newest triggers of all of a user's alerts behind a place, in no order. */
  listedTriggers(userId: number, behind: TriggerBound, limit: number): ListedTrigger[] {
    const found = this.deps.store.ownTriggers(userId, behind, limit);
    const ids = found.map(({ trigger }) => trigger.id);
    const sent = this.deps.sentOf('scan', ids);
    return found.map(({ trigger, name }) => toListedTrigger(trigger, name, sent.get(trigger.id) ?? []));
  }

  triggerById(userId: number, id: number): ScanTrigger | null {
    return this.deps.store.trigger(userId, id) ?? null;
  }

  /** To be called after a user changed, renamed or deleted a saved scan: the alerts on it go on with it as it is now. */
  readonly scanChanged = (userId: number, scanId: number): void => {
    const { store, indicators } = this.deps;
    const scan = indicators.scansOf(userId)(scanId);
    for (const row of store.ofUser(userId)) {
      if (row.scan.type !== 'scan' || row.scan.id !== scanId) continue;
      const name = scan?.name ?? row.scan.name;
      const isSame = name === row.scan.name;
      const renamed = isSame ? row : store.update(userId, row.id, { scan: { ...row.scan, name } });
      takeUp(this.deps, renamed ?? row);
    }
  };

  /** Those of a user that are on and of which a list, a saved scan or an indicator is gone. */
  readonly lostReferences = (userId: number): LostReference[] =>
    this.deps.store.ofUser(userId).flatMap((row) => {
      const problem = row.active ? this.lostOf(toScanAlert(row)) : null;
      if (problem === null) return [];
      const title = row.name ?? scanAlertTitle(row);
      return [{ id: -row.id, title, problem, destinations: destinationsOf(row) }];
    });

  /** To be called after a user's lists were added, renamed or deleted: alerts that filter by one go on with it as it is. */
  readonly listsChanged = (userId: number): void => {
    const { store, listsOf } = this.deps;
    const own = listsOf(userId);
    for (const row of store.ofUser(userId)) {
      const lists = row.scan.filters?.lists;
      if (lists === undefined || lists === 'all') continue;
      // Kept, so that a deleted list is called what it was called last.
      const named = lists.map((list) => own.find(({ id }) => id === list.id) ?? list);
      const filters = { ...row.scan.filters, minValue: row.scan.filters?.minValue ?? 0 };
      const isSame = Bun.deepEquals(named, lists);
      const scan = { ...row.scan, filters: { ...filters, lists: named } };
      if (!isSame) takeUp(this.deps, store.update(userId, row.id, { scan }) ?? row);
      else if (goneListsProblem(row.scan, own) !== null) takeUp(this.deps, row);
    }
  };

  /** A user's account is about to be deleted, with all alerts. @returns what is to be done after that */
  readonly leaving = (userId: number): (() => void) => {
    const ids = this.deps.store.ofUser(userId).map(({ id }) => id);
    return () => ids.forEach((id) => this.deps.engine.remove(id));
  };

  /** What a transfer file has of them. */
  get transfer(): TransferKind {
    return scanAlertsKind(this.deps);
  }

  private own(userId: number, id: number): ScanAlertRow {
    const row = this.deps.store.own(userId, id);
    if (!row) throw missing();
    return row;
  }

  private lastTriggered({ id, lastTriggeredAt }: ScanAlert) {
    const last = this.deps.store.lastTriggered(id);
    return {
      last_triggered_at: isoOrNull(last?.at ?? lastTriggeredAt),
      last_triggered_market_time: isoOrNull(last?.marketAt ?? null),
    };
  }

  /** Why an alert can't follow its scan, or waits for values that it reads. */
  private problemOf(alert: ScanAlert): string | null {
    const { userId, scan, active } = alert;
    const problem = this.lostOf(alert);
    if (problem !== null || !active || scan.type !== 'scan') return problem;
    return this.deps.indicators.alertShortage(userId, { logic: inScan(scan) });
  }

  /** Why an alert can't follow its scan, or not all of it. */
  private lostOf({ userId, scan, event }: ScanAlert): string | null {
    const { indicators, listsOf } = this.deps;
    const problem = scanProblem(scan, event, indicators.scansOf(userId));
    return problem ?? (scan.filters?.lists ? goneListsProblem(scan, listsOf(userId)) : null);
  }
}
