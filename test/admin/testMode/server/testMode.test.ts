import { describe, expect, test } from 'bun:test';
import { users } from '../../../../src/platform/db/schema.ts';
import { retireDemoAccounts } from '../../../../src/subjects/accounts/server/demoAccounts.ts';
import { createTestMode } from '../../../../src/admin/testMode/server/index.ts';
import { createAuth } from '../../../../src/platform/http/auth.ts';
import type { Seeder } from '../../../../src/admin/testMode/server/service.ts';
import { type Scenario, scenarios } from '../../../support/scenario.ts';
import { createTestApp, PASSWORD } from '../../../support/testApp.ts';

const inTestMode = { env: { BELLBIRD_TEST: '1' } };
const seed = { method: 'POST', url: '/api/test/seed' } as const;

describe('GET /api/test/status', () => {
  const base = { method: 'GET', url: '/api/test/status', status: 200 } as const;
  scenarios([
    { ...base, name: 'guest outside test mode', json: { test: false } },
    { ...base, name: 'guest in test mode', app: inTestMode, json: { test: true } },
  ]);
});

describe('POST /api/test/seed', () => {
  const unknown = { ...seed, status: 404, json: { error: 'There is no such address in the API.' } };
  const role = (username: string, name: string, isAdmin: boolean): Scenario => ({
    ...seed,
    name: `guest in test mode as ${username} becomes ${name}`,
    app: inTestMode,
    body: { username },
    status: 200,
    contains: [`"user":{"role":"${name}","isAdmin":${isAdmin}}`, '"success":true', '"accessToken"'],
  });
  scenarios([
    { ...unknown, name: 'guest outside test mode', body: { username: 'admin' } },
    { ...unknown, name: 'guest outside test mode with a bad body', body: { username: 5 } },
    { ...unknown, name: 'guest outside test mode with malformed JSON', rawBody: '{' },
    { ...unknown, name: 'guest outside test mode without a body' },
    role('admin', 'admin', true),
    role('Admin2', 'admin', true),
    role('premium', 'premium', false),
    role('BASIC-bob', 'basic', false),
    role('anna', 'free', false),
    role('the admin', 'free', false),
    {
      ...seed,
      name: 'guest in test mode without a name',
      app: inTestMode,
      body: {},
      status: 400,
      json: { success: false, error: 'Username is required', field: 'username' },
    },
    {
      ...seed,
      name: 'guest in test mode with a registered account’s name',
      app: inTestMode,
      body: { username: 'ADMIN' },
      setup: async (app) => void (await app.user('admin')),
      status: 409,
      contains: ['"success":false', '"field":"username"'],
      absent: ['accessToken'],
    },
  ]);

  test('is repeatable: the same user, the same rights, demo data offered each time', async () => {
    const app = createTestApp(inTestMode);
    const seen: string[] = [];
    const listings = Promise.withResolvers<void>();
    const addDemoData: Seeder = (user) => void seen.push(user.username);
    const { routes } = createTestMode(
      { config: { testMode: true } },
      {
        clientAddress: () => '127.0.0.1',
        auth: createAuth(app, { jwtSecret: 'not looked at by these routes' }),
        accounts: app.parts.accounts.service,
        seeders: [addDemoData],
        listed: () => listings.promise,
      },
    );
    const once = () =>
      routes().handle(
        new Request('http://localhost/test/seed', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ username: 'premium' }),
        }),
      );
    const first = once();
    await Bun.sleep(5);
    expect(seen).toEqual([]);
    listings.resolve();
    expect((await first).status).toBe(200);
    app.db.update(users).set({ subscriptionType: 'free' }).run();
    const answer = (await (await once()).json()) as { accessToken: string };
    expect(seen).toEqual(['premium', 'premium']);
    expect(app.db.select().from(users).all()).toMatchObject([{ subscriptionType: 'premium' }]);
    const settings = await app.request('GET', '/api/settings', { as: { token: answer.accessToken } });
    expect(settings.json).toMatchObject({ username: 'premium' });
    app.close();
  });

  test('no password opens a demo account, and outside test mode its sessions end', async () => {
    const app = createTestApp(inTestMode);
    const answer = await app.request('POST', '/api/test/seed', { body: { username: 'admin' } });
    const { accessToken: token } = answer.json as { accessToken: string };
    for (const password of ['!seeded', '', PASSWORD]) {
      const login = await app.request('POST', '/api/login', { body: { identifier: 'admin', password } });
      expect([400, 401]).toContain(login.status);
    }
    expect((await app.request('GET', '/api/settings', { as: { token } })).status).toBe(200);
    retireDemoAccounts(app);
    expect((await app.request('GET', '/api/settings', { as: { token } })).status).toBe(401);
    app.close();
  });
});
