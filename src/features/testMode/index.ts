import { Elysia, NotFoundError } from 'elysia';
import type { Auth } from '../../http/auth.ts';
import type { Core, Part } from '../../part.ts';
import { notSeeded, seedBody, seeded, testStatus } from './model.ts';
import { seed, type SeedNeeds } from './service.ts';

export type TestModeCore = { config: Pick<Core['config'], 'testMode'> };
export type TestModeNeeds = SeedNeeds & { auth: Auth };

/**
 * GET /test/status and POST /test/seed (specification 7.1). Outside test mode seeding looks like any address that
 * does not exist.
 */
const routesOf = ({ config }: TestModeCore, { auth, ...needs }: TestModeNeeds) =>
  new Elysia({ name: 'testMode', prefix: '/test' })
    .use(auth)
    .get('/status', () => ({ test: config.testMode }), { anyone: true, response: { 200: testStatus } })
    .post(
      '/seed',
      async ({ body, status }) => {
        const result = await seed(needs, body.username);
        if (!result.ok) return status(result.status, { success: false as const, error: result.error });
        const { accessToken, role, isAdmin } = result;
        return { success: true as const, accessToken, user: { role, isAdmin } };
      },
      {
        anyone: true,
        parse: () => {
          if (!config.testMode) throw new NotFoundError();
        },
        body: seedBody,
        response: { 200: seeded, 400: notSeeded, 409: notSeeded },
      },
    );

/** Demo users with demo data, on a server that was started for trying things out. */
export const createTestMode = (core: TestModeCore, needs: TestModeNeeds) =>
  ({ name: 'testMode', routes: routesOf(core, needs) }) satisfies Part;
