import { Elysia } from 'elysia';
import type { Auth } from '../../http/auth.ts';
import type { Connections } from '../../http/connections.ts';
import type { Market } from '../../market/types.ts';
import type { Core, Part } from '../../part.ts';
import type { Watchlist } from '../watchlist/service.ts';
import type { AlertsDeps } from './deps.ts';
import { alertRoutes } from './routes.ts';
import { createAlertsService } from './service.ts';
import { alertStore } from './store.ts';
import { createAlertStream, streamRoutes } from './stream.ts';

export type AlertsCore = Pick<Core, 'db' | 'clock' | 'log'> & {
  config: Pick<Core['config'], 'streams'>;
  source: Pick<Core['source'], 'label'>;
};

export type AlertsNeeds = Pick<AlertsDeps, 'indicators'> &
  Connections & {
    auth: Auth;
    market: Pick<Market, 'all' | 'get'>;
    watchlist: Watchlist;
    /** How often the stream pings; for tests. */
    streamPingMs?: number | undefined;
  };

/** Alerts: what their owners do with them, and the stream that tells them. `stop` ends all streams. */
export function createAlerts(core: AlertsCore, needs: AlertsNeeds) {
  const { auth, market, indicators, watchlist, keepOpen, cutOff, clientAddress } = needs;
  const { db, clock, source } = core;
  const store = alertStore(db);
  const stream = createAlertStream(core, {
    store,
    market,
    label: source.label,
    keepOpen,
    cutOff,
    clientAddress,
    pingMs: needs.streamPingMs,
  });
  const service = createAlertsService({
    store,
    clock,
    market,
    indicators,
    watchlist,
    engine: { put: () => {}, remove: () => {}, evaluation: () => null },
    deliveryOf: () => new Map(),
    changed: stream.changed,
  });
  watchlist.listen({
    removing: service.removeOfSymbol,
    changed: (userId, symbol) => stream.changed(userId, null, symbol),
  });
  return {
    name: 'alerts',
    service,
    routes: new Elysia({ name: 'alerts.all' })
      .use(alertRoutes(auth, service))
      .use(streamRoutes(auth, stream, keepOpen)),
    stop: stream.close,
    inspect: () => ({
      label: 'Alerts',
      summary: { streams: stream.stats().clients },
      data: () => ({ stream: stream.stats() }),
    }),
  } satisfies Part;
}
