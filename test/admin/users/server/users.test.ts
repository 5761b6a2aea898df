import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import { eq } from 'drizzle-orm';
import { auditEntries } from '#src/tables/administrationSchema.ts';
import { outbox } from '#src/tables/alertSchema.ts';
import { users } from '#platform/db/schema.ts';
import { scenarios } from '#support/scenario.ts';
import { createTestApp, START, type TestApp } from '#support/testApp.ts';
import { firstStep, turnOn } from '#support/secondFactor.ts';

const TELEGRAM = { env: { BELLBIRD_TELEGRAM_TOKEN: '123456:a-secret-of-the-tests' } };

type User = { id: number; username: string; [member: string]: unknown };
type Page = { users: User[]; next: number | null; total: number };
type Detail = { user: User; linkedChats: { platform: string; id: string; confirmed: boolean }[] };

const search = async (app: TestApp, q = '', before?: number): Promise<Page> =>
  (
    await app.request(
      'GET',
      `/api/admin/users?q=${encodeURIComponent(q)}${before === undefined ? '' : `&before=${before}`}`,
      { as: 'admin' },
    )
  ).json as Page;
const names = (page: Page) => page.users.map(({ username }) => username);
const detail = async (app: TestApp, id: number) =>
  (await app.request('GET', `/api/admin/users/${id}`, { as: 'admin' })).json as Detail;
const put = (app: TestApp, id: number, body: object) =>
  app.request('PUT', `/api/admin/users/${id}`, { as: 'admin', body });
const audited = (app: TestApp) => app.db.select().from(auditEntries).all();
const confirmed = (app: TestApp, user: { id: number; username: string }, chatId: string) => {
  const chats = app.parts.linkedChats.service;
  chats.claim(user, chats.newToken('telegram', chatId, null));
};

let app: TestApp;
let maggie: User & { id: number };
beforeEach(async () => {
  app = createTestApp(TELEGRAM);
  await app.user('admin');
  maggie = (await app.addUser('Maggie', { email: 'Maggie.O@Example.com' })) as unknown as User;
});
afterEach(() => app.close());

describe('GET /api/admin/users', () => {
  const base = { method: 'GET', url: '/api/admin/users' } as const;
  scenarios([
    {
      ...base,
      name: 'administrator sees the specified members of each user, and no password',
      as: 'admin',
      setup: async (app) => {
        const free = await app.user('free');
        confirmed(app, free, '4711');
        app.parts.linkedChats.service.link(free, 'discord', '80351110224678912');
        app.db
          .update(users)
          .set({ promptTokens: 5, completionTokens: 7, requestedSubscriptionType: 'premium' })
          .where(eq(users.id, free.id))
          .run();
      },
      status: 200,
      absent: ['argon2', 'password'],
      after: (_, answer) => {
        const { users: found, next, total } = answer.json as Page;
        expect([next, total]).toEqual([null, 2]);
        expect(found.find(({ username }) => username === 'free')).toEqual({
          id: expect.any(Number),
          username: 'free',
          hasSecondFactor: false,
          email: null,
          subscriptionType: 'free',
          requestedSubscriptionType: 'premium',
          promptTokens: 5,
          completionTokens: 7,
          isAdmin: false,
          telegramCount: 1,
          discordCount: 1,
          created_at: new Date(START).toISOString(),
        });
      },
    },
    { ...base, url: `${base.url}?before=x`, name: 'an invalid page', as: 'admin', status: 400 },
    { ...base, url: `${base.url}?q=${'x'.repeat(300)}`, name: 'a long search', as: 'admin', status: 400 },
  ]);

  test('finds by name and email in any spelling, and treats wildcards literally', async () => {
    await app.addUser('50%_off');
    await app.addUser('Ärger', { email: 'straße@example.com' });
    for (const q of ['maggie', 'AGGI', ' maggie ', 'ｍａｇｇｉｅ', 'o@example', 'MAGGIE.O@']) {
      expect(names(await search(app, q))).toEqual(['Maggie']);
    }
    expect(names(await search(app, 'ärg'))).toEqual(['Ärger']);
    expect(names(await search(app, 'STRASSE@'))).toEqual(['Ärger']);
    expect(names(await search(app, '%'))).toEqual(['50%_off']);
    expect(names(await search(app, '_'))).toEqual(['50%_off']);
    expect(names(await search(app, "'; DROP TABLE users; --"))).toEqual([]);
    expect(names(await search(app, '   '))).toEqual(['Ärger', '50%_off', 'Maggie', 'admin']);
  });

  test('returns pages of fifty, newest first, each user once even if others register between pages', async () => {
    const rows = Array.from({ length: 118 }, (_, index) => ({
      username: `user ${index}`,
      usernameKey: `user ${index}`,
      passwordHash: '-',
      createdAt: START,
    }));
    app.db.insert(users).values(rows).run();
    const seen: string[] = [];
    let page = await search(app);
    expect([page.users.length, page.total]).toEqual([50, 120]);
    for (;;) {
      seen.push(...names(page));
      if (page.next === null) break;
      await app.addUser(`late ${page.next}`);
      page = await search(app, '', page.next);
    }
    expect(seen).toEqual([...rows.map(({ username }) => username).reverse(), 'Maggie', 'admin']);
  });

  test('leaves out deleted accounts, and answers 404 for them', async () => {
    const { id } = maggie;
    app.db.update(users).set({ deletedAt: START }).where(eq(users.id, id)).run();
    expect(names(await search(app))).toEqual(['admin']);
    expect((await app.request('GET', `/api/admin/users/${id}`, { as: 'admin' })).status).toBe(404);
    expect((await put(app, id, { subscriptionType: 'premium' })).status).toBe(404);
    expect(audited(app)).toEqual([]);
  });
});

describe('PUT /api/admin/users/{id}', () => {
  const body = { telegramId: null, discordId: null, requestedSubscriptionType: null };
  test.each([
    [{ telegramId: '@maggie' }, 'telegramId', 'A Telegram ID is a whole number'],
    [{ discordId: '12' }, 'discordId', 'A Discord ID is a number of 17 to 20 digits'],
    [
      { requestedSubscriptionType: 'gold' },
      'requestedSubscriptionType',
      'The requested upgrade must be none',
    ],
    [{ subscriptionType: 'gold' }, 'subscriptionType', 'The plan must be free'],
    [
      { subscriptionType: 'premium', requestedSubscriptionType: 'basic' },
      'requestedSubscriptionType',
      'The requested upgrade must be above the current plan',
    ],
  ])('refuses %j', async (sent, field, message) => {
    const answer = await put(app, maggie.id, { telegramId: '77', ...sent });
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ field, error: expect.stringContaining(message) });
    // Nothing of it was saved.
    expect((await detail(app, maggie.id)).linkedChats).toEqual([]);
    expect(audited(app)).toEqual([]);
  });

  test('asks a typed chat to confirm, and sends nothing else until it does', async () => {
    const answer = await put(app, maggie.id, { ...body, telegramId: ' 4711 ' });
    expect(answer.json).toMatchObject({
      user: { telegramId: '4711', telegramCount: 1 },
      linkedChats: [{ platform: 'telegram', id: '4711', confirmed: false }],
    });
    expect(app.parts.linkedChats.service.confirmed(maggie.id)).toEqual([]);
    const asked = app.db.select().from(outbox).all();
    expect(asked.map(({ chatId }) => chatId)).toEqual(['4711']);
    // Saving again neither asks again nor adds an audit entry.
    await put(app, maggie.id, { ...body, telegramId: '4711' });
    expect(app.db.select().from(outbox).all()).toHaveLength(1);
    expect(audited(app)).toMatchObject([
      {
        action: 'edit user',
        target: 'Maggie',
        before: { telegramId: null },
        after: { telegramId: '4711' },
      },
    ]);
  });

  test('refuses the confirmed chat of another account, and leaves it there', async () => {
    const free = await app.user('free');
    confirmed(app, free, '4711');
    const answer = await put(app, maggie.id, { telegramId: '4711', subscriptionType: 'premium' });
    expect(answer.json).toEqual({
      error: 'That chat is linked to another account. Send /unlink there first.',
      field: 'telegramId',
    });
    expect((await detail(app, maggie.id)).user.subscriptionType).toBe('free');
    expect(app.parts.linkedChats.service.confirmed(free.id)).toHaveLength(1);
  });

  test('makes a user premium immediately, notifies open windows, and closes the request for it', async () => {
    const accountChanged = spyOn(app.parts.alerts.service.notifier, 'accountChanged');
    const as = { token: await app.tokenOf(await app.user('free')) };
    const free = await app.user('free');
    app.db.update(users).set({ requestedSubscriptionType: 'premium' }).where(eq(users.id, free.id)).run();
    const answer = await put(app, free.id, { subscriptionType: 'premium' });
    expect(answer.json).toMatchObject({
      user: { subscriptionType: 'premium', requestedSubscriptionType: null },
    });
    expect(accountChanged.mock.calls.map(([id, state]) => [id, state.accessLevel])).toEqual([[free.id, 3]]);
    expect((await app.request('GET', '/api/settings', { as })).json).toMatchObject({
      subscriptionType: 'premium',
      requestedSubscriptionType: null,
    });
    expect(audited(app)).toMatchObject([
      {
        before: { subscriptionType: 'free', requestedSubscriptionType: 'premium' },
        after: { subscriptionType: 'premium', requestedSubscriptionType: null },
      },
    ]);
    // Chats are not shown in any window.
    await put(app, maggie.id, { telegramId: '5' });
    expect(accountChanged).toHaveBeenCalledTimes(1);
  });

  test('does not change fields that were sent as seen, even if they have changed since', async () => {
    const seen = { ...body, subscriptionType: 'free' };
    // While the form is open, the user links a chat and requests a plan.
    confirmed(app, maggie, '4711');
    await app.request('POST', '/api/settings/request-upgrade', {
      as: { token: await app.tokenOf(await app.user('basic')) },
      body: { level: 'premium' },
    });
    await put(app, maggie.id, { ...seen, discordId: '80351110224678912', seen });
    const { linkedChats } = await detail(app, maggie.id);
    expect(linkedChats.map(({ id }) => id)).toEqual(['4711', '80351110224678912']);
    expect(audited(app)).toMatchObject([{ before: { discordId: null } }]);
  });
});

describe('second factors', () => {
  type View = { id: number; hasSecondFactor: boolean };

  describe('two-factor login of others', () => {
    test('is shown, and an administrator can clear it, with an audit entry', async () => {
      const user = await app.user('free');
      await turnOn(app, { token: await app.tokenOf(user) });
      const list = await app.request('GET', '/api/admin/users', { as: 'admin' });
      const shown = (list.json as { users: View[] }).users.map((one) => [one.id, one.hasSecondFactor]);
      expect(shown).toContainEqual([user.id, true]);
      expect(shown.filter(([, has]) => has)).toHaveLength(1);
      const path = `/api/admin/users/${user.id}/clear-second-factor`;
      const cleared = await app.request('POST', path, { as: 'admin' });
      expect((cleared.json as { user: View }).user.hasSecondFactor).toBe(false);
      expect((await firstStep(app, 'free')).answer.status).toBe(200);
      expect((await app.request('POST', path, { as: 'admin' })).status).toBe(409);
      const audit = await app.request('GET', '/api/admin/audit', { as: 'admin' });
      expect(audit.text).toContain('clear second factor');
    });

    test('can only be turned off for oneself in Settings', async () => {
      const admin = await app.user('admin');
      const token = await app.tokenOf(admin);
      await turnOn(app, { token });
      const path = `/api/admin/users/${admin.id}/clear-second-factor`;
      expect((await app.request('POST', path, { as: { token } })).status).toBe(400);
    });
  });

  test('BELLBIRD_ADMIN_TOTP blocks only administration until two-factor login is on', async () => {
    app.close();
    app = createTestApp({ env: { BELLBIRD_ADMIN_TOTP: '1' } });
    const token = await app.tokenOf(await app.user('admin'));
    const as = { token };
    const refused = await app.request('GET', '/api/admin/users', { as });
    expect(refused.status).toBe(403);
    expect((refused.json as { error: string }).error).toContain('requires two-factor login');
    expect((refused.json as { field: string }).field).toBe('secondFactor');
    expect((await app.request('GET', '/api/settings', { as })).status).toBe(200);
    const stand = await app.request('GET', '/api/settings/second-factor', { as });
    expect(stand.json).toEqual({ on: false, demanded: true, recoveryCodesLeft: 0 });
    await turnOn(app, as);
    expect((await app.request('GET', '/api/admin/users', { as })).status).toBe(200);
    const free = await app.request('GET', '/api/admin/users', { as: 'free' });
    expect((free.json as { error: string }).error).toBe('This is for administrators only.');
    expect((free.json as { field?: string }).field).toBeUndefined();
  });
});
