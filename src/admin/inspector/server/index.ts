import { Elysia } from 'elysia';
import type { Auth } from '#platform/http/auth.ts';
import { routeSchemas } from '#platform/http/contract.ts';
import { INTERNAL_STATE } from '../contract.ts';
import type { Core, Part } from '#src/part.ts';
import { InternalState, type InternalStateDeps } from './service.ts';

/** The Server State Inspector (specification 7.7). */
const routesOf = (auth: Auth, state: InternalState) =>
  new Elysia({ name: 'internalState' })
    .use(auth)
    .get('/admin/internal-state', () => state.sections(), {
      minLevel: 4,
      ...routeSchemas(INTERNAL_STATE['GET /api/admin/internal-state']),
    })
    .get('/admin/internal-state/:key', ({ params }) => state.snapshot(params.key), {
      minLevel: 4,
      ...routeSchemas(INTERNAL_STATE['GET /api/admin/internal-state/:key']),
    });

export type InternalStateNeeds = Pick<InternalStateDeps, 'parts' | 'redactor'> & { auth: Auth };

/** What the parts of the running server hold, for administrators. */
export function createInternalState(
  { clock, log }: Pick<Core, 'clock' | 'log'>,
  { auth, ...needs }: InternalStateNeeds,
) {
  const service = new InternalState({ ...needs, clock, log: log.child('inspector') });
  return { name: 'internalState', service, routes: () => routesOf(auth, service) } satisfies Part;
}
