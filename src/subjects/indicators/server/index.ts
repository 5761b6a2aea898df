import { serve } from '#platform/http/routes.ts';
import { Demand } from '#market/indicators/demand.ts';
import type { App, Part } from '#platform/app.ts';
import type { Audit } from '#admin/audit/server/service.ts';
import { CatalogKeeper, createMetainfo, type Metainfo } from './catalog.ts';
import { CUSTOM_CATALOG } from '../answers/catalog.ts';
import { INDICATORS } from '../contract.ts';
import { createIndicatorsService, type Indicators } from './service.ts';
import { indicatorStore } from './store.ts';

const catalogRoutes = (audit: Audit, { catalog }: Indicators) =>
  serve(INDICATORS, {
    'GET /api/indicators/catalog/tv': () => catalog.answer(),
    'GET /api/indicators/catalog/custom': () => CUSTOM_CATALOG,
    'GET /api/admin/indicators/catalog/tv/status': () => catalog.status(),
    'POST /api/admin/indicators/catalog/tv/refresh': async ({ user }) => {
      const before = catalog.status();
      const after = await catalog.refresh();
      const done = {
        userId: user.id,
        action: 'refresh catalog',
        target: 'TradingView',
      } as const;
      audit.record({ ...done, before, after });
      return after;
    },
  });

const selectionRoutes = (service: Indicators) =>
  serve(INDICATORS, {
    'GET /api/indicators/prefs': ({ user }) => ({
      prefs: { refs: service.refs(user.id) },
    }),
    'POST /api/indicators/prefs': ({ user, body }) => ({
      refs: service.saveRefs(user.id, body.refs),
    }),
  });

/** Saved scans, which the specification does not describe. */
const scanRoutes = (service: Indicators) =>
  serve(INDICATORS, {
    'GET /api/indicators/scans': ({ user }) => ({
      scans: service.scans(user.id),
    }),
    'POST /api/indicators/scans': ({ user, body }) => ({
      scan: service.addScan(user.id, body),
    }),
    'PUT /api/indicators/scans/:id': ({ user, params, body }) => ({
      scan: service.changeScan(user.id, params.id, body),
    }),
    'DELETE /api/indicators/scans/:id': ({ user, params }) => {
      service.removeScan(user.id, params.id);
      return { success: true as const };
    },
  });

const routesOf = (audit: Audit, service: Indicators) => [
  ...catalogRoutes(audit, service),
  ...selectionRoutes(service),
  ...scanRoutes(service),
];

/** The values in use. Logs if some are not served. */
function createWatchedDemand({ log, clock }: App) {
  const demand = new Demand(undefined, clock.now);
  demand.listen(() => {
    const count = demand.leftOut();
    if (count > 0)
      log.warn('More indicator values are in use than the server computes; some are empty', { count });
  });
  return demand;
}

/**
 * The catalog, users' selections, and the values in use for a source with its own values. `start` loads what every user
 * uses.
 */
export function createIndicators(
  app: App,
  metainfo: Metainfo = createMetainfo(app.config.tradingview.url, app.http),
) {
  const store = indicatorStore(app.db);
  const catalog = new CatalogKeeper(app, store, metainfo);
  const demand = createWatchedDemand(app);
  const service = createIndicatorsService(app, store, catalog, demand);
  app.source.ownValues?.serve({
    items: () => demand.current(),
    catalog: catalog.current,
  });
  return {
    name: 'indicators',
    service,
    routes: () => routesOf(app.audit, service),
    start: service.loadDemand,
    inspect: () => ({
      label: 'Indicator catalog and values in use',
      description: 'Values that columns, scans and alerts use now.',
      summary: {
        ...catalog.status(),
        inUse: demand.current().length,
        leftOut: demand.leftOut(),
      },
      data: () => ({ inUse: demand.current() }),
    }),
  } satisfies Part;
}

declare module '#platform/app.ts' {
  interface App {
    indicators: Indicators;
  }
}
