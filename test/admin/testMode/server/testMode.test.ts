import { describe, expect, test } from 'bun:test';
import { retireDemoAccounts } from '#subjects/accounts/server/demoAccounts.ts';
import { type Scenario, scenarios } from '#support/scenario.ts';
import { createTestApp, PASSWORD } from '#support/testApp.ts';

const inTestMode = { env: { BELLBIRD_TEST: '1' } };
const seed = { method: 'POST', url: '/api/test/seed' } as const;

describe('POST /api/test/seed', () => {
  const unknown = { ...seed, status: 404, json: { error: 'The API has no such address.' } };
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
    { ...unknown, name: 'guest outside test mode without a body' },
    role('admin', 'admin', true),
    role('Admin2', 'admin', true),
    role('premium', 'premium', false),
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

  test('demo accounts have no password login, and outside test mode their sessions end', async () => {
    const app = createTestApp(inTestMode);
    const answer = await app.request('POST', '/api/test/seed', { body: { username: 'admin' } });
    const { accessToken: token } = answer.json as { accessToken: string };
    for (const password of ['!seeded', '', PASSWORD]) {
      const login = await app.request('POST', '/api/login', { body: { identifier: 'admin', password } });
      expect([400, 401]).toContain(login.status);
    }
    expect((await app.request('GET', '/api/settings', { as: { token } })).status).toBe(200);
    retireDemoAccounts(app.services);
    expect((await app.request('GET', '/api/settings', { as: { token } })).status).toBe(401);
    app.close();
  });
});
