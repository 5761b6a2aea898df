import { Elysia, NotFoundError } from 'elysia';
import type { Deps } from '../../deps.ts';
import { auth } from '../../http/auth.ts';
import { notSeeded, seedBody, seeded, testStatus } from './model.ts';
import { type Seeder, seed } from './service.ts';

/**
 * GET /test/status and POST /test/seed (specification 7.1). Outside test mode seeding looks like any address that
 * does not exist.
 *
 * @param seeders what the other features add for a demo user
 */
export const testMode = (deps: Deps, seeders: readonly Seeder[] = []) =>
  new Elysia({ name: 'testMode', prefix: '/test' })
    .use(auth(deps))
    .get('/status', () => ({ test: deps.config.testMode }), { anyone: true, response: { 200: testStatus } })
    .post(
      '/seed',
      async ({ body, status }) => {
        const result = await seed(deps, seeders, body.username);
        if (!result.ok) return status(result.status, { success: false as const, error: result.error });
        const { accessToken, role, isAdmin } = result;
        return { success: true as const, accessToken, user: { role, isAdmin } };
      },
      {
        anyone: true,
        parse: () => {
          if (!deps.config.testMode) throw new NotFoundError();
        },
        body: seedBody,
        response: { 200: seeded, 400: notSeeded, 409: notSeeded },
      },
    );
