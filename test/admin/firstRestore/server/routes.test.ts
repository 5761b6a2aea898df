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

test('only who holds the set-up link of a server without accounts reaches it', async () => {
  const app = createTestApp();
  opened.push(app);
  app.db.$client.run('DELETE FROM users');
  const token = app.parts.accounts.service.createSetupToken() ?? '';
  const statuses = (given: string) =>
    Promise.all(
      ROUTES.map(async ([method, path]) => {
        const headers = { 'x-setup-token': given, 'content-type': 'application/json' };
        const body = path.endsWith('/check') ? '{}' : null;
        const request = new Request(`http://localhost${path}`, { method, headers, body });
        return (await app.app.handle(request)).status;
      }),
    );
  expect(await statuses('')).toEqual([403, 403, 403, 403, 403]);
  expect(await statuses(`${token}x`)).toEqual([403, 403, 403, 403, 403]);
  expect(await statuses(token)).toEqual([200, 409, 409, 409, 409]);
  // Nobody needs to be an administrator for it to be closed.
  await app.addUser('trader');
  expect(app.parts.accounts.service.createSetupToken()).not.toBeNull();
  expect(await statuses(token)).toEqual([403, 403, 403, 403, 403]);
});
