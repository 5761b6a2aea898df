import { describe, expect, test } from 'bun:test';
import { linkTokens } from '#src/tables/alertSchema.ts';
import { type Scenario, scenarios } from '#support/scenario.ts';
import { createTestApp, type TestApp } from '#support/testApp.ts';

const CHAT = { platform: 'telegram', chatId: '4711' } as const;
const chats = (app: TestApp) => app.parts.linkedChats.service;
const newToken = (app: TestApp, chatId = '4711', name: string | null = 'Anna') =>
  chats(app).newToken('telegram', chatId, name);

const listed = async (app: TestApp, as: 'free' | 'basic' = 'free') =>
  (await app.request('GET', '/api/settings/linked-chats', { as })).json;

describe('GET /api/settings/linked-chats', () => {
  const base = { method: 'GET', url: '/api/settings/linked-chats' } as const;
  scenarios([
    {
      ...base,
      name: 'user with a chat does not see those of others',
      as: 'free',
      setup: async (app) => {
        chats(app).claim(await app.user('free'), newToken(app));
        chats(app).claim(await app.user('basic'), newToken(app, '-10099', null));
        chats(app).link(await app.user('free'), 'discord', '80351110224678912');
      },
      status: 200,
      json: [
        {
          platform: 'telegram',
          id: '4711',
          display_name: 'Anna',
          label: 'Anna',
          confirmed: true,
          broken: null,
        },
        {
          platform: 'discord',
          id: '80351110224678912',
          display_name: null,
          label: '80351110224678912',
          confirmed: false,
          broken: null,
        },
      ],
    },
  ]);
});

describe('POST /api/settings/link-chat', () => {
  const base = { method: 'POST', url: '/api/settings/link-chat', as: 'free' } as const;
  const refused = (name: string, body: unknown, message: string): Scenario => ({
    ...base,
    name,
    body,
    status: 400,
    contains: ['"success":false', message],
  });
  scenarios([
    {
      ...base,
      name: 'user links a typed ID, which stays silent until it is confirmed',
      body: { chatUserId: ' 4711 ', platform: 'telegram' },
      status: 200,
      json: { success: true, error: null },
      after: async (app) => {
        expect(await listed(app)).toMatchObject([{ id: '4711', confirmed: false }]);
        const { id } = await app.user('free');
        expect(chats(app).confirmed(id)).toEqual([]);
        expect(chats(app).accountOf({ platform: 'telegram', chatId: '4711' })).toBeNull();
      },
    },
    {
      ...refused(
        'a chat of another account',
        { chatUserId: '4711', platform: 'telegram' },
        'another account',
      ),
      setup: async (app) => chats(app).claim(await app.user('basic'), newToken(app)),
    },
    {
      ...refused('an own confirmed chat', { chatUserId: '4711', platform: 'telegram' }, 'already linked'),
      setup: async (app) => chats(app).claim(await app.user('free'), newToken(app)),
    },
    {
      ...refused(
        'an eleventh chat',
        { chatUserId: '99', platform: 'telegram' },
        'You already have 10 linked chats',
      ),
      setup: async (app) => {
        const user = await app.user('free');
        for (let n = 1; n <= 10; n += 1) chats(app).claim(user, newToken(app, String(n)));
      },
    },
  ]);

  test('refuses 31 changes in a minute, and allows more in the next', async () => {
    const app = createTestApp();
    const send = (): Promise<{ status: number; headers: Headers }> =>
      app.request('POST', '/api/settings/link-chat', {
        as: 'free',
        body: { chatUserId: '5', platform: 'telegram' },
      });
    for (let n = 0; n < 30; n += 1) await send();
    const refusal = await send();
    expect(refusal.status).toBe(429);
    expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0);
    app.clock.advance(61_000);
    expect((await send()).status).toBe(200);
    app.close();
  });
});

describe('POST /api/settings/unlink-chat', () => {
  const base = { method: 'POST', url: '/api/settings/unlink-chat', as: 'free' } as const;
  scenarios([
    {
      ...base,
      name: 'user unlinks a chat',
      setup: async (app) => chats(app).claim(await app.user('free'), newToken(app)),
      body: { chatUserId: '4711' },
      status: 200,
      json: { success: true, error: null },
      after: async (app) => expect(await listed(app)).toEqual([]),
    },
    {
      ...base,
      name: "user can't unlink another user's chat",
      setup: async (app) => chats(app).claim(await app.user('basic'), newToken(app)),
      body: { chatUserId: '4711' },
      status: 404,
      contains: ['"success":false', 'not linked to your account'],
      after: async (app) => expect(await listed(app, 'basic')).toMatchObject([{ id: '4711' }]),
    },
  ]);
});

describe('POST /api/link/offer', () => {
  const base = { method: 'POST', url: '/api/link/offer', as: 'free' } as const;
  scenarios([
    {
      ...base,
      name: 'user sees the chat, and the token stays valid',
      setup: async (app) => ({ body: { token: newToken(app) } }),
      status: 200,
      json: { platform: 'telegram', id: '4711', label: 'Anna' },
      after: async (app) => {
        expect(await listed(app)).toEqual([]);
        expect(app.db.select().from(linkTokens).all()).toHaveLength(1);
      },
    },
  ]);
});

describe('POST /api/link/claim', () => {
  const base = { method: 'POST', url: '/api/link/claim', as: 'free' } as const;
  scenarios([
    {
      ...base,
      name: 'user claims a new token, and the chat is confirmed',
      setup: async (app) => ({ body: { token: newToken(app) } }),
      status: 200,
      json: { success: true, error: null },
      after: async (app) => {
        expect(await listed(app)).toMatchObject([{ id: '4711', confirmed: true, display_name: 'Anna' }]);
        expect(chats(app).confirmed((await app.user('free')).id)).toEqual([CHAT]);
        expect(chats(app).accountOf(CHAT)).toMatchObject({ username: 'free' });
        expect(app.db.select().from(linkTokens).all()).toEqual([]);
      },
    },
    {
      ...base,
      name: 'a token that was never issued',
      body: { token: "' OR 1=1 --" },
      status: 400,
      contains: ['"success":false', 'is not valid, or was already used'],
    },
    {
      ...base,
      name: 'a token after ten minutes',
      setup: async (app) => {
        const token = newToken(app);
        app.clock.advance(10 * 60_000);
        return { body: { token } };
      },
      status: 400,
      contains: ['This link has expired'],
    },
    {
      ...base,
      name: 'an earlier token of the same chat',
      setup: async (app) => {
        const token = newToken(app);
        newToken(app);
        return { body: { token } };
      },
      status: 400,
      contains: ['already used'],
    },
    {
      ...base,
      name: 'a chat of another account stays there',
      setup: async (app) => {
        chats(app).claim(await app.user('basic'), newToken(app));
        return { body: { token: newToken(app) } };
      },
      status: 400,
      contains: ['another account'],
      after: async (app) => expect(await listed(app, 'basic')).toMatchObject([{ confirmed: true }]),
    },
  ]);

  test('stores only the hash of a token', () => {
    const app = createTestApp();
    const token = newToken(app);
    const [row] = app.db.select().from(linkTokens).all();
    expect(row?.tokenHash).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(row)).not.toContain(token);
    app.close();
  });

  test('refuses 21 attempts in ten minutes', async () => {
    const app = createTestApp();
    const body = { token: 'guess' };
    for (let n = 0; n < 20; n += 1) await app.request('POST', '/api/link/claim', { as: 'free', body });
    const refusal = await app.request('POST', '/api/link/claim', { as: 'free', body });
    expect(refusal).toMatchObject({ status: 429, json: { success: false } });
    app.close();
  });
});

describe('GET /api/settings/chat-bots', () => {
  const base = { method: 'GET', url: '/api/settings/chat-bots' } as const;
  const off = { configured: false, name: null };
  scenarios([
    {
      ...base,
      name: 'shows one configured bot',
      as: 'free',
      app: { env: { BELLBIRD_TELEGRAM_TOKEN: '123456:a-secret-of-the-tests' } },
      status: 200,
      json: { telegram: { configured: true, name: null }, discord: off },
      absent: ['a-secret'],
    },
  ]);
});
