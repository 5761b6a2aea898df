import { Elysia } from 'elysia';
import { readRecord } from '#lib/read.ts';
import type { Core, Part } from '#src/part.ts';
import type { Auth } from '#platform/http/auth.ts';
import { routeSchemas } from '#platform/http/contract.ts';
import { createUserLimit } from '#platform/http/requestLimits.ts';
import type { Audit } from '#admin/audit/server/service.ts';
import { CLOSURES } from '../contract.ts';
import { applyClosures, withdraw } from './apply.ts';
import { Closures } from './service.ts';
import { closureStore } from './store.ts';

const MAX_CHANGES_A_MINUTE = 30;

const routesOf = (auth: Auth, service: Closures) =>
  new Elysia({ name: 'closures' })
    .use(auth)
    .get('/admin/market-closures', () => ({ days: service.list() }), {
      minLevel: 4,
      ...routeSchemas(CLOSURES['GET /api/admin/market-closures']),
    })
    .post(
      '/admin/market-closures',
      ({ user, body }) => {
        service.add(user.id, readRecord(body));
        return { days: service.list() };
      },
      { minLevel: 4, ...routeSchemas(CLOSURES['POST /api/admin/market-closures']) },
    )
    .delete(
      '/admin/market-closures/:date',
      ({ user, params }) => {
        service.remove(user.id, params.date);
        return { days: service.list() };
      },
      { minLevel: 4, ...routeSchemas(CLOSURES['DELETE /api/admin/market-closures/:date']) },
    );

/**
 * Days on which the exchange departs from its calendar's rules, from the settings and from administrators. The server
 * registers them before it makes its parts. If it has not done so, `start` does.
 */
export function createClosures(
  core: Pick<Core, 'db' | 'clock' | 'log' | 'source'> & { config: Pick<Core['config'], 'marketClosures'> },
  { auth, audit }: { auth: Auth; audit: Audit },
) {
  const { db, clock, source } = core;
  const store = closureStore(db);
  const countChange = createUserLimit(clock, MAX_CHANGES_A_MINUTE, 'Too many changes to market closures.');
  const service = new Closures({ db, clock, source, store, audit, countChange });
  return {
    name: 'closures',
    service,
    routes: () => routesOf(auth, service),
    start: () => applyClosures(core, clock.now()),
    stop: () => withdraw(db),
    inspect: () => ({
      label: 'Market closures',
      description: 'Days on which the exchange does otherwise than its calendar says.',
      summary: { days: store.all().length },
      data: () => store.all(),
    }),
  } satisfies Part;
}
