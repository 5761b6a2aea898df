import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { facts, users } from '#platform/db/schema.ts';
import { publicAddress, setupLink } from '#subjects/accounts/server/setupLink.ts';
import { createTestApp, type TestApp } from '#support/testApp.ts';

let app: TestApp;
beforeEach(() => {
  app = createTestApp();
});
afterEach(() => app.close());

const register = (username: string, setupToken: string) =>
  app.request('POST', '/api/register', { body: { username, password: 'secret', setupToken } });

const tokenFor = (): string => {
  const token = app.parts.accounts.service.createSetupToken();
  if (token === null) throw new Error('A set-up token was expected.');
  return token;
};

describe('the set-up link', () => {
  test('makes its first user an administrator, once', async () => {
    const token = tokenFor();
    expect(JSON.stringify(app.db.select().from(facts).all())).not.toContain(token);
    const first = await register('first', token);
    expect(first.json).toMatchObject({ authenticated: true, accessLevel: 4 });
    const second = await register('second', token);
    expect(second.status).toBe(403);
    expect(second.json).toMatchObject({
      authenticated: false,
      error: expect.stringContaining('set-up link'),
    });
    expect(app.db.select().from(users).all()).toHaveLength(1);
  });

  test('makes one administrator if two people use it at the same moment', async () => {
    const token = tokenFor();
    const answers = await Promise.all(['a1', 'b2', 'c3'].map((name) => register(name, token)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 403, 403]);
    expect(app.db.select().from(users).all()).toMatchObject([{ isAdmin: true }]);
  });

  test('stays valid after a wrong guess and a failed registration', async () => {
    await app.addUser('taken');
    const token = tokenFor();
    expect((await register('anna', 'a guess')).status).toBe(403);
    expect((await register('Taken', token)).status).toBe(409);
    expect((await register('anna', token)).json).toMatchObject({ accessLevel: 4 });
  });

  test('is replaced at the next start, and not made once there is an administrator', async () => {
    const earlier = tokenFor();
    const later = tokenFor();
    expect((await register('anna', earlier)).status).toBe(403);
    app.db.update(users).set({ isAdmin: true }).run();
    await app.user('admin');
    expect((await register('bob', later)).status).toBe(403);
    expect(app.parts.accounts.service.createSetupToken()).toBeNull();
    expect(app.db.select({ key: facts.key }).from(facts).all()).toEqual([{ key: 'push_keys' }]);
  });

  test('is made although demo administrators exist', async () => {
    app.close();
    app = createTestApp({ env: { BELLBIRD_TEST: '1' } });
    expect((await app.request('POST', '/api/test/seed', { body: { username: 'admin' } })).status).toBe(200);
    expect(app.parts.accounts.service.createSetupToken()).toBeString();
  });
});

test.each([
  ['https://b.example', '0.0.0.0', '192.168.1.20', 'https://b.example'],
  [null, '0.0.0.0', '192.168.1.20', 'http://192.168.1.20:3000'],
  [null, '0.0.0.0', null, 'http://localhost:3000'],
  [null, '127.0.0.1', '192.168.1.20', 'http://127.0.0.1:3000'],
  [null, '::1', '192.168.1.20', 'http://[::1]:3000'],
])('with BELLBIRD_PUBLIC_URL %p, host %s and network %p its address is %s', (given, host, lan, address) =>
  expect(publicAddress(given, { host, port: 3000 }, () => lan)).toBe(address),
);

test('has the token in the fragment, which is not sent to any server', () =>
  expect(setupLink('http://b', 'abc')).toBe('http://b/#/register?setup=abc'));
