import { type SentTo, worstOf } from '../../rules/alertView.ts';
import type { ListedTrigger, TriggerBound } from '../../rules/triggerList.ts';
import { inScan } from '../../../conditions/rules/savedScan.ts';
import { MAX_SCAN_ALERTS, type ScanAlert } from '../../rules/scanAlerts/scanAlert.ts';
import { scanProblem } from '../../rules/scanAlerts/scanAlertRules.ts';
import type { ScanAlertView, ScanTrigger, ScanTriggerView } from '../../rules/scanAlerts/scanTrigger.ts';
import { normaliseSymbol } from '../../../../market/rules/liveSymbols.ts';
import { AppError } from '../../../../platform/http/errors.ts';
import { createWriteLimit } from '../../../../platform/http/requestLimits.ts';
import {
  type ChangedScanAlert,
  changeScanAlert,
  createScanAlert,
  missing,
  type SentScanAlert,
  takeUp,
} from './change.ts';
import type { ScanAlertsDeps } from './deps.ts';
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
export function createScanAlertsService(deps: ScanAlertsDeps) {
  const { store, clock, market, engine, indicators } = deps;
  const countWrite = createWriteLimit(clock, MAX_WRITES_A_MINUTE, 'your scan alerts');

  function lastTriggered({ id, lastTriggeredAt }: ScanAlert) {
    const last = store.lastTriggered(id);
    return {
      last_triggered_at: isoOrNull(last?.at ?? lastTriggeredAt),
      last_triggered_market_time: isoOrNull(last?.marketAt ?? null),
    };
  }
  /** Why an alert can't follow its scan, or waits for values that it reads. */
  const problemOf = ({ userId, scan, event, active }: ScanAlert): string | null =>
    scanProblem(scan, event, indicators.scansOf(userId)) ??
    (active && scan.type === 'scan' ? indicators.alertShortage(userId, { logic: inScan(scan) }) : null);

  const view = (alert: ScanAlert): ScanAlertView => ({
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
    ...lastTriggered(alert),
    version: alert.version,
    snoozed_until: isoOrNull((alert.snoozedUntil ?? 0) > clock.now() ? alert.snoozedUntil : null),
    muted_today: store.mutes(alert.id, market.date()),
    in_scan: engine.inScan(alert.id),
    problem: problemOf(alert),
  });
  const own = (userId: number, id: number): ScanAlertRow => {
    const row = store.own(userId, id);
    if (!row) throw missing();
    return row;
  };
  function counted<T>(userId: number, work: () => T): T {
    countWrite(userId);
    return work();
  }
  const change = (userId: number, id: number, sent: SentScanAlert): ChangedScanAlert =>
    counted(userId, () => changeScanAlert(deps, userId, id, sent));

  return {
    view,
    list: (userId: number) => ({
      scan_alerts: store.ofUser(userId).map((row) => view(toScanAlert(row))),
      limit: MAX_SCAN_ALERTS[deps.levelOf(userId)],
    }),
    /** Null when there is no such alert of the user's. */
    get(userId: number, id: number): ScanAlert | null {
      const row = store.own(userId, id);
      return row ? toScanAlert(row) : null;
    },
    /** @throws AppError 400 naming what is at fault, 429 */
    create: (userId: number, sent: SentScanAlert): ScanAlert =>
      counted(userId, () => createScanAlert(deps, userId, sent)),
    /** @throws AppError 400 naming what is at fault, 404 when there is no such alert of the user's, 429 */
    change,
    /** @throws AppError 404, 429 */
    remove: (userId: number, id: number): void =>
      counted(userId, () => {
        if (!store.remove(userId, id)) throw missing();
        engine.remove(id);
        indicators.alertsChanged([userId]);
        deps.changed(userId, id);
      }),
    /**
     * Has a stock told no more in this session, or told again.
     * @throws AppError 400 for a symbol that is not listed, 404, 429
     */
    mute: (userId: number, id: number, typed: string, isMuted: boolean): ScanAlert =>
      counted(userId, () => {
        const row = own(userId, id);
        const symbol = normaliseSymbol(typed);
        if (isMuted && !market.get(symbol)) {
          throw new AppError(400, { field: 'symbol', message: 'Choose a stock that is listed.' });
        }
        if (isMuted) store.mute(id, symbol, market.date());
        else store.unmute(id, symbol);
        engine.muted(id, store.mutes(id, market.date()));
        deps.changed(userId, id);
        return toScanAlert(row);
      }),

    /** Newest first. @throws AppError 404 */
    triggers: (userId: number, id: number): ScanTriggerView[] =>
      store.triggers(userId, own(userId, id).id, MAX_TRIGGERS).map(toTriggerView),
    /** The newest triggers of all of a user's alerts behind a place, in no order. */
    listedTriggers(userId: number, behind: TriggerBound, limit: number): ListedTrigger[] {
      const found = store.ownTriggers(userId, behind, limit);
      const sent = deps.sentOf(
        'scan',
        found.map(({ trigger }) => trigger.id),
      );
      return found.map(({ trigger, name }) => toListedTrigger(trigger, name, sent.get(trigger.id) ?? []));
    },
    triggerById: (userId: number, id: number): ScanTrigger | null => store.trigger(userId, id) ?? null,

    /** To be called after a user changed, renamed or deleted a saved scan: the alerts on it go on with it as it is now. */
    scanChanged(userId: number, scanId: number): void {
      const scan = indicators.scansOf(userId)(scanId);
      for (const row of store.ofUser(userId)) {
        if (row.scan.type !== 'scan' || row.scan.id !== scanId) continue;
        const name = scan?.name ?? row.scan.name;
        const renamed =
          name === row.scan.name ? row : store.update(userId, row.id, { scan: { ...row.scan, name } });
        takeUp(deps, renamed ?? row);
      }
    },

    /** A user's account is about to be deleted, with all alerts. @returns what is to be done after that */
    leaving(userId: number): () => void {
      const ids = store.ofUser(userId).map(({ id }) => id);
      return () => ids.forEach((id) => engine.remove(id));
    },
  };
}

export type ScanAlerts = ReturnType<typeof createScanAlertsService>;
