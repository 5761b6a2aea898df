import { Elysia } from 'elysia';
import type { Auth } from '../../../platform/http/auth.ts';
import type { Core, Part } from '../../../part.ts';
import { sectionsAnswer, snapshotAnswer, stateParams } from './model.ts';
import { createInternalStateService, type InternalState, type InternalStateDeps } from './service.ts';

/** The Server State Inspector (specification 7.7). */
const routesOf = (auth: Auth, state: InternalState) =>
  new Elysia({ name: 'internalState' })
    .use(auth)
    .get('/admin/internal-state', () => state.sections(), { minLevel: 4, response: { 200: sectionsAnswer } })
    .get('/admin/internal-state/:key', ({ params }) => state.snapshot(params.key), {
      minLevel: 4,
      params: stateParams,
      response: { 200: snapshotAnswer },
    });

export type InternalStateNeeds = Pick<InternalStateDeps, 'parts' | 'redactor'> & { auth: Auth };

/** What the parts of the running server hold, for administrators. */
export function createInternalState(
  { clock, log }: Pick<Core, 'clock' | 'log'>,
  { auth, ...needs }: InternalStateNeeds,
) {
  const service = createInternalStateService({ ...needs, clock, log: log.child('inspector') });
  return { name: 'internalState', service, routes: () => routesOf(auth, service) } satisfies Part;
}
