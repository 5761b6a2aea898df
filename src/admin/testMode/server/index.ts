import { Elysia, NotFoundError } from 'elysia';
import type { Auth } from '#platform/http/auth.ts';
import type { Connections } from '#platform/http/connections.ts';
import { routeSchemas } from '#platform/http/contract.ts';
import { refusingWith } from '#platform/http/errors.ts';
import type { Core, Part } from '#src/part.ts';
import { addressKey } from '#lib/addressKey.ts';
import { TEST_MODE } from '../contract.ts';
import { seed, type SeedNeeds } from './service.ts';

export type TestModeCore = { config: Pick<Core['config'], 'testMode'> };
export type TestModeNeeds = SeedNeeds & Pick<Connections, 'clientAddress'> & { auth: Auth };

/**
 * GET /test/status and POST /test/seed (specification 7.1). Outside test mode seeding looks like any address that
 * does not exist.
 */
const routesOf = ({ config }: TestModeCore, { auth, clientAddress, ...needs }: TestModeNeeds) =>
  new Elysia({ name: 'testMode', prefix: '/test' })
    .use(auth)
    .get('/status', () => ({ test: config.testMode }), {
      anyone: true,
      ...routeSchemas(TEST_MODE['GET /api/test/status']),
    })
    .post(
      '/seed',
      ({ body, request }) =>
        refusingWith({ success: false }, async () => ({
          success: true as const,
          ...(await seed(needs, body.username, addressKey(clientAddress(request)))),
        })),
      {
        anyone: true,
        parse: () => {
          if (!config.testMode) throw new NotFoundError();
        },
        ...routeSchemas(TEST_MODE['POST /api/test/seed']),
      },
    );

/** Demo users with demo data, on a server in test mode. */
export const createTestMode = (core: TestModeCore, needs: TestModeNeeds) =>
  ({ name: 'testMode', routes: () => routesOf(core, needs) }) satisfies Part;
