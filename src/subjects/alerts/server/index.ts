import { alertsKind } from './transfer.ts';
import { scanAlertsKind } from './scanAlerts/transfer.ts';
import { createInTurns } from '#lib/turns.ts';
import type { App, Part } from '#platform/app.ts';
import { AfterTriggers, createDeliveryWatch } from './afterTriggers.ts';
import { AlertEngine } from './engine/engine.ts';
import { Backtests } from './backtest/service.ts';
import { alertRoutes, scanAlertRoutes, triggerRoutes } from './routes.ts';
import { ScanEngine } from './scanAlerts/engine/engine.ts';
import type { Written } from './scanAlerts/engine/types.ts';
import { ScanAlerts } from './scanAlerts/service.ts';
import { Alerts } from './service.ts';
import { createPruning } from './store.ts';
import { AlertStream, streamRoutes, toScanEvent } from './stream.ts';
import { demoAlerts, demoWatchlist } from '../rules/demo.ts';
import { livePrice } from '#market/rules/stockState.ts';
import { formatTime } from '#texts/format.ts';
import { serve } from '#platform/http/routes.ts';
import { AppError } from '#platform/http/errors.ts';
import { createCallerLimit } from '#platform/http/requestLimits.ts';
import { DEVICES } from '#subjects/devices/contract.ts';
import type { NotificationAction } from '#platform/push/rules/notification.ts';
import { quietUntil } from '#subjects/devices/rules/device.ts';

/** Hundreds of alerts may fire in one tick at the open, which must not wait for all windows. */
const MAX_NOTIFIED_AT_ONCE = 100;

class AlertServices {
  readonly stream: AlertStream;
  readonly after: AfterTriggers;
  readonly engine: AlertEngine;
  readonly scanEngine: ScanEngine;
  readonly deliveries: ReturnType<typeof createDeliveryWatch>;
  readonly alerts: Alerts;
  readonly scanAlerts: ScanAlerts;
  readonly backtests: Backtests;
  readonly notifications;

  constructor(private readonly app: App) {
    this.stream = new AlertStream(app);
    this.after = new AfterTriggers(app, this.stream, (userIds) => this.engine.applyDeferred(userIds));
    this.notifications = createInTurns<Written>({
      each: ({ trigger, alert, stock }) =>
        this.stream.notifier.scanAlertTriggered(alert.userId, toScanEvent(app, trigger, alert, stock)),
      atOnce: MAX_NOTIFIED_AT_ONCE,
      failure: 'Could not send triggers of scan alerts to open windows',
      later: (run) => void app.schedule(0, run),
      log: app.log.child('scanAlerts'),
    });
    this.engine = new AlertEngine(app, {
      stopped: (alerts) => this.after.stopped(alerts),
      arming: ({ userId, id, symbol }) => this.stream.changed(userId, id, symbol),
    });
    this.scanEngine = new ScanEngine(app, this.notifications.add);
    this.alerts = new Alerts(app, this.engine, this.stream);
    this.scanAlerts = new ScanAlerts(app, this.scanEngine, this.stream.notifier);
    this.deliveries = createDeliveryWatch(app, this.stream);
    this.backtests = new Backtests(app, this.engine);
  }

  counts() {
    return { ...this.engine.counts(), streams: this.stream.stats().clients };
  }

  start(): void {
    this.stream.begin();
    const withLess = this.engine.resume();
    if (withLess.length > 0) this.app.indicators.alertsChanged([...new Set(withLess)]);
    this.scanEngine.resume();
  }

  /** Writes pending changes and ends all streams. Clients resume with the next run. */
  stop(): void {
    try {
      this.engine.flush();
      this.scanEngine.flush();
    } finally {
      this.after.stop();
      this.notifications.clear();
      this.stream.close();
    }
  }

  follow(): void {
    const { alerts, scanAlerts, scanEngine, stream } = this;
    const { indicators, watchlist } = this.app;
    this.engine.listen((triggers) => this.after.triggered(triggers));
    this.engine.listen(this.deliveries.add);
    watchlist.listen({
      removing: alerts.removeOfSymbol,
      changed(userId, symbol) {
        stream.changed(userId, null, symbol);
        scanEngine.listChanged(userId);
        // An empty symbol means that a list was added, renamed or deleted.
        if (symbol !== '') return;
        indicators.listsChanged(userId);
        scanAlerts.listsChanged(userId);
      },
    });
    this.app.announcements.listen(scanEngine.news);
    indicators.listenToScans(alerts.scanChanged);
    indicators.listenToScans(scanAlerts.scanChanged);
  }
}

export function createAlerts(app: App) {
  const services = new AlertServices(app);
  const { stream, after, engine, scanEngine, alerts, scanAlerts, deliveries, backtests } = services;
  services.follow();
  return {
    name: 'alerts',
    service: Object.assign(alerts, {
      counts: () => services.counts(),
      transfer: alertsKind(alerts, app),
      scanAlerts: Object.assign(scanAlerts, {
        transfer: scanAlertsKind(scanAlerts, app, (own) => new ScanAlerts(own, scanEngine, stream.notifier)),
      }),
      notifier: stream.notifier,
      openingElsewhere: stream.openingElsewhere,
      openStreams: stream.openStreams,
    }),
    routes: () => [
      ...alertRoutes(alerts, backtests),
      ...scanAlertRoutes(scanAlerts, backtests),
      ...triggerRoutes(alerts, scanAlerts),
      ...streamRoutes(stream, app.keepOpen),
    ],
    onChanges(changes) {
      try {
        engine.onChanges(changes);
        after.releaseUnread();
        deliveries.check();
      } finally {
        scanEngine.onChanges(changes);
      }
    },
    onJump() {
      engine.jump();
      scanEngine.jump();
    },
    start: () => services.start(),
    stop: () => services.stop(),
    prune: createPruning(app.db, () => app.clock.now(), app.market.date),
    ...inspections(services),
  } satisfies Part;
}

const inspections = (services: AlertServices) => ({
  inspect: () => ({
    label: 'Alerts',
    description: 'Alerts evaluated on each tick.',
    summary: services.counts(),
    data: () => ({ ...services.counts(), alerts: services.engine.held() }),
  }),
  alsoInspect: {
    alertStream: () => ({
      label: 'Alert stream',
      description: 'Open alert streams, and the amount of data sent.',
      summary: { ...services.stream.stats() },
      data: () => services.stream.stats(),
    }),
    scanAlerts: () => ({
      label: 'Scan alerts',
      description: 'Alerts on whole scans, and the number of scans they watch.',
      summary: services.scanEngine.counts(),
      data: () => ({ ...services.scanEngine.counts(), alerts: services.scanEngine.held() }),
    }),
  },
});

declare module '#platform/app.ts' {
  interface App {
    alerts: ReturnType<typeof createAlerts>['service'];
  }
}

/** Test mode: adds a watchlist of four symbols and two alerts for a demo user who has no list. */
export function createAlertsSeeder({ alerts, watchlist, market }: App) {
  return ({ id }: { id: number }): void => {
    if (watchlist.items(id).length > 0) return;
    const stocks = [...market.all().values()].flatMap((stock) => {
      const last = livePrice(stock);
      return last === null || stock.securityType !== 'stock' ? [] : [{ code: stock.code, last }];
    });
    const watched = demoWatchlist(stocks);
    for (const { code } of watched) watchlist.add(id, code);
    for (const { logic, ...alert } of demoAlerts(watched)) alerts.create(id, { ...alert, logic_json: logic });
  };
}

const MAX_A_MINUTE = 30;
const TOO_OLD = 'The buttons of this notification have expired. Open Bellbird instead.';
const GONE = 'This alert no longer exists.';

/**
 * Runs the action of a pressed button. @returns a sentence for the notification
 * @throws AppError 404 for an expired or invalid token, a removed device, or a deleted alert
 */
function act(
  { alerts, clock, devices, push }: App,
  { token, action }: { token: string; action: NotificationAction },
): string {
  const now = clock.now();
  const named = push.tokens.read(token, now);
  const userId = named && devices.ownerOf(named.deviceId);
  if (named === null || userId === null) throw new AppError(404, TOO_OLD);
  const { kind, alertId } = named;
  const until = quietUntil(action, now);
  const alert = kind === 'alert' ? alerts.get(userId, alertId) : alerts.scanAlerts.get(userId, alertId);
  if (!alert) throw new AppError(404, GONE);
  if (!alert.active) return 'This alert is switched off.';
  // If the alert is already snoozed for longer, that end stays.
  const end = Math.max(until, alert.snoozedUntil ?? 0);
  if (kind === 'alert') alerts.snooze(userId, alertId, end);
  else alerts.scanAlerts.change(userId, alertId, { snoozed_until: new Date(end).toISOString() });
  return action === 'today' ? 'Off until the next trading day.' : `Snoozed until ${formatTime(end)} Sydney.`;
}

/** Runs the buttons of notifications, authenticated by their token. */
export function createNotificationActions(app: App) {
  const limit = createCallerLimit(app, MAX_A_MINUTE, 'Too many button presses.');
  return {
    name: 'noticeActions',
    routes: () =>
      serve(DEVICES, {
        'POST /api/devices/act': ({ body, request }) => {
          limit(null, request);
          return { text: act(app, body) };
        },
      }),
  } satisfies Part;
}
