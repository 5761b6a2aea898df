import type { AccessLevel } from '#platform/http/rules/accessLevel.ts';
import { scanAlertMessage, scanTriggerText } from '#subjects/alerts/rules/scanAlerts/scanAlertMessage.ts';
import type { ScanAlert } from '#subjects/alerts/rules/scanAlerts/scanAlert.ts';
import type { RehearseScan } from '#subjects/alerts/rules/scanAlerts/scanRehearsal.ts';
import type {
  ScanAlertEvents,
  ScanAlertNotifier,
  ScanTrigger,
  ScanTriggerHistory,
} from '#subjects/alerts/rules/scanAlerts/scanTrigger.ts';
import type { Stock } from '#market/rules/stock.ts';
import { createInTurns } from '#lib/inTurns.ts';
import { type Scheduler, timerScheduler } from '#lib/scheduler.ts';
import type { Market } from '#market/types.ts';
import type { Core, Part, Pruned } from '#src/part.ts';
import type { Indicators } from '#subjects/indicators/server/service.ts';
import type { Watchlist } from '../watchlist/service.ts';
import type { ScanAlertsDeps } from './change.ts';
import { ScanEngine } from './engine/engine.ts';
import type { ScanEngineNeeds, Written } from './engine/types.ts';
import { ScanRehearsals } from './rehearsal.ts';
import { ScanAlerts } from './service.ts';
import { ScanAlertStore } from './store.ts';
import type { Clock } from '#lib/clock.ts';
import { serve } from '#platform/http/routes.ts';
import { SCAN_ALERTS } from '#subjects/alerts/contract.ts';

const CONFLICT = 'This alert was changed in another window or a chat meanwhile. Open it again.';

/** What a scan alert told, and would have told. */
const lookingRoutes = (alerts: ScanAlerts, rehearsals: ScanRehearsals) =>
  serve(SCAN_ALERTS, {
    'GET /api/scan-alerts/:id/triggers': ({ user, params }) => ({
      triggers: alerts.triggers(user.id, params.id),
    }),
    'POST /api/scan-alerts/:id/mutes': ({ user, params, body }) =>
      alerts.view(alerts.mute(user.id, params.id, body.symbol, body.muted)),
    'POST /api/scan-alerts/rehearse': ({ user, body, request }) =>
      rehearsals.rehearse(user.id, body, request.signal),
  });

/** Alerts on whole scans. */
const scanAlertRoutes = (alerts: ScanAlerts, rehearsals: ScanRehearsals) => [
  ...serve(SCAN_ALERTS, {
    'GET /api/scan-alerts': ({ user }) => alerts.list(user.id),
    'POST /api/scan-alerts': ({ user, body }) => alerts.view(alerts.create(user.id, body)),
    'PATCH /api/scan-alerts/:id': ({ user, params, body, status }) => {
      const { kind, alert } = alerts.change(user.id, params.id, body);
      const view = alerts.view(alert);
      return kind === 'conflict' ? status(409, { error: CONFLICT, scan_alert: view }) : view;
    },
    'DELETE /api/scan-alerts/:id': ({ user, params }) => {
      alerts.remove(user.id, params.id);
      return { success: true as const };
    },
  }),
  ...lookingRoutes(alerts, rehearsals),
];

const HOUR_MS = 60 * 60 * 1000;
/** As long as those of other alerts. */
const KEPT_MS = 30 * 24 * HOUR_MS;
/** Of an alert that tells all the time only the newest are kept that long. */
const KEPT_OF_AN_ALERT = 200;
const SURPLUS_AFTER_MS = 48 * HOUR_MS;
/** At once. */
const MAX_PRUNED = 250;

type PruneDeps = { store: ScanAlertStore; clock: Clock; market: Pick<Market, 'date'> };

/** @returns a function that removes old triggers and mutes, some at once */
function createPruning({ store, clock, market }: PruneDeps): () => Pruned {
  return () => {
    const now = clock.now();
    let removed = store.dropOldTriggers(now - KEPT_MS, MAX_PRUNED);
    if (removed < MAX_PRUNED) removed += store.dropOldMutes(market.date(), MAX_PRUNED - removed);
    for (const id of store.ids()) {
      if (removed >= MAX_PRUNED) break;
      removed += store.dropSurplusOf(id, now - SURPLUS_AFTER_MS, KEPT_OF_AN_ALERT, MAX_PRUNED - removed);
    }
    return { removed, hasMore: removed >= MAX_PRUNED };
  };
}

export type ScanAlertsNeeds = {
  market: Pick<Market, 'get' | 'all' | 'date' | 'statedQuoteTime'>;
  adjustments: ScanEngineNeeds['adjustments'];
  indicators: Indicators;
  watchlist: Pick<Watchlist, 'symbols' | 'listsOf' | 'listen'>;
  outbox: ScanEngineNeeds['outbox'] & Pick<ScanAlertsDeps, 'sentOf'>;
  chatsOf: ScanEngineNeeds['destinations'];
  events: ScanEngineNeeds['events'];
  placesOf: ScanAlertsDeps['placesOf'];
  noteNews: () => void;
  levelOf(userId: number): AccessLevel;
  notifier: ScanAlertNotifier;
  scanTriggers: ScanTriggerEvents;
  rehearseScan: RehearseScan;
  schedule?: Scheduler | undefined;
};

/** At an open hundreds are told in one tick, which must not wait until all windows are. */
const MAX_TOLD_AT_ONCE = 100;
/** A sum is told a minute after it began, or when the events that it waits for are over, and a little later where the disk was slow. */
const SUM_MS = 20 * 60_000;

/** What alerts on whole scans told, as the stream's events. */
export function createScanTriggerEvents({ db, config, source }: Core) {
  const { publicUrl } = config;
  const store = new ScanAlertStore(db);
  const eventOf = (
    trigger: ScanTrigger,
    { name, sound }: Pick<ScanAlert, 'name' | 'sound'>,
    stock: Stock | null,
  ): ScanAlertEvents['scan_alert_triggered'] => ({
    scanAlertId: trigger.scanAlertId,
    triggerId: trigger.id,
    timestamp: new Date(trigger.triggeredAt).toISOString(),
    marketTime: new Date(trigger.marketAt).toISOString(),
    symbol: trigger.symbol,
    name,
    text: scanTriggerText(trigger, { stock, label: source.label(), publicUrl }),
    seen: trigger.seen,
    silent: trigger.silent,
    sound,
  });
  const history: ScanTriggerHistory = {
    newest: () => store.newestTrigger(),
    missed(userId, { after, since, most }) {
      const sumsAfter = store.triggerBefore(after, SUM_MS);
      return store
        .triggersAfter(userId, { after, sumsAfter, since, most })
        .map(({ trigger, name, sound }) => eventOf(trigger, { name, sound }, null));
    },
  };
  return { eventOf, history };
}

export type ScanTriggerEvents = ReturnType<typeof createScanTriggerEvents>;

/** Tells windows of triggers, some at a time. */
function createTelling({ log }: Core, needs: ScanAlertsNeeds) {
  const { notifier, scanTriggers, schedule = timerScheduler } = needs;
  return createInTurns<Written>({
    each: ({ trigger, alert, stock }) =>
      notifier.scanAlertTriggered(alert.userId, scanTriggers.eventOf(trigger, alert, stock)),
    atOnce: MAX_TOLD_AT_ONCE,
    failure: 'Windows could not be told of triggers of scan alerts',
    later: (run) => void schedule(0, run),
    log: log.child('scanAlerts'),
  });
}

/** What the engine and rehearsals read: the market, and the scans and watchlists of users. */
function readOf({ market, indicators, watchlist }: ScanAlertsNeeds) {
  const watched = (userId: number, listId: number | null = null): string[] =>
    watchlist.symbols(userId, listId);
  return { market, watched, scansOf: indicators.scansOf };
}

/** Takes what changed on people's lists, and the lists themselves, to the scans that look by them. */
function followLists(
  { watchlist, indicators }: ScanAlertsNeeds,
  engine: ScanEngine,
  service: ScanAlerts,
): void {
  watchlist.listen({
    changed(userId, symbol) {
      engine.listChanged(userId);
      // A list itself was added, renamed or deleted.
      if (symbol !== '') return;
      indicators.listsChanged(userId);
      service.listsChanged(userId);
    },
  });
}

const inspectionOf = (engine: ScanEngine) => ({
  label: 'Scan alerts',
  description: 'The alerts on whole scans, and how many scans they watch.',
  summary: engine.counts(),
  data: () => ({ ...engine.counts(), alerts: engine.held() }),
});

/**
 * Alerts on whole scans: what their owners do with them, and the engine that follows who enters and leaves a scan.
 * `start` takes up those of an earlier run, `stop` writes what is not on disk yet.
 */
export function createScanAlerts(core: Core, needs: ScanAlertsNeeds) {
  const { db, clock, config } = core;
  const { market, indicators, notifier, outbox, rehearseScan, levelOf, placesOf } = needs;
  const { publicUrl } = config;
  const store = new ScanAlertStore(db);
  const read = readOf(needs);
  const telling = createTelling(core, needs);
  const engine = new ScanEngine(core, {
    ...read,
    outbox,
    destinations: needs.chatsOf,
    events: needs.events,
    told: telling.add,
    noteNews: needs.noteNews,
    adjustments: needs.adjustments,
    messageOf: ({ trigger, alert, stock }, { label }) =>
      scanAlertMessage(trigger, alert, { stock, label, publicUrl }),
    catalog: indicators.catalog.current,
  });
  const { listsOf } = needs.watchlist;
  const service = new ScanAlerts({
    listsOf,
    store,
    clock,
    market,
    indicators,
    engine,
    sentOf: outbox.sentOf,
    changed: notifier.scanAlertChanged,
    levelOf,
    placesOf,
  });
  const rehearsals = new ScanRehearsals({ clock, ...read, listsOf, rehearseScan });
  followLists(needs, engine, service);
  indicators.listenToScans(service.scanChanged);

  return {
    name: 'scanAlerts',
    service,
    routes: () => scanAlertRoutes(service, rehearsals),
    onChanges: (changes) => engine.onChanges(changes),
    onJump: () => engine.jump(),
    start: () => engine.resume(),
    stop() {
      engine.flush();
      // Who comes back to the next run is told then.
      telling.clear();
    },
    prune: createPruning({ store, clock, market }),
    inspect: () => inspectionOf(engine),
  } satisfies Part;
}
