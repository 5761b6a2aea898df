import type { App } from '#platform/app.ts';
import type { Wire } from '#lib/contract/fields.ts';
import { AppError } from '#platform/http/errors.ts';
import { createUserLimit, createWriteLimit } from '#platform/http/requestLimits.ts';
import type { attentionAnswer } from '#subjects/alerts/answers/attention.ts';
import { type Alert, NOWHERE } from '#subjects/alerts/rules/alert.ts';
import { payloadKey } from '#subjects/alerts/rules/alertDraft.ts';
import {
  type AlertKind,
  type Attention,
  type CheckedAlert,
  knownDays,
  needsAttention,
  noiseDays,
  type StockPresence,
} from '#subjects/alerts/rules/attention.ts';
import { startOf, STOCK_OPTIONS, valuesOf } from '#subjects/alerts/answers/options.ts';
import { scanAlertTitle, scanKey } from '#subjects/alerts/rules/scanAlerts/scanAlertText.ts';
import type { ScanAlertView } from '#subjects/alerts/rules/scanAlerts/scanAlert.ts';
import type { TransferPreference } from '#subjects/transfer/rules/kind.ts';
import type { AttentionStore } from './store.ts';

const MAX_READS_A_MINUTE = 60;
const MAX_WRITES_A_MINUTE = 120;
const DISMISSED_MS = 90 * 24 * 3_600_000;

const checkedAlert = (alert: Alert): CheckedAlert => ({
  of: 'alert',
  id: alert.id,
  called: [alert.symbol, alert.name].filter((part) => part !== null).join(' '),
  symbol: alert.symbol,
  repeats: alert.persistent,
  cooldownMinutes: alert.cooldownMinutes,
  destinations: alert.destinations,
  behaviour: `${alert.symbol} ${payloadKey({
    ...valuesOf(STOCK_OPTIONS, {
      ...startOf(STOCK_OPTIONS),
      persistent: alert.persistent,
      expiresAt: alert.expiresAt,
      guard: alert.guard,
    }),
    logic_json: alert.logic,
    destinations: NOWHERE,
  })}`,
});

const checkedScanAlert = (alert: ScanAlertView): CheckedAlert => ({
  of: 'scan',
  id: alert.id,
  called: alert.name ?? scanAlertTitle(alert),
  symbol: null,
  repeats: true,
  cooldownMinutes: alert.cooldown_minutes,
  destinations: alert.destinations,
  behaviour: JSON.stringify([
    scanKey(alert.scan),
    alert.scan.filters ?? null,
    alert.event,
    alert.scope,
    alert.event_guard,
  ]),
});

export class AlertAttention {
  private readonly countCheck: (userId: number) => void;
  private readonly countWrite: (userId: number) => void;

  constructor(
    private readonly app: App,
    private readonly store: AttentionStore,
    private readonly presenceOf: (symbol: string) => StockPresence | null,
  ) {
    this.countCheck = createUserLimit(
      app.clock,
      MAX_READS_A_MINUTE,
      'Too many requests for alerts that need attention.',
    );
    this.countWrite = createWriteLimit(app.clock, MAX_WRITES_A_MINUTE, 'alerts that need attention');
  }

  read(userId: number): Wire<typeof attentionAnswer> {
    this.countCheck(userId);
    return {
      reasons: this.reasons(userId),
      weekly: this.store.wantsWeekly(userId),
      hasPlace: this.app.chatsOf(userId).length > 0,
    };
  }

  reasons(userId: number): Attention[] {
    const { presenceOf, store } = this;
    const { alerts, clock, placesOf } = this.app;
    const now = clock.now();
    return needsAttention(
      {
        alerts: [
          ...alerts
            .list(userId)
            .filter(({ active }) => active)
            .map(checkedAlert),
          ...alerts.scanAlerts
            .list(userId)
            .scan_alerts.filter(({ active }) => active)
            .map(checkedScanAlert),
        ],
        daysOf: this.daysOf(userId, now),
        presenceOf,
        places: placesOf(userId),
        dismissed: store.dismissed(userId, now),
      },
      now,
    );
  }

  /** Dismisses reasons for 90 days, or shows them again. @throws AppError 429 */
  dismiss(userId: number, keys: readonly string[], isDismissed: boolean): void {
    this.countWrite(userId);
    const {
      app: { clock },
      store,
    } = this;
    if (!isDismissed) return store.showAgain(userId, keys);
    const own = this.reasons(userId).filter(({ key }) => keys.includes(key));
    store.dismiss(
      userId,
      own.map(({ key }) => key),
      clock.now() + DISMISSED_MS,
    );
  }

  /** Switches the weekly message on or off. @throws AppError 429 */
  setWeekly(userId: number, weekly: boolean): void {
    this.countWrite(userId);
    this.store.setWeekly(userId, weekly);
  }

  readonly transferPreference: TransferPreference = {
    exportValue: (userId) => this.store.wantsWeekly(userId) || undefined,
    put: (userId, value) => {
      if (typeof value !== 'boolean') {
        throw new AppError(400, '`weekly` must be true or false.');
      }
      if (this.store.wantsWeekly(userId) === value) return false;
      this.store.setWeekly(userId, value);
      return true;
    },
  };

  private daysOf(userId: number, now: number) {
    const { store } = this;
    const days = noiseDays(now);
    const read = (of: AlertKind) => ({
      fired: Map.groupBy(store.fired(userId, of, days), ({ id }) => id),
      kept: new Map(store.kept(userId, of).map((row) => [row.id, row])),
    });
    const known = { alert: read('alert'), scan: read('scan') };
    return ({ of, id }: CheckedAlert) => {
      const fired = new Map(known[of].fired.get(id)?.map((row) => [row.date, row.fired]));
      return knownDays(days, fired, known[of].kept.get(id) ?? null, now);
    };
  }
}
