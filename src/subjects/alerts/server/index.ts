import { Elysia } from 'elysia';
import type { AccountState } from '../../accounts/rules/accountState.ts';
import { alertNote } from '../rules/alertMessage.ts';
import { createStockTitles } from '../rules/stockTitle.ts';
import type { ScanTriggerHistory } from '../rules/scanAlerts/scanTrigger.ts';
import type { Auth } from '../../../platform/http/auth.ts';
import type { Connections } from '../../../platform/http/connections.ts';
import { type Scheduler, timerScheduler } from '../../../lib/scheduler.ts';
import type { Market } from '../../../market/types.ts';
import type { Core, Part } from '../../../part.ts';
import type { Watchlist } from './watchlist/service.ts';
import { createAfterTriggers } from './afterTriggers.ts';
import { createDeliveryWatch } from './deliveryWatch.ts';
import type { AlertsDeps } from './deps.ts';
import { createAlertEngine } from './engine/engine.ts';
import type { AlertEngineCore, AlertEngineNeeds } from './engine/types.ts';
import { createMessageMaker } from './messages.ts';
import { createPruning } from './prune.ts';
import { createRehearsals, type RehearsalsDeps } from './rehearsal/service.ts';
import { alertRoutes } from './routes.ts';
import { createScanFollower } from './scanFollower.ts';
import { createAlertsService } from './service.ts';
import { alertStore } from './store.ts';
import { createAlertStream, streamRoutes } from './stream.ts';

export type AlertsCore = AlertEngineCore & {
  config: Pick<Core['config'], 'streams' | 'publicUrl'>;
};

export type AlertsNeeds = Pick<AlertsDeps, 'indicators'> &
  Connections & {
    auth: Auth;
    market: AlertEngineNeeds['market'] & Pick<Market, 'all'>;
    watchlist: Watchlist;
    /** What rehearsals run over. */
    past: RehearsalsDeps['past'];
    reads: RehearsalsDeps['reads'];
    outbox: AlertEngineNeeds['outbox'] & Pick<AlertsDeps, 'deliveryOf' | 'sentOf'>;
    /** The chats of a user that messages can be delivered to. */
    chatsOf: AlertEngineNeeds['destinations'];
    /** What alerts on whole scans told, for the stream. */
    scanTriggers: ScanTriggerHistory;
    /** A user's account as it stands, for the stream. */
    accountOf(userId: number): AccountState | null;
    /** How often the stream pings; for tests. */
    streamPingMs?: number | undefined;
    schedule?: Scheduler | undefined;
  };

/** What alerts are made of, connected. */
function createPieces(core: AlertsCore, needs: AlertsNeeds, schedule: Scheduler) {
  const { market, indicators, watchlist, outbox, past, reads } = needs;
  const { db, clock, config, source } = core;
  const log = core.log.child('alerts');
  const catalog = indicators.catalog.current;
  const store = alertStore(db);
  const stream = createAlertStream(core, {
    ...needs,
    store,
    label: source.label,
    pingMs: needs.streamPingMs,
  });
  const later = (run: () => void): void => void schedule(0, run);
  const applyDeferred = (userIds: readonly number[]): void => engine.applyDeferred(userIds);
  const after = createAfterTriggers({ stream, indicators, applyDeferred, later, log });
  const titleOf = createStockTitles();
  const engine = createAlertEngine(core, {
    market,
    destinations: needs.chatsOf,
    outbox,
    noteOf: (trigger, alert, context) => alertNote(trigger, alert, { ...context, titleOf }),
    catalog,
    scansOf: indicators.scansOf,
    stopped: after.stopped,
    arming: ({ userId, id, symbol }) => stream.changed(userId, id, symbol),
  });
  const { deliveryOf, sentOf } = outbox;
  const { changed } = stream;
  const marketNow = () => source.clock.now();
  const used = {
    store,
    clock,
    market,
    marketNow,
    indicators,
    watchlist,
    engine,
    deliveryOf,
    sentOf,
    changed,
  };
  return {
    stream,
    after,
    engine,
    deliveries: createDeliveryWatch(used),
    service: createAlertsService(used),
    scanChanged: createScanFollower(used),
    messageOf: createMessageMaker({ store, publicUrl: config.publicUrl, log }),
    rehearsals: createRehearsals({
      past,
      market,
      catalog,
      scansOf: indicators.scansOf,
      preview: engine.preview,
      stopwatch: clock,
      reads,
    }),
    prune: createPruning({ store, clock }),
  };
}

/**
 * Alerts: what their owners do with them, the engine that evaluates them on every tick, and the stream that tells of
 * them. `start` takes up the alerts of an earlier run, `stop` writes what is not on disk yet and ends all streams.
 */
export function createAlerts(core: AlertsCore, needs: AlertsNeeds) {
  const { auth, indicators, watchlist, keepOpen, schedule = timerScheduler } = needs;
  const { stream, after, engine, service, messageOf, ...pieces } = createPieces(core, needs, schedule);
  const { deliveries, rehearsals } = pieces;
  engine.listen(after.triggered);
  engine.listen(deliveries.add);
  watchlist.listen({
    removing: service.removeOfSymbol,
    changed: (userId, symbol) => stream.changed(userId, null, symbol),
  });
  indicators.listenToScans(pieces.scanChanged);
  const counts = () => ({ ...engine.counts(), streams: stream.stats().clients });
  return {
    name: 'alerts',
    service: { ...service, messageOf, notifier: stream.notifier, rehearseScan: rehearsals.rehearseScan },
    routes: () =>
      new Elysia({ name: 'alerts.all' })
        .use(alertRoutes(auth, service, rehearsals))
        .use(streamRoutes(auth, stream, keepOpen)),
    onChanges(changes) {
      engine.onChanges(changes);
      after.releaseUnread();
      deliveries.look();
    },
    onJump: engine.jump,
    start() {
      stream.begin();
      const withLess = engine.resume();
      if (withLess.length > 0) indicators.alertsChanged([...new Set(withLess)]);
    },
    stop() {
      try {
        engine.flush();
      } finally {
        after.stop();
        stream.close();
      }
    },
    prune: pieces.prune,
    inspect: () => ({
      label: 'Alerts',
      description: 'The alerts that are evaluated on each tick.',
      summary: counts(),
      data: () => ({ ...counts(), alerts: engine.held() }),
    }),
    alsoInspect: {
      alertStream: () => ({
        label: 'Alert stream',
        description: 'Browsers that listen to their own alerts, and what was sent to them.',
        summary: { ...stream.stats() },
        data: () => stream.stats(),
      }),
    },
  } satisfies Part;
}
