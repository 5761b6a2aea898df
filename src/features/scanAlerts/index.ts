import type { AccessLevel } from '../../domain/accounts/accountRules.ts';
import { scanAlertMessage, scanTriggerText } from '../../domain/scanAlerts/scanAlertMessage.ts';
import type { RehearseScan } from '../../domain/scanAlerts/scanRehearsal.ts';
import type { ScanAlertTeller } from '../../domain/scanAlerts/scanTrigger.ts';
import type { Auth } from '../../http/auth.ts';
import type { Market } from '../../market/types.ts';
import type { Core, Part } from '../../part.ts';
import type { Indicators } from '../indicators/service.ts';
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
  teller: ScanAlertTeller;
  rehearseScan: RehearseScan;
};

/** Windows are told of so many triggers of one tick; the list has the others. */
const MAX_TOLD = 100;

/**
 * Alerts on whole scans: what their owners do with them, and the engine that follows who enters and leaves a scan.
 * `start` takes up those of an earlier run, `stop` writes what is not on disk yet.
 */
export function createScanAlerts(core: ScanAlertsCore, needs: ScanAlertsNeeds) {
  const { db, clock, config, source } = core;
  const { auth, market, indicators, watchlist, teller } = needs;
  const { publicUrl } = config;
  const store = scanAlertStore(db);
  const watched = (userId: number): string[] => watchlist.items(userId).map(({ symbol }) => symbol);

  function tell({ trigger, alert, stock }: Written): void {
    teller.scanAlertTriggered(alert.userId, {
      scanAlertId: alert.id,
      triggerId: trigger.id,
      timestamp: new Date(trigger.triggeredAt).toISOString(),
      symbol: trigger.symbol,
      name: alert.name,
      text: scanTriggerText(trigger, { stock, label: source.label(), publicUrl }),
      silent: trigger.silent,
    });
  }

  const engine = createScanEngine(core, {
    market,
    watched,
    destinations: needs.chatsOf,
    outbox: needs.outbox,
    messageOf: ({ trigger, alert, stock }, { label }) =>
      scanAlertMessage(trigger, alert, { stock, label, publicUrl }),
    catalog: indicators.catalog.current,
    scansOf: indicators.scansOf,
    told: (written) => written.slice(0, MAX_TOLD).forEach(tell),
  });
  const service = createScanAlertsService({
    ...{ store, clock, market, indicators, engine },
    sentOf: needs.outbox.sentOf,
    levelOf: needs.levelOf,
    changed: teller.scanAlertChanged,
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
    service,
    routes: () => scanAlertRoutes(auth, service, rehearsals),
    onChanges: engine.onChanges,
    onJump: engine.jump,
    start: engine.resume,
    stop: engine.flush,
    prune: createPruning({ store, clock, market }),
    inspect: () => ({
      label: 'Scan alerts',
      description: 'The alerts on whole scans, and how many scans they watch.',
      summary: engine.counts(),
      data: () => ({ ...engine.counts(), alerts: engine.held() }),
    }),
  } satisfies Part;
}
