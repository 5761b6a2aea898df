import { describe, expect, test } from 'bun:test';
import { getTableName } from 'drizzle-orm';
import {
  alerts,
  alertTriggers,
  linkedChats,
  outbox,
  watchlistItems,
  watchlists,
} from '#src/tables/alertSchema.ts';
import { loginSessions, users } from '#platform/db/schema.ts';
import { PERSONAL_TABLES } from '#subjects/accounts/server/own/personalTables.ts';
import { listenToAlerts } from '#support/alertStreamClient.ts';
import { addAlert, indicatorAbove, withListed } from '#support/alertsApp.ts';
import { board, submit, trade } from '#support/callsApp.ts';
import { scenarios } from '#support/scenario.ts';
import { createTestApp, PASSWORD, type Role, type TestApp } from '#support/testApp.ts';

const remove = (app: TestApp, as: Role = 'free', password = PASSWORD) =>
  app.request('POST', '/api/settings/delete-account', { as, body: { password } });
const linkChat = async (app: TestApp) => {
  const { id: userId } = await app.user('free');
  const now = app.clock.now();
  const chat = { userId, platform: 'telegram' as const, chatId: '4711', createdAt: now, confirmedAt: now };
  app.db.insert(linkedChats).values(chat).run();
};

test('every table that references a user is known to export and deletion', () => {
  const app = createTestApp();
  const rows = app.db.$client
    .query<{ name: string }, []>(
      `SELECT DISTINCT m.name FROM sqlite_master m, pragma_foreign_key_list(m.name) f
       WHERE m.type = 'table' AND f."table" = 'users' ORDER BY m.name`,
    )
    .all();
  expect(PERSONAL_TABLES.map(({ table }) => getTableName(table)).toSorted()).toEqual(
    rows.map(({ name }) => name),
  );
  app.close();
});

describe('POST /settings/delete-account', () => {
  const base = { method: 'POST', url: '/api/settings/delete-account', as: 'free' } as const;
  scenarios([
    {
      ...base,
      name: 'the only administrator',
      as: 'admin',
      body: { password: PASSWORD },
      status: 409,
      contains: ['You are the only administrator.'],
    },
  ]);

  test('if two administrators delete their accounts at the same time, one stays', async () => {
    const app = createTestApp();
    await app.user('admin');
    const second = { token: await app.tokenOf(await app.addUser('second', { isAdmin: true })) };
    const body = { password: PASSWORD };
    const answers = await Promise.all([
      remove(app, 'admin'),
      app.request('POST', '/api/settings/delete-account', { as: second, body }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    app.close();
  });

  test('deletes everything except the calls, and all services forget the user', () =>
    withListed(async (app) => {
      const user = await app.user('free');
      await linkChat(app);
      await addAlert(app, { destinations: { telegram: true } });
      await addAlert(app, { symbol: 'CBA', logic_json: indicatorAbove('rsi', { length: 14 }, 'D') });
      trade(app, 'BHP', 50.5);
      await submit(app);
      expect(app.db.select().from(outbox).all()).toMatchObject([{ status: 'waiting' }]);
      const { demand } = app.parts.indicators.service;
      expect(demand.isOwner(`alerts:${user.id}`)).toBeTrue();
      expect(await board(app)).toMatchObject({ calls: [{ submittedBy: { display: 'free' } }] });
      const window = await listenToAlerts(app, await app.tokenOf(user));

      expect((await remove(app)).json).toEqual({ success: true });
      const name = `Former member ${user.id}`;
      expect(await board(app)).toMatchObject({
        calls: [{ submittedBy: { display: name } }],
        leaderboard: [{ submitter: { display: name } }],
      });
      const left = app.db
        .select()
        .from(users)
        .all()
        .find(({ id }) => id === user.id);
      expect(left).toMatchObject({ username: name, email: null, emailKey: null, passwordHash: '!deleted' });
      expect(left?.deletedAt).toBe(app.clock.now());
      for (const table of [alerts, alertTriggers, linkedChats, outbox, watchlistItems]) {
        expect(app.db.select().from(table).all()).toEqual([]);
      }
      expect(
        app.db
          .select()
          .from(loginSessions)
          .all()
          .filter(({ userId }) => userId === user.id),
      ).toEqual([]);
      expect(demand.isOwner(`alerts:${user.id}`)).toBeFalse();
      expect(app.parts.alerts.inspect().summary).toMatchObject({ alerts: 0 });
      await window.until(({ account }) => account.some(({ event }) => event === 'sessions_ended'));
      expect((await app.request('GET', '/api/settings', { as: 'free' })).status).toBe(401);
      trade(app, 'BHP', 40);
      trade(app, 'BHP', 51);
      expect(app.lines.filter(({ level }) => level === 'error')).toEqual([]);
    }));

  test('frees the name and the email, and the neutral name cannot log in', async () => {
    const app = createTestApp();
    const gone = await app.addUser('Maggie', { email: 'maggie@example.com' });
    const as = { token: await app.tokenOf(gone) };
    await app.request('POST', '/api/settings/delete-account', { as, body: { password: PASSWORD } });
    const register = (username: string, email?: string) =>
      app.request('POST', '/api/register', {
        body: { username, email, password: PASSWORD, platform: 'web' },
      });
    expect((await register('maggie', 'Maggie@example.com')).status).toBe(200);
    expect((await register(`former member ${gone.id}`)).status).toBe(409);
    for (const identifier of [`Former member ${gone.id}`, 'maggie@example.org']) {
      for (const password of [PASSWORD, '!deleted', '']) {
        const answer = await app.request('POST', '/api/login', { body: { identifier, password } });
        expect(answer.status).toBe(password === '' ? 400 : 401);
      }
    }
    app.close();
  });

  test('is refused for demo accounts, which have no password', async () => {
    const app = createTestApp({ env: { BELLBIRD_TEST: '1' } });
    const seeded = await app.request('POST', '/api/test/seed', { body: { username: 'demo' } });
    const as = { token: (seeded.json as { accessToken: string }).accessToken };
    const answer = await app.request('POST', '/api/settings/delete-account', {
      as,
      body: { password: '!seeded' },
    });
    expect([answer.status, answer.json]).toEqual([403, { error: 'A demo account has no password.' }]);
    app.close();
  });
});

test('GET /settings/export returns all data of the user, without secrets or other users’ data', () =>
  withListed(async (app) => {
    await linkChat(app);
    await addAlert(app, { destinations: { telegram: true } });
    trade(app, 'BHP', 50.5);
    await submit(app);
    const other = await app.addUser('somebody', { email: 'somebody@example.com' });
    const [list] = app.db
      .insert(watchlists)
      .values({ userId: other.id, name: 'Theirs', position: 0, createdAt: 1 })
      .returning({ listId: watchlists.id })
      .all();
    if (!list) throw new Error('No list was made.');
    app.db
      .insert(watchlistItems)
      .values({ ...list, userId: other.id, symbol: 'XYZ', createdAt: 1 })
      .run();
    const answer = await app.request('GET', '/api/settings/export', { as: 'free' });
    expect(answer.headers.get('content-disposition')).toContain('attachment');
    const data = answer.json as Record<string, unknown>;
    expect(data).toMatchObject({
      exportedAt: new Date(app.clock.now()).toISOString(),
      account: { username: 'free', subscriptionType: 'free' },
      linkedChats: [{ platform: 'telegram', chatId: '4711' }],
      watchlist: [{ symbol: 'BHP' }],
      alerts: [{ symbol: 'BHP', name: 'Breakout' }],
      firings: [{ symbol: 'BHP' }],
      messages: [{ chatId: '4711', status: 'waiting' }],
      calls: [{ symbol: 'BHP' }],
    });
    expect(Object.keys(data)).toEqual(expect.arrayContaining(PERSONAL_TABLES.map(({ name }) => name)));
    const secrets = [
      ...app.db
        .select()
        .from(users)
        .all()
        .map(({ passwordHash }) => passwordHash),
      ...app.db
        .select()
        .from(loginSessions)
        .all()
        .map(({ id }) => id),
      'somebody',
      'XYZ',
    ];
    for (const secret of secrets) expect(answer.text).not.toContain(secret);
  }));
