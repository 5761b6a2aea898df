import { describe, expect, test } from 'bun:test';
import { auditEntries } from '../../../../src/platform/db/administrationSchema.ts';
import { linkedChats, outbox } from '../../../../src/platform/db/alertSchema.ts';
import { users } from '../../../../src/platform/db/schema.ts';
import { listenToAlerts } from '../../../support/alertStreamClient.ts';
import { scenarios } from '../../../support/scenario.ts';
import { createTestApp, type Role, type TestApp } from '../../../support/testApp.ts';

const ask = (app: TestApp, level: unknown, as: Role = 'free') =>
  app.request('POST', '/api/settings/request-upgrade', { as, body: { level } });
const settingsOf = async (app: TestApp, as: Role = 'free') =>
  (await app.request('GET', '/api/settings', { as })).json as Record<string, unknown>;
const pending = async (app: TestApp) =>
  ((await app.request('GET', '/api/admin/upgrade-requests', { as: 'admin' })).json as { requests: unknown[] })
    .requests;
const decide = (app: TestApp, what: 'approve' | 'decline', body: object) =>
  app.request('POST', `/api/admin/${what}-upgrade`, { as: 'admin', body });
const audit = (app: TestApp) => app.db.select().from(auditEntries).all();

const waiting = (requestedSubscriptionType: string | null) => ({
  requestedSubscriptionType,
  upgradeDeclinedReason: null,
});

describe('POST /settings/request-upgrade', () => {
  const base = { method: 'POST', url: '/api/settings/request-upgrade' } as const;
  scenarios([
    {
      ...base,
      name: 'basic user, basic',
      as: 'basic',
      body: { level: 'basic' },
      status: 400,
      json: { error: 'You already have the Basic plan.', field: 'level' },
    },
    {
      ...base,
      name: 'free user, no plan, which is ignored',
      as: 'free',
      body: { level: 'admin' },
      status: 200,
      json: waiting(null),
    },
  ]);

  test('a request waits, another takes its place, and it can be withdrawn', async () => {
    const app = createTestApp();
    await ask(app, 'basic');
    expect(await settingsOf(app)).toMatchObject({ requestedSubscriptionType: 'basic', accessLevel: 1 });
    await ask(app, 'nonsense');
    expect(await settingsOf(app)).toMatchObject({ requestedSubscriptionType: 'basic' });
    await ask(app, 'premium');
    expect(await pending(app)).toMatchObject([{ username: 'free', requestedSubscriptionType: 'premium' }]);
    const withdrawn = await app.request('POST', '/api/settings/withdraw-upgrade', { as: 'free' });
    expect(withdrawn.json).toEqual(waiting(null));
    expect(await pending(app)).toEqual([]);
    app.close();
  });
});

describe('POST /admin/approve-upgrade', () => {
  const base = { method: 'POST', url: '/api/admin/approve-upgrade', as: 'admin' } as const;
  scenarios([
    { ...base, name: 'free user', as: 'free', body: { userId: 1 }, status: 403 },
    { ...base, name: 'administrator, no such user', body: { userId: 99 }, status: 404 },
    {
      ...base,
      name: 'administrator, nobody',
      body: {},
      status: 400,
      json: { error: 'Say which user.', field: 'userId' },
    },
    {
      ...base,
      name: 'administrator, a user without a request',
      setup: async (app) => ({ body: { userId: (await app.user('basic')).id } }),
      status: 409,
      contains: ['The request from basic is no longer pending'],
    },
  ]);

  test('gives the plan at once, tells the open windows and the chats, and is in the audit', async () => {
    const app = createTestApp();
    const user = await app.user('free');
    const now = app.clock.now();
    const chat = {
      userId: user.id,
      platform: 'telegram' as const,
      chatId: '1',
      createdAt: now,
      confirmedAt: now,
    };
    app.db.insert(linkedChats).values(chat).run();
    const token = await app.tokenOf(user);
    const window = await listenToAlerts(app, token);
    await ask(app, 'premium');
    expect(await pending(app)).toEqual([
      {
        id: user.id,
        username: 'free',
        subscriptionType: 'free',
        requestedSubscriptionType: 'premium',
        requestedAt: new Date(now).toISOString(),
      },
    ]);
    const answer = await decide(app, 'approve', { userId: user.id, requestedSubscriptionType: 'premium' });
    expect(answer.json).toEqual({ success: true, username: 'free' });
    expect(await settingsOf(app)).toMatchObject({
      subscriptionType: 'premium',
      accessLevel: 3,
      ...waiting(null),
    });
    await window.until(({ account }) => account.length >= 3);
    expect(window.account.map(({ data }) => data)).toMatchObject([
      { accessLevel: 1, subscriptionType: 'free', requestedSubscriptionType: null },
      { accessLevel: 1, requestedSubscriptionType: 'premium' },
      { accessLevel: 3, subscriptionType: 'premium', requestedSubscriptionType: null },
    ]);
    expect(app.db.select().from(outbox).all()).toMatchObject([
      { chatId: '1', userId: user.id, message: { title: 'You are on the Premium plan' } },
    ]);
    expect(audit(app)).toMatchObject([
      {
        userId: (await app.user('admin')).id,
        action: 'approve upgrade',
        target: 'free',
        before: { subscriptionType: 'free', requestedSubscriptionType: 'premium' },
        after: { subscriptionType: 'premium' },
      },
    ]);
    app.close();
  });

  test('of two administrators one decides, and the other is told', async () => {
    const app = createTestApp();
    const { id: userId } = await app.user('free');
    await ask(app, 'basic');
    await app.user('admin');
    const answers = await Promise.all([
      decide(app, 'approve', { userId }),
      decide(app, 'decline', { userId, reason: 'No' }),
      decide(app, 'approve', { userId }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    expect(audit(app)).toHaveLength(1);
    app.close();
  });

  test('a request that became another one is looked at again', async () => {
    const app = createTestApp();
    const { id: userId } = await app.user('free');
    await ask(app, 'premium');
    const answer = await decide(app, 'approve', { userId, requestedSubscriptionType: 'basic' });
    expect([answer.status, answer.json]).toEqual([
      409,
      { error: 'The request from free is now for Premium. Look at it again.' },
    ]);
    expect(await settingsOf(app)).toMatchObject({
      subscriptionType: 'free',
      requestedSubscriptionType: 'premium',
    });
    app.close();
  });

  test('takes nothing from somebody who was given more meanwhile', async () => {
    const app = createTestApp();
    const { id: userId } = await app.user('free');
    await ask(app, 'basic');
    app.db.update(users).set({ subscriptionType: 'premium' }).run();
    expect((await decide(app, 'approve', { userId })).status).toBe(200);
    expect(await settingsOf(app)).toMatchObject({
      subscriptionType: 'premium',
      requestedSubscriptionType: null,
    });
    app.close();
  });
});

describe('POST /admin/decline-upgrade', () => {
  const base = { method: 'POST', url: '/api/admin/decline-upgrade', as: 'admin' } as const;
  scenarios([
    {
      ...base,
      name: 'administrator without a reason',
      body: { userId: 1 },
      status: 400,
      json: { error: 'Say why: the user will read it', field: 'reason' },
    },
  ]);

  test('the person reads the reason until it is dismissed, or until the next request', async () => {
    const app = createTestApp();
    const { id: userId } = await app.user('free');
    const declined = { upgradeDeclinedReason: 'We are full', requestedSubscriptionType: null };
    const decline = async () => {
      await ask(app, 'basic');
      await decide(app, 'decline', { userId, reason: ' We are\nfull ' });
    };
    await decline();
    expect(await settingsOf(app)).toMatchObject({ ...declined, subscriptionType: 'free' });
    expect(audit(app)).toMatchObject([{ action: 'decline upgrade', reason: 'We are full' }]);
    const window = await listenToAlerts(app, await app.tokenOf(await app.user('free')));
    expect(window.account[0]?.data).toMatchObject(declined);
    await app.request('POST', '/api/settings/dismiss-declined-upgrade', { as: 'free' });
    expect(await settingsOf(app)).toMatchObject(waiting(null));
    await decline();
    await ask(app, 'premium');
    expect(await settingsOf(app)).toMatchObject(waiting('premium'));
    app.close();
  });
});
