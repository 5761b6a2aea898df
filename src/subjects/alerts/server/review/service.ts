import type { Wire } from '#lib/contract/fields.ts';
import type { SystemClock } from '#lib/clock.ts';
import { AppError } from '#platform/http/errors.ts';
import { createUserLimit, createWriteLimit } from '#platform/http/requestLimits.ts';
import type { Alerts } from '../service.ts';
import type { ScanAlerts } from '../scanAlerts/service.ts';
import { type Alert, type Destinations, NOWHERE } from '#subjects/alerts/rules/alert.ts';
import { payloadKey } from '#subjects/alerts/rules/alertDraft.ts';
import { PLAIN_MANNER } from '#subjects/alerts/rules/manner.ts';
import { scanAlertTitle } from '#subjects/alerts/rules/scanAlerts/scanAlertText.ts';
import type { ScanAlertView } from '#subjects/alerts/rules/scanAlerts/scanTrigger.ts';
import type { pressedAnswer, reviewAnswer } from '#subjects/alerts/answers/review.ts';
import { knownDays, noiseDays } from '#subjects/alerts/rules/review/dayCounts.ts';
import {
  type AlertKind,
  type Finding,
  type FoundAlert,
  type ReviewPress,
  KEPT_MS,
} from '#subjects/alerts/rules/review/finding.ts';
import type { Places } from '#subjects/alerts/rules/review/brokenPlaces.ts';
import { overviewOf } from '#subjects/alerts/rules/review/overview.ts';
import {
  joinedDestinations,
  reviewAlerts,
  type ReviewedAlert,
  type StockPresence,
} from '#subjects/alerts/rules/review/review.ts';
import type { TransferPreference } from '#subjects/transfer/rules/kind.ts';
import type { ReviewStore } from './store.ts';

export type AlertReviewDeps = {
  store: ReviewStore;
  clock: SystemClock;
  alerts: Pick<Alerts, 'list' | 'get' | 'change' | 'remove' | 'isUntilOpen'>;
  scanAlerts: Pick<ScanAlerts, 'list' | 'get' | 'change' | 'remove'>;
  presenceOf(symbol: string): StockPresence | null;
  /** The chats and devices of a user, working or not. */
  placesOf(userId: number): Places;
  /** Whether a user has a chat or a device that messages can be delivered to. */
  hasPlace(userId: number): boolean;
  /** @param now epoch ms */
  hasSeenMost(now: number): boolean;
};

type ReviewView = Wire<typeof reviewAnswer>;
type PressedView = Wire<typeof pressedAnswer>;
type AgeOf = Pick<ReviewedAlert, 'createdAt' | 'changedAt'>;

const MAX_LOOKS_A_MINUTE = 60;
const MAX_PRESSES_A_MINUTE = 30;

const reviewedAlert = (alert: Alert, age: AgeOf, isUntilOpen: boolean): ReviewedAlert => ({
  of: 'alert',
  id: alert.id,
  called: [alert.symbol, alert.name].filter((part) => part !== null).join(' '),
  symbol: alert.symbol,
  repeats: alert.persistent,
  ...age,
  lastFiredAt: alert.lastTriggeredAt,
  cooldownMinutes: alert.cooldownMinutes,
  destinations: alert.destinations,
  isUntilOpen,
  says: `${alert.symbol} ${payloadKey({
    name: null,
    note: null,
    persistent: alert.persistent,
    logic_json: alert.logic,
    destinations: NOWHERE,
    cooldown_minutes: 1,
    ...PLAIN_MANNER,
    expires_at: alert.expiresAt === null ? null : new Date(alert.expiresAt).toISOString(),
    event_guard: alert.guard,
  })}`,
});

const reviewedScan = (alert: ScanAlertView, age: AgeOf): ReviewedAlert => ({
  of: 'scan',
  id: alert.id,
  called: alert.name ?? scanAlertTitle(alert),
  symbol: null,
  repeats: true,
  ...age,
  lastFiredAt: alert.last_triggered_at === null ? null : Date.parse(alert.last_triggered_at),
  cooldownMinutes: alert.cooldown_minutes,
  destinations: alert.destinations,
  isUntilOpen: alert.until_open,
  says: JSON.stringify([
    alert.scan.type === 'scan' ? alert.scan.id : alert.scan.key,
    alert.scan.filters ?? null,
    alert.event,
    alert.scope,
    alert.event_guard,
  ]),
});

/** What is to be looked at among a person's alerts, and what is done with it. */
export class AlertReview {
  private readonly countLook: (userId: number) => void;
  private readonly countPress: (userId: number) => void;

  constructor(private readonly deps: AlertReviewDeps) {
    this.countLook = createUserLimit(deps.clock, MAX_LOOKS_A_MINUTE, 'Too many looks at your alerts.');
    this.countPress = createWriteLimit(deps.clock, MAX_PRESSES_A_MINUTE, 'the review of your alerts');
  }

  /** @throws AppError 429 */
  look(userId: number): ReviewView {
    this.countLook(userId);
    return this.view(userId);
  }

  findings(userId: number): Finding[] {
    return this.found(userId, this.activeAlerts(userId));
  }

  private found(userId: number, alerts: readonly ReviewedAlert[]): Finding[] {
    const { store, clock, presenceOf, placesOf, hasSeenMost } = this.deps;
    const now = clock.now();
    return reviewAlerts(
      {
        alerts,
        daysOf: this.daysOf(userId, now),
        presenceOf,
        places: placesOf(userId),
        hasSeenMost: hasSeenMost(now),
        kept: store.keptFindings(userId, now),
      },
      now,
    );
  }

  /**
   * Settles findings, each as far as it offers that. One that cannot be done keeps no other back.
   * @throws AppError 429
   */
  press(userId: number, keys: readonly string[], press: ReviewPress): PressedView {
    this.countPress(userId);
    const { store, clock } = this.deps;
    const byKey = new Map(this.findings(userId).map((one) => [one.key, one]));
    const wanted = [...new Set(keys)];
    const found = wanted.flatMap((key) => byKey.get(key) ?? []);
    const failed: PressedView['failed'] = [];
    if (press === 'keep')
      store.keep(
        userId,
        found.map(({ key }) => key),
        clock.now() + KEPT_MS,
      );
    else for (const one of found) failed.push(...this.settle(userId, one, press));
    return { done: wanted.length - failed.length, failed, review: this.view(userId) };
  }

  /** @throws AppError 429 */
  unkeep(userId: number, keys: readonly string[]): ReviewView {
    this.countPress(userId);
    this.deps.store.unkeep(userId, keys);
    return this.view(userId);
  }

  /** @throws AppError 429 */
  setWeekly(userId: number, weekly: boolean): ReviewView {
    this.countPress(userId);
    this.deps.store.setWeekly(userId, weekly);
    return this.view(userId);
  }

  /** What a transfer file says of the weekly review. */
  readonly transferPreference: TransferPreference = {
    give: (userId) => this.deps.store.wantsWeekly(userId) || undefined,
    put: (userId, value) => {
      if (typeof value !== 'boolean') {
        throw new AppError(400, 'The weekly review is wanted, true, or not, false.');
      }
      if (this.deps.store.wantsWeekly(userId) === value) return false;
      this.deps.store.setWeekly(userId, value);
      return true;
    },
  };

  private view(userId: number): ReviewView {
    const alerts = this.activeAlerts(userId);
    return {
      overview: overviewOf(alerts, this.deps.placesOf(userId)),
      findings: this.found(userId, alerts).map((one) => ({
        ...one,
        alerts: [...one.alerts],
        presses: [...one.presses, 'keep'],
      })),
      weekly: this.deps.store.wantsWeekly(userId),
      hasPlace: this.deps.hasPlace(userId),
    };
  }

  private activeAlerts(userId: number): ReviewedAlert[] {
    const { store, alerts, scanAlerts } = this.deps;
    const ages = store.ages(userId, 'alert');
    const scanAges = store.ages(userId, 'scan');
    const onStocks = alerts.list(userId).flatMap((alert) => {
      const age = ages.get(alert.id);
      return alert.active && age ? [reviewedAlert(alert, age, alerts.isUntilOpen(alert))] : [];
    });
    const onScans = scanAlerts.list(userId).scan_alerts.flatMap((alert) => {
      const age = scanAges.get(alert.id);
      return alert.active && age ? [reviewedScan(alert, age)] : [];
    });
    return [...onStocks, ...onScans];
  }

  private daysOf(userId: number, now: number) {
    const { store } = this.deps;
    const days = noiseDays(now);
    const read = (of: AlertKind) => ({
      fired: Map.groupBy(store.fired(userId, of, days), ({ id }) => id),
      kept: new Map(store.kept(userId, of).map((row) => [row.id, row])),
    });
    const known = { alert: read('alert'), scan: read('scan') };
    return ({ of, id }: ReviewedAlert) => {
      const fired = new Map(known[of].fired.get(id)?.map((row) => [row.date, row.fired]));
      return knownDays(days, fired, known[of].kept.get(id) ?? null, now);
    };
  }

  /** @returns why it could not be done; nothing when it was */
  private settle(
    userId: number,
    finding: Finding,
    press: Exclude<ReviewPress, 'keep'>,
  ): { called: string; reason: string }[] {
    const called = finding.alerts[0]?.called ?? '';
    if (!finding.presses.includes(press)) return [{ called, reason: 'That does not help here.' }];
    try {
      if (press === 'merge') this.merge(userId, finding.alerts);
      else for (const alert of finding.alerts) this.doWith(userId, alert, press, finding);
      return [];
    } catch (problem) {
      if (problem instanceof AppError) return [{ called, reason: problem.message }];
      throw problem;
    }
  }

  private doWith(
    userId: number,
    { of, id }: FoundAlert,
    press: 'pause' | 'delete' | 'cooldown',
    { cooldown }: Finding,
  ): void {
    const service = of === 'alert' ? this.deps.alerts : this.deps.scanAlerts;
    if (press === 'delete') service.remove(userId, id);
    else if (press === 'pause') service.change(userId, id, { active: false });
    else service.change(userId, id, { cooldown_minutes: cooldown?.to });
  }

  /** The first stays. It has all destinations before another goes, so that a fault in between loses no message. */
  private merge(userId: number, [stays, ...others]: readonly FoundAlert[]): void {
    if (stays === undefined) return;
    const { of } = stays;
    const all = [stays, ...others].flatMap(({ id }) => this.destinationsOf(userId, of, id) ?? []);
    const service = of === 'alert' ? this.deps.alerts : this.deps.scanAlerts;
    service.change(userId, stays.id, { destinations: joinedDestinations(all) });
    for (const { id } of others) service.remove(userId, id);
  }

  private destinationsOf(userId: number, of: AlertKind, id: number): Destinations | null {
    const { alerts, scanAlerts } = this.deps;
    const alert = of === 'scan' ? scanAlerts.get(userId, id) : alerts.get(userId, id);
    return alert?.destinations ?? null;
  }
}
