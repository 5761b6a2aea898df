import type { Auth } from '../../http/auth.ts';
import type { Core, Part } from '../../part.ts';
import type { Watchlist } from '../watchlist/service.ts';
import type { AlertsDeps } from './deps.ts';
import { alertRoutes } from './routes.ts';
import { createAlertsService } from './service.ts';
import { alertStore } from './store.ts';

export type AlertsNeeds = Pick<AlertsDeps, 'market' | 'indicators'> & { auth: Auth; watchlist: Watchlist };

/** Alerts: what their owners do with them. */
export function createAlerts({ db, clock }: Pick<Core, 'db' | 'clock'>, needs: AlertsNeeds) {
  const { auth, market, indicators, watchlist } = needs;
  const service = createAlertsService({
    store: alertStore(db),
    clock,
    market,
    indicators,
    watchlist,
    engine: { put: () => {}, remove: () => {}, evaluation: () => null },
    deliveryOf: () => new Map(),
    changed: () => {},
  });
  watchlist.listen({ removing: service.removeOfSymbol });
  return { name: 'alerts', service, routes: alertRoutes(auth, service) } satisfies Part;
}
