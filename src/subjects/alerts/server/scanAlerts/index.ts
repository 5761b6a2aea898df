import type { AccessLevel } from '../../../accounts/rules/accountRules.ts';
import { scanAlertMessage, scanTriggerText } from '../../rules/scanAlerts/scanAlertMessage.ts';
import type { RehearseScan } from '../../rules/scanAlerts/scanRehearsal.ts';
import type {
  ScanAlertEvents,
  ScanAlertNotifier,
  ScanTrigger,
  ScanTriggerHistory,
} from '../../rules/scanAlerts/scanTrigger.ts';
import type { Stock } from '../../../../market/rules/stock.ts';
import type { Auth } from '../../../../platform/http/auth.ts';
import { createInTurns } from '../../../../lib/inTurns.ts';
import { type Scheduler, timerScheduler } from '../../../../lib/scheduler.ts';
import type { Market } from '../../../../market/types.ts';
import type { Core, Part } from '../../../../part.ts';
import type { Indicators } from '../../../indicators/server/service.ts';
import type { Watchlist } from '../watchlist/service.ts';
import type { ScanAlertsDeps } from './deps.ts';
import { createScanEngine } from './engine/engine.ts';
import type { ScanEngineCore, ScanEngineNeeds, Written } from './engine/types.ts';
import { createPruning } from './prune.ts';
import { createScanRehearsals } from './rehearsal.ts';
import { scanAlertRoutes } from './routes.ts';
import { createScanAlertsService } from './service.ts';
import { scanAlertStore } from './store.ts';

export type ScanAlertsCore = ScanEngineCore & { config: Pick<Core['config'], 'publicUrl'> };

export type ScanAlertsNeeds = {
  auth: Auth;
  market: Pick<Market, 'get' | 'all' | 'date' | 'statedQuoteTime'>;
  indicators: Indicators;
  watchlist: Pick<Watchlist, 'items' | 'listen'>;
  outbox: ScanEngineNeeds['outbox'] & Pick<ScanAlertsDeps, 'sentOf'>;
  chatsOf: ScanEngineNeeds['destinations'];
  levelOf(userId: number): AccessLevel;
  notifier: ScanAlertNotifier;
  rehearseScan: RehearseScan;
  schedule?: Scheduler | undefined;
};

/** At an open hundreds are told in one tick, which must not wait until all windows are. */
const MAX_TOLD_AT_ONCE = 100;
/** A sum is told a minute after it began, and a little later where the disk was slow. */
const SUM_MS = 120_000;

/**
 * Alerts on whole scans: what their owners do with them, and the engine that follows who enters and leaves a scan.
 * `start` takes up those of an earlier run, `stop` writes what is not on disk yet.
 */
export function createScanAlerts(core: ScanAlertsCore, needs: ScanAlertsNeeds) {
  const { db, clock, config, source } = core;
  const { auth, market, indicators, watchlist, notifier, schedule = timerScheduler } = needs;
  const { publicUrl } = config;
  const store = scanAlertStore(db);
  const watched = (userId: number): string[] => watchlist.items(userId).map(({ symbol }) => symbol);

  const eventOf = (
    trigger: ScanTrigger,
    name: string | null,
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
  });
  const telling = createInTurns<Written>({
    each: ({ trigger, alert, stock }) =>
      notifier.scanAlertTriggered(alert.userId, eventOf(trigger, alert.name, stock)),
    atOnce: MAX_TOLD_AT_ONCE,
    failure: 'Windows could not be told of triggers of scan alerts',
    later: (run) => void schedule(0, run),
    log: core.log.child('scanAlerts'),
  });
  const scanTriggerHistory: ScanTriggerHistory = {
    newest: store.newestTrigger,
    missed(userId, { after, since, most }) {
      const sumsAfter = store.triggerBefore(after, SUM_MS);
      return store
        .triggersAfter(userId, { after, sumsAfter, since, most })
        .map(({ trigger, name }) => eventOf(trigger, name, null));
    },
  };

  const engine = createScanEngine(core, {
    market,
    watched,
    destinations: needs.chatsOf,
    outbox: needs.outbox,
    messageOf: ({ trigger, alert, stock }, { label }) =>
      scanAlertMessage(trigger, alert, { stock, label, publicUrl }),
    catalog: indicators.catalog.current,
    scansOf: indicators.scansOf,
    told: telling.add,
  });
  const service = createScanAlertsService({
    ...{ store, clock, market, indicators, engine },
    sentOf: needs.outbox.sentOf,
    levelOf: needs.levelOf,
    changed: notifier.scanAlertChanged,
  });
  const rehearsals = createScanRehearsals({
    ...{ clock, market, watched },
    scansOf: indicators.scansOf,
    rehearseScan: needs.rehearseScan,
  });
  watchlist.listen({ changed: engine.listChanged });
  indicators.listenToScans(service.scanChanged);

  return {
    name: 'scanAlerts',
    service: { ...service, scanTriggerHistory },
    routes: () => scanAlertRoutes(auth, service, rehearsals),
    onChanges: engine.onChanges,
    onJump: engine.jump,
    start: engine.resume,
    stop() {
      engine.flush();
      // Who comes back to the next run is told then.
      telling.clear();
    },
    prune: createPruning({ store, clock, market }),
    inspect: () => ({
      label: 'Scan alerts',
      description: 'The alerts on whole scans, and how many scans they watch.',
      summary: engine.counts(),
      data: () => ({ ...engine.counts(), alerts: engine.held() }),
    }),
  } satisfies Part;
}
