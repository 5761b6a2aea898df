import { afterEach, expect, test } from 'bun:test';
import { createTestApp, type TestApp } from '../../../support/testApp.ts';

const opened: TestApp[] = [];
afterEach(() => {
  for (const app of opened.splice(0)) app.close();
});

const ROUTES = [
  ['GET', '/api/setup/restore'],
  ['GET', '/api/setup/restore/target'],
  ['POST', '/api/setup/restore/piece?at=0&size=5'],
  ['POST', '/api/setup/restore/check'],
  ['POST', '/api/setup/restore/apply'],
] as const;

test('only who holds the set-up link of a server without an administrator reaches it', async () => {
  const app = createTestApp();
  opened.push(app);
  app.db.$client.run('DELETE FROM users');
  const token = app.parts.accounts.service.createSetupToken() ?? '';
  const statuses = (given: string) =>
    Promise.all(
      ROUTES.map(async ([method, path]) => {
        const headers = { 'x-setup-token': given, 'content-type': 'application/json' };
        const body = path.endsWith('/check') || path.endsWith('/apply') ? '{}' : null;
        const request = new Request(`http://localhost${path}`, { method, headers, body });
        return (await app.app.handle(request)).status;
      }),
    );
  expect(await statuses('')).toEqual([403, 403, 403, 403, 403]);
  expect(await statuses(`${token}x`)).toEqual([403, 403, 403, 403, 403]);
  expect(await statuses(token)).toEqual([200, 409, 409, 409, 409]);
  // A stranger's registration neither closes it nor makes the link void.
  const stranger = { username: 'stranger', password: 'a good password', email: null };
  expect((await app.request('POST', '/api/register', { body: stranger })).status).toBe(200);
  app.parts.firstRestore.prune();
  expect(await statuses(token)).toEqual([200, 409, 409, 409, 409]);
  const own = { username: 'owner', password: 'a good password', email: null, setupToken: token };
  expect((await app.request('POST', '/api/register', { body: own })).json).toMatchObject({ accessLevel: 4 });
  expect(await statuses(token)).toEqual([403, 403, 403, 403, 403]);
});
