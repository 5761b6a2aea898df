import { createLastSeen } from '#platform/http/auth.ts';
import { ReadQueue } from '#platform/http/readQueue.ts';
import { createLog } from '#lib/log.ts';
import { describe, expect, test } from 'bun:test';
import { loginSessions, users } from '#platform/db/schema.ts';
import { createAccounts } from '#subjects/accounts/server/index.ts';
import { createPasswords } from '#subjects/accounts/server/passwords.ts';
import { createHandScheduler } from '#support/handScheduler.ts';
import { createTestApp, PASSWORD, START, type TestApp } from '#support/testApp.ts';
import { appOf } from '#support/appOf.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const login = (app: TestApp, from = '192.0.2.7', identifier = 'anna', password = PASSWORD) =>
  app.request('POST', '/api/login', { body: { identifier, password }, from });
const tokenFrom = (answer: { json: unknown }) => (answer.json as { accessToken: string }).accessToken;
const settingsStatus = async (app: TestApp, token: string) =>
  (await app.request('GET', '/api/settings', { as: { token } })).status;
const sessionsIn = (app: TestApp) => app.db.select().from(loginSessions).all();

describe('the number of sessions per user', () => {
  test('keeps the last 20 of 40 logins, even if the clock stepped back', async () => {
    const app = createTestApp();
    await app.addUser('anna');
    const tokens: string[] = [];
    for (let index = 0; index < 40; index += 1) {
      if (index === 30) app.clock.set(START - 2 * DAY);
      tokens.push(tokenFrom(await login(app)));
    }
    const statuses = await Promise.all(tokens.map((token) => settingsStatus(app, token)));
    expect(statuses).toEqual([
      ...Array.from({ length: 20 }, () => 401),
      ...Array.from({ length: 20 }, () => 200),
    ]);
    expect(sessionsIn(app)).toHaveLength(20);
    app.close();
  });

  test('successful logins have a higher limit, per address', async () => {
    const app = createTestApp();
    await app.addUser('anna');
    const statuses: number[] = [];
    for (let index = 0; index < 61; index += 1) statuses.push((await login(app)).status);
    expect(statuses.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => 200));
    expect(statuses[60]).toBe(429);
    expect((await login(app, '192.0.2.8')).status).toBe(200);
    app.clock.advance(15 * 60_000);
    expect((await login(app)).status).toBe(200);
    app.close();
  });
});

test('removes ended sessions at the start and every night', async () => {
  const app = createTestApp();
  const time = createHandScheduler(START);
  const needs = {
    passwords: createPasswords(),
    randomToken: () => crypto.randomUUID(),
    jwtSecret: 'a secret of the tests, long enough for HS256',
    clientAddress: () => '',
    lastSeen: createLastSeen(),
    reads: new ReadQueue(time),
  };
  const core = {
    db: app.db,
    clock: time,
    log: createLog(() => {}),
    config: { testMode: false, adminTotp: false },
  };
  const part = createAccounts(appOf({ ...core, ...needs, schedule: time.schedule }));
  const anna = await app.addUser('anna');
  await part.service.openSession(anna);
  time.advance(30 * DAY);
  part.start();
  expect(sessionsIn(app)).toHaveLength(0);
  await part.service.openSession(anna);
  time.advance(29 * DAY);
  expect(sessionsIn(app)).toHaveLength(1);
  await part.service.openSession(anna);
  time.advance(DAY);
  expect(part.prune()).toEqual({ removed: 1, hasMore: false });
  expect(sessionsIn(app)).toHaveLength(1);
  app.close();
});

test('changing the password during a login opens no session with the old one', async () => {
  // Called when a session gets its id.
  let change = (): void => {};
  let tokens = 0;
  const randomToken = (): string => {
    change();
    tokens += 1;
    return `token ${tokens}`;
  };
  const app = createTestApp({ runtime: { randomToken } });
  await app.addUser('anna');
  change = () => void app.db.update(users).set({ passwordHash: 'the hash of a new password' }).run();
  const answer = await login(app);
  expect(answer.status).toBe(401);
  expect(answer.json).toEqual({
    authenticated: false,
    accessToken: null,
    accessLevel: null,
    error: 'Invalid username or password',
  });
  expect(sessionsIn(app)).toEqual([]);
  app.close();
});
