import { Elysia } from 'elysia';
import type { Deps } from '../../deps.ts';
import { auth } from '../../http/auth.ts';
import {
  CUSTOM_CATALOG,
  catalogStatus,
  customCatalog,
  prefsAnswer,
  refsAnswer,
  refsBody,
  removed,
  scanAnswer,
  scanBody,
  scanParams,
  scansAnswer,
  tvCatalog,
} from './model.ts';

/** The routes of indicators (specification 7.2), saved scans, and the catalog's administration (7.7). */
export function indicators(deps: Deps) {
  const service = deps.indicators;
  return new Elysia({ name: 'indicators' })
    .use(auth(deps))
    .get('/indicators/catalog/tv', () => service.catalog.answer(), {
      minLevel: 1,
      response: { 200: tvCatalog },
    })
    .get('/indicators/catalog/custom', () => CUSTOM_CATALOG, {
      minLevel: 1,
      response: { 200: customCatalog },
    })
    .get('/indicators/prefs', ({ user }) => ({ prefs: { refs: service.refs(user.id) } }), {
      minLevel: 1,
      response: { 200: prefsAnswer },
    })
    .post('/indicators/prefs', ({ user, body }) => ({ refs: service.saveRefs(user.id, body.refs) }), {
      minLevel: 1,
      body: refsBody,
      response: { 200: refsAnswer },
    })
    .get('/indicators/scans', ({ user }) => ({ scans: service.scans(user.id) }), {
      minLevel: 1,
      response: { 200: scansAnswer },
    })
    .post('/indicators/scans', ({ user, body }) => ({ scan: service.addScan(user.id, body) }), {
      minLevel: 1,
      body: scanBody,
      response: { 200: scanAnswer },
    })
    .put(
      '/indicators/scans/:id',
      ({ user, params, body }) => ({ scan: service.changeScan(user.id, params.id, body) }),
      { minLevel: 1, params: scanParams, body: scanBody, response: { 200: scanAnswer } },
    )
    .delete(
      '/indicators/scans/:id',
      ({ user, params }) => {
        service.removeScan(user.id, params.id);
        return { success: true as const };
      },
      { minLevel: 1, params: scanParams, response: { 200: removed } },
    )
    .get('/admin/indicators/catalog/tv/status', () => service.catalog.status(), {
      minLevel: 4,
      response: { 200: catalogStatus },
    })
    .post('/admin/indicators/catalog/tv/refresh', () => service.catalog.refresh(), {
      minLevel: 4,
      response: { 200: catalogStatus },
    });
}
