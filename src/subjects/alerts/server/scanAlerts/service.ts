import { PLAN_LIMITS } from '#platform/http/rules/accessLevel.ts';
import { type SentTo, worstOf } from '#platform/outbox/rules/delivery.ts';
import type { ListedTrigger, TriggerBound } from '#subjects/alerts/rules/trigger.ts';
import { eventFilterText } from '#subjects/alerts/rules/eventFilter.ts';
import { isUntilOpen } from '#subjects/alerts/rules/alertState.ts';
import { inScan } from '#subjects/conditions/rules/savedScan.ts';
import {
  type ScanAlert,
  type ScanAlertView,
  type ScanTrigger,
  type ScanTriggerView,
} from '#subjects/alerts/rules/scanAlerts/scanAlert.ts';
import { type ScanEvent, SCAN_OPTIONS, valuesOf } from '#subjects/alerts/answers/options.ts';
import { asSingle } from '#subjects/alerts/rules/scanAlerts/watchedNews.ts';
import { scanAlertTitle } from '#subjects/alerts/rules/scanAlerts/scanAlertText.ts';
import {
  checkWatchedScan,
  goneListsProblem,
  scanProblem,
} from '#subjects/alerts/rules/scanAlerts/scanAlertRules.ts';
import { normaliseSymbol } from '#market/rules/liveSymbols.ts';
import { accepted, AppError } from '#platform/http/errors.ts';
import type { App } from '#platform/app.ts';
import type { scanAlerts } from '#src/tables/alertSchema.ts';
import { isoOrNull, OwnAlerts, type SentAlert } from '../ownAlerts.ts';
import { alertOf } from '../ownRows.ts';
import { type ScanAlertRow, ScanAlertStore } from '../store.ts';
import type { ScanEngine } from './engine/engine.ts';

const MAX_TRIGGERS = 50;

const iso = (time: number): string => new Date(time).toISOString();

const toTriggerView = (stored: ScanTrigger): ScanTriggerView => viewOf(asSingle(stored));

const viewOf = (trigger: ScanTrigger): ScanTriggerView => ({
  id: trigger.id,
  symbol: trigger.symbol,
  symbols: [...trigger.symbols],
  announcements: (trigger.announcements ?? []).map(({ code, headline, isPriceSensitive, url }) => ({
    code,
    headline,
    isPriceSensitive,
    url,
  })),
  event: trigger.event,
  scan: trigger.scanLabel,
  timestamp: iso(trigger.triggeredAt),
  marketTime: iso(trigger.marketAt),
  seen: [...trigger.seen],
  quoteTime: isoOrNull(trigger.quoteAt),
  source: trigger.source,
  delayMinutes: trigger.delayMinutes,
  silent: trigger.silent,
  guard: trigger.guard && eventFilterText(trigger.guard),
});

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

/** A plan limits active alerts; this many times as many may be stored. */
export const KEPT_FOR_EACH = 2;

export type SentScanAlert = SentAlert<typeof SCAN_OPTIONS> & { scan?: unknown };

export class ScanAlerts extends OwnAlerts<typeof scanAlerts, typeof SCAN_OPTIONS, SentScanAlert> {
  declare readonly store: ScanAlertStore;

  constructor(
    app: App,
    protected readonly engine: ScanEngine,
    private readonly stream: { scanAlertChanged(userId: number, id: number): void },
  ) {
    super(app, new ScanAlertStore(app.db), SCAN_OPTIONS, {
      own: 'your scan alerts',
      gone: 'That scan alert no longer exists. Reload the list.',
    });
  }

  protected override watched(
    sent: SentScanAlert,
    userId: number,
    before: ScanAlertRow | null,
    active: boolean,
  ) {
    const isSameScan = sent.scan === undefined || Bun.deepEquals(sent.scan, before?.scan);
    const kept = before?.event ?? SCAN_OPTIONS.event.start;
    const event: ScanEvent =
      sent.event === undefined ? kept : accepted(SCAN_OPTIONS.event.check(sent.event, 0));
    // Unchanged conditions are not checked again: an alert whose scan is deleted can be renamed and switched off.
    if (before && isSameScan && event === before.event && !(active && !before.active)) return {};
    const scansOf = this.app.indicators.scansOf(userId);
    const lists = this.app.watchlist.listsOf(userId);
    return { scan: accepted(checkWatchedScan(sent.scan ?? before?.scan, event, scansOf, lists)) };
  }

  /** @throws AppError 400 */
  protected override refuseTooMuch(
    userId: number,
    before: ScanAlertRow | null,
    { active }: Partial<ScanAlertRow>,
  ): void {
    const limit = this.limitOf(userId);
    const most = limit * KEPT_FOR_EACH;
    if (!before && this.store.count(userId) >= most) {
      const message = `You already have ${most} alerts on whole scans. Delete one before you add another.`;
      throw new AppError(400, message);
    }
    if (!active || before?.active) return;
    const used = this.store.activeCount(userId, before?.id ?? null);
    if (used < limit) return;
    const more = limit < PLAN_LIMITS[3].scanAlerts ? ' A higher plan has more.' : '';
    throw new AppError(
      400,
      `Your plan has ${limit} alerts on whole scans, and you use ${used}. Delete one or switch it off first.${more}`,
    );
  }

  protected override notify({ userId, id }: ScanAlertRow): void {
    this.stream.scanAlertChanged(userId, id);
  }

  private limitOf(userId: number): number {
    return PLAN_LIMITS[this.app.accounts.stateOf(userId)?.accessLevel ?? 1].scanAlerts;
  }

  view(alert: ScanAlert): ScanAlertView {
    const { store, engine } = this;
    return {
      id: alert.id,
      scan: alert.scan,
      ...valuesOf(SCAN_OPTIONS, alert),
      active: alert.active,
      destinations: alert.destinations,
      ...this.lastTriggered(alert),
      version: alert.version,
      snoozed_until: isoOrNull((alert.snoozedUntil ?? 0) > this.app.clock.now() ? alert.snoozedUntil : null),
      muted_today: store.mutes(alert.id, this.app.market.date()),
      in_scan: engine.inScan(alert.id),
      problem: this.problemOf(alert),
      until_open: this.isUntilOpen(alert),
    };
  }

  /** Whether a scan has stocks only before the open. */
  readonly isUntilOpen = ({ userId, scan }: Pick<ScanAlert, 'userId' | 'scan'>): boolean => {
    if (scan.type !== 'scan') return scan.type === 'scanner' && scan.key === 'preMarket';
    return isUntilOpen(inScan(scan), this.app.indicators.scansOf(userId));
  };

  list(userId: number): { scan_alerts: ScanAlertView[]; limit: number } {
    return {
      scan_alerts: this.store.ofUser(userId).map((row) => this.view(alertOf(row))),
      limit: this.limitOf(userId),
    };
  }

  /** Mutes a stock in this session, or ends that. @throws AppError 400 for an unlisted symbol, 404, 429 */
  mute(userId: number, id: number, typed: string, isMuted: boolean): ScanAlert {
    this.beginWrite(userId);
    const { store, engine } = this;
    const { market } = this.app;
    const row = this.own(userId, id);
    const symbol = normaliseSymbol(typed);
    if (isMuted && !market.get(symbol)) {
      throw new AppError(400, { field: 'symbol', message: 'Choose a listed stock.' });
    }
    if (isMuted) store.mute(id, symbol, market.date());
    else store.unmute(id, symbol);
    engine.muted(id, store.mutes(id, market.date()));
    this.notify(row);
    return alertOf(row);
  }

  /** An alert's triggers, newest first. @throws AppError 404 */
  triggers(userId: number, id: number): ScanTriggerView[] {
    return this.store.triggers(this.own(userId, id), MAX_TRIGGERS).map(toTriggerView);
  }

  /** Newest triggers of all of a user's alerts after a position, unsorted. */
  listedTriggers(userId: number, behind: TriggerBound, limit: number): ListedTrigger[] {
    const found = this.store.ownTriggers(userId, behind, limit);
    const ids = found.map(({ trigger }) => trigger.id);
    const sent = this.app.outbox.sentOf('scan', ids);
    return found.map(({ trigger, name }) => toListedTrigger(trigger, name, sent.get(trigger.id) ?? []));
  }

  triggerById(userId: number, id: number): ScanTrigger | null {
    return this.store.trigger(userId, id) ?? null;
  }

  /** Updates the alerts of a saved scan; call it after the scan was changed, renamed or deleted. */
  readonly scanChanged = (userId: number, scanId: number): void => {
    const { store } = this;
    const scan = this.app.indicators.scansOf(userId)(scanId);
    for (const row of store.ofUser(userId)) {
      if (row.scan.type !== 'scan' || row.scan.id !== scanId) continue;
      const name = scan?.name ?? row.scan.name;
      const isSame = name === row.scan.name;
      const renamed = isSame ? row : store.update(userId, row.id, { scan: { ...row.scan, name } });
      this.activate(renamed ?? row);
    }
  };

  protected override titled(row: ScanAlertRow) {
    return { id: -row.id, title: row.name ?? scanAlertTitle(row) };
  }

  /** Updates alerts that filter by lists; call it after lists were added, renamed or deleted. */
  readonly listsChanged = (userId: number): void => {
    const { store } = this;
    const own = this.app.watchlist.listsOf(userId);
    for (const row of store.ofUser(userId)) {
      const lists = row.scan.filters?.lists;
      if (lists === undefined || lists === 'all') continue;
      // The names are stored, so that a deleted list keeps its last name.
      const named = lists.map((list) => own.find(({ id }) => id === list.id) ?? list);
      const filters = { ...row.scan.filters, minValue: row.scan.filters?.minValue ?? 0 };
      const isSame = Bun.deepEquals(named, lists);
      const scan = { ...row.scan, filters: { ...filters, lists: named } };
      if (!isSame) this.activate(store.update(userId, row.id, { scan }) ?? row);
      else if (goneListsProblem(row.scan, own) !== null) this.activate(row);
    }
  };

  private lastTriggered({ id, lastTriggeredAt }: ScanAlert) {
    const last = this.store.lastTriggered(id);
    return {
      last_triggered_at: isoOrNull(last?.at ?? lastTriggeredAt),
      last_triggered_market_time: isoOrNull(last?.marketAt ?? null),
    };
  }

  protected override problemOf({ userId, scan, event, active }: ScanAlert): string | null {
    const { indicators, watchlist } = this.app;
    const problem =
      scanProblem(scan, event, indicators.scansOf(userId)) ??
      (scan.filters?.lists ? goneListsProblem(scan, watchlist.listsOf(userId)) : null);
    if (problem !== null || !active || scan.type !== 'scan') return problem;
    return indicators.alertShortage(userId, { logic: inScan(scan) });
  }
}
