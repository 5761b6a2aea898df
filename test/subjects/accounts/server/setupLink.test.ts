import { describe, expect, test } from 'bun:test';
import { facts, users } from '../../../../src/platform/db/schema.ts';
import { publicAddress, setupLink } from '../../../../src/subjects/accounts/server/setupLink.ts';
import { createTestApp, type TestApp } from '../../../support/testApp.ts';

const register = (app: TestApp, username: string, setupToken: string) =>
  app.request('POST', '/api/register', { body: { username, password: 'secret', setupToken } });

const tokenFor = (app: TestApp): string => {
  const token = app.parts.accounts.service.createSetupToken();
  if (token === null) throw new Error('A set-up token was expected.');
  return token;
};

describe('the set-up link', () => {
  test('makes its first user administrator, once', async () => {
    const app = createTestApp();
    const token = tokenFor(app);
    expect(JSON.stringify(app.db.select().from(facts).all())).not.toContain(token);
    const first = await register(app, 'first', token);
    expect(first.json).toMatchObject({ authenticated: true, accessLevel: 4 });
    const second = await register(app, 'second', token);
    expect(second.status).toBe(403);
    expect(second.json).toMatchObject({
      authenticated: false,
      error: expect.stringContaining('set-up link'),
    });
    expect(app.db.select().from(users).all()).toHaveLength(1);
    app.close();
  });

  test('two people who use it at the same moment make one administrator', async () => {
    const app = createTestApp();
    const token = tokenFor(app);
    const answers = await Promise.all(['a1', 'b2', 'c3'].map((name) => register(app, name, token)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 403, 403]);
    expect(app.db.select().from(users).all()).toMatchObject([{ isAdmin: true }]);
    app.close();
  });

  test('stays good after a wrong guess and a failed registration', async () => {
    const app = createTestApp();
    await app.addUser('taken');
    const token = tokenFor(app);
    expect((await register(app, 'anna', 'a guess')).status).toBe(403);
    expect((await register(app, 'Taken', token)).status).toBe(409);
    expect((await register(app, 'anna', token)).json).toMatchObject({ accessLevel: 4 });
    app.close();
  });

  test('a new start voids the earlier one, and none is made once there is an administrator', async () => {
    const app = createTestApp();
    const earlier = tokenFor(app);
    const later = tokenFor(app);
    expect((await register(app, 'anna', earlier)).status).toBe(403);
    app.db.update(users).set({ isAdmin: true }).run();
    await app.user('admin');
    expect((await register(app, 'bob', later)).status).toBe(403);
    expect(app.parts.accounts.service.createSetupToken()).toBeNull();
    expect(app.db.select({ key: facts.key }).from(facts).all()).toEqual([{ key: 'push_keys' }]);
    app.close();
  });

  test('demo administrators do not count as one', async () => {
    const app = createTestApp({ env: { BELLBIRD_TEST: '1' } });
    expect((await app.request('POST', '/api/test/seed', { body: { username: 'admin' } })).status).toBe(200);
    expect(app.parts.accounts.service.createSetupToken()).toBeString();
    app.close();
  });
});

test.each([
  ['https://b.example', '0.0.0.0', '192.168.1.20', 'https://b.example'],
  [null, '0.0.0.0', '192.168.1.20', 'http://192.168.1.20:3000'],
  [null, '0.0.0.0', null, 'http://localhost:3000'],
  [null, '127.0.0.1', '192.168.1.20', 'http://127.0.0.1:3000'],
  [null, '::1', '192.168.1.20', 'http://[::1]:3000'],
])('with BELLBIRD_PUBLIC_URL %p and host %s in network %p its address is %s', (given, host, lan, address) =>
  expect(publicAddress(given, { host, port: 3000 }, () => lan)).toBe(address),
);

test('it carries the token behind the hash, where no server sees it', () =>
  expect(setupLink('http://b', 'abc')).toBe('http://b/#/register?setup=abc'));
