import { describe, expect, test } from 'bun:test';
import { eq } from 'drizzle-orm';
import { users } from '#platform/db/schema.ts';
import { type Scenario, scenarios } from '#support/scenario.ts';
import { createTestApp, PASSWORD, type TestApp } from '#support/testApp.ts';

const refused = (error: string, field?: string) => ({
  authenticated: false,
  accessToken: null,
  accessLevel: null,
  error,
  ...(field === undefined ? {} : { field }),
});
const login = (identifier: string, password = PASSWORD) => ({ identifier, password });

const usersIn = (app: TestApp) => app.db.select().from(users).all();

describe('POST /api/login', () => {
  const base = { method: 'POST', url: '/api/login' } as const;
  const signsIn = (name: string, identifier: string, level: number, setup: Scenario['setup']): Scenario => ({
    ...base,
    name,
    body: login(identifier),
    setup,
    status: 200,
    contains: ['"authenticated":true', `"accessLevel":${level}`, '"error":null'],
    absent: ['argon2', PASSWORD],
  });
  const anna = async (app: TestApp) => {
    await app.addUser('Änna', { email: 'Anna@Example.com' });
  };
  const wrong = { ...base, status: 401, json: refused('Invalid username or password'), setup: anna };
  const missing = (field: string) => ({
    ...base,
    status: 400,
    json: refused('Username and password are required', field),
  });
  scenarios([
    signsIn('guest with the username in decomposed and full-width letters', ' A\u0308ｎｎａ ', 1, anna),
    signsIn('guest with the email in other case', 'ANNA@example.COM', 1, anna),
    signsIn('guest who is an administrator', 'admin', 4, async (app) => void (await app.user('admin'))),
    { ...wrong, name: 'guest with a wrong password', body: login('Änna', 'another password') },
    { ...missing('identifier'), name: 'guest without a name', body: login('  ') },
  ]);

  test('an unknown name costs one hash comparison, like a known name', async () => {
    const verified: string[] = [];
    const app = createTestApp({
      runtime: {
        passwords: {
          hash: async (password) => `hash of ${password}`,
          verify: async (_, hash) => {
            verified.push(hash);
            return false;
          },
        },
      },
    });
    await app.addUser('known');
    await app.request('POST', '/api/login', { body: login('known', 'wrong one') });
    await app.request('POST', '/api/login', { body: login('unknown', 'wrong one') });
    expect(verified).toHaveLength(2);
    expect(verified[0]).toBe(`hash of ${PASSWORD}`);
    app.close();
  });
});

describe('POST /api/register', () => {
  const base = { method: 'POST', url: '/api/register' } as const;
  const form = (username: string, more: object = {}) => ({
    username,
    password: 'secret',
    platform: 'web',
    ...more,
  });
  const nobodyAdded = (app: TestApp) => expect(usersIn(app)).toHaveLength(0);
  const bad = (name: string, body: unknown, field: string, error: string): Scenario => ({
    ...base,
    name,
    body,
    status: 400,
    json: refused(error, field),
    after: nobodyAdded,
  });
  const taken = (name: string, username: string, field: string, error: string, more = {}): Scenario => ({
    ...base,
    name,
    body: form(username, more),
    setup: async (app) => void (await app.addUser('Straße', { email: 'str@example.com' })),
    status: 409,
    json: refused(error, field),
    after: (app) => expect(usersIn(app)).toHaveLength(1),
  });
  const NAME_TAKEN = 'That username is already taken. Choose another one.';
  const EMAIL_TAKEN = 'That email address already belongs to an account. Log in with it, or use another one.';
  scenarios([
    {
      ...base,
      name: 'guest with a valid form becomes a free user, never an administrator',
      body: form('  Anna ', { email: ' anna@example.com ' }),
      status: 200,
      contains: ['"authenticated":true', '"accessLevel":1'],
      after: (app) =>
        expect(usersIn(app)).toMatchObject([{ username: 'Anna', email: 'anna@example.com', isAdmin: false }]),
    },
    {
      ...base,
      name: 'guest requesting rights gets none',
      body: form('Anna', { isAdmin: true, subscriptionType: 'premium', accessLevel: 4 }),
      status: 200,
      contains: ['"accessLevel":1'],
      after: (app) => expect(usersIn(app)).toMatchObject([{ isAdmin: false, subscriptionType: 'free' }]),
    },
    bad(
      'guest without a name and with a short password',
      form('  ', { password: 'x' }),
      'username',
      'Username is required',
    ),
    taken('guest with a name in other case', 'STRASSE', 'username', NAME_TAKEN),
    taken('guest with a taken email', 'Bob', 'email', EMAIL_TAKEN, { email: 'Str@Example.com' }),
  ]);

  test('gives a name to one of two people who request it at the same moment', async () => {
    const app = createTestApp();
    const tries = ['Twin', 'TWIN', 'twin'].map((name) =>
      app.request('POST', '/api/register', { body: form(name) }),
    );
    const statuses = (await Promise.all(tries)).map((answer) => answer.status).sort();
    expect(statuses).toEqual([200, 409, 409]);
    expect(usersIn(app)).toHaveLength(1);
    app.close();
  });
});

describe('sessions', () => {
  const settingsStatus = async (app: TestApp, token: string) =>
    (await app.request('GET', '/api/settings', { as: { token } })).status;

  test('logout ends only the session of its own token', async () => {
    const app = createTestApp();
    const user = await app.addUser('anna');
    const [here, there] = [await app.tokenOf(user), await app.tokenOf(user)];
    expect((await app.request('POST', '/api/logout', { as: { token: here } })).status).toBe(200);
    expect(await settingsStatus(app, here)).toBe(401);
    expect(await settingsStatus(app, there)).toBe(200);
    app.close();
  });

  test('a token expires after thirty days', async () => {
    const app = createTestApp();
    const token = await app.tokenOf(await app.addUser('anna'));
    app.clock.advance(30 * 24 * 3600_000 - 1000);
    expect(await settingsStatus(app, token)).toBe(200);
    app.clock.advance(1000);
    expect(await settingsStatus(app, token)).toBe(401);
    app.close();
  });

  test('rights follow the database, not the token', async () => {
    const app = createTestApp();
    const user = await app.addUser('anna');
    const token = await app.tokenOf(user);
    app.db.update(users).set({ subscriptionType: 'premium', quoteLink: 'asx' }).run();
    const answer = await app.request('GET', '/api/settings', { as: { token } });
    expect(answer.json).toMatchObject({ subscriptionType: 'premium', quoteSite: 'asx' });
    app.db.delete(users).run();
    expect(await settingsStatus(app, token)).toBe(401);
    app.close();
  });

  test('rejects a token that is unsigned, altered or from another server', async () => {
    const app = createTestApp();
    const other = createTestApp({ runtime: { jwtSecret: 'the secret of another server, long enough' } });
    const token = await app.tokenOf(await app.addUser('anna'));
    const foreign = await other.tokenOf(await other.addUser('anna'));
    const [header, payload = '', signature] = token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const forged = [header, encode({ ...claims, uid: 2 }), signature].join('.');
    const unsigned = `${encode({ alg: 'none', typ: 'JWT' })}.${payload}.`;
    for (const bad of [foreign, forged, unsigned, 'nonsense', `${token}x`]) {
      expect(await settingsStatus(app, bad)).toBe(401);
    }
    expect(await settingsStatus(app, `Bearer ${token}`)).toBe(200);
    app.close();
    other.close();
  });
});

const registerAs = (app: TestApp, username: string) =>
  app.request('POST', '/api/register', { body: { username, password: 'a password', platform: 'web' } });

test('refuses a name that looks like any taken one', async () => {
  const app = createTestApp();
  expect((await registerAs(app, 'Mallory')).status).toBe(200);
  for (const name of ['MaIIory', 'Mállory', 'ma11ory']) {
    const answer = await registerAs(app, name);
    expect(answer.status).toBe(409);
    expect(answer.json).toMatchObject({
      error: expect.stringContaining('looks too similar to an existing one'),
      field: 'username',
    });
  }
  for (const name of ['admin', 'BellBird', 'Former user 3']) {
    const answer = await registerAs(app, name);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ error: expect.stringContaining('username is reserved') });
  }
  app.close();
});

test('existing look-alike names still log in, and block similar new names', async () => {
  const app = createTestApp();
  await registerAs(app, 'Mallory');
  app.db.update(users).set({ usernameSkeleton: null, username: 'Аdmin', usernameKey: 'аdmin' }).run();
  const login = await app.request('POST', '/api/login', {
    body: { identifier: 'Аdmin', password: 'a password' },
  });
  expect(login.status).toBe(200);
  expect((await registerAs(app, 'Ann')).status).toBe(200);
  expect(app.db.select().from(users).where(eq(users.username, 'Аdmin')).get()?.usernameSkeleton).toBe(
    'admin',
  );
  app.close();
});
