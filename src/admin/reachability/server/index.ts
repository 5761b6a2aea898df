import { Elysia } from 'elysia';
import type { Core, Part } from '#src/part.ts';
import type { Auth } from '#platform/http/auth.ts';
import { routeSchemas } from '#platform/http/contract.ts';
import { AppError } from '#platform/http/errors.ts';
import { createUserLimit } from '#platform/http/requestLimits.ts';
import { createModel } from '#platform/model/index.ts';
import type { Audit } from '#admin/audit/server/service.ts';
import { REACHABILITY } from '../contract.ts';
import { Reachability, type ReachabilityDeps } from './service.ts';

export type ReachabilityNeeds = Pick<ReachabilityDeps, 'runList' | 'redactor'> & { auth: Auth; audit: Audit };

const MAX_TESTS_A_MINUTE = 12;

/** Whether the sources, chat platforms, model and backup target that are set up can be used, tried when an administrator asks. */
export function createReachability(
  core: Pick<Core, 'config' | 'http' | 'clock' | 'log'>,
  { auth, audit, redactor, runList }: ReachabilityNeeds,
) {
  const { config, http, clock } = core;
  const service = new Reachability({ config, http, clock, redactor, runList, model: createModel(core) });
  const limit = createUserLimit(clock, MAX_TESTS_A_MINUTE, 'Too many tests.');
  const routes = () =>
    new Elysia({ name: 'reachability' })
      .use(auth)
      .get('/admin/connections', () => ({ connections: service.list() }), {
        minLevel: 4,
        ...routeSchemas(REACHABILITY['GET /api/admin/connections']),
      })
      .post(
        '/admin/connections/:key/test',
        async ({ user, params: { key } }) => {
          limit(user.id);
          const test = await service.test(key, ({ name, costs }) => {
            if (costs) audit.record({ userId: user.id, action: 'test connection', target: name });
          });
          if (test === null) throw new AppError(404, 'Nothing of that name is set up here. Reload the list.');
          if (test === 'busy') throw new AppError(409, 'Another test runs. Try again when it is over.');
          return test;
        },
        { minLevel: 4, ...routeSchemas(REACHABILITY['POST /api/admin/connections/:key/test']) },
      );
  return { name: 'reachability', service, routes } satisfies Part;
}
