import { describe, expect, test } from 'bun:test';
import { auditEntries } from '#src/tables/administrationSchema.ts';
import { linkedChats, outbox } from '#src/tables/alertSchema.ts';
import { users } from '#platform/db/schema.ts';
import { listenToAlerts } from '#support/alertStreamClient.ts';
import { scenarios } from '#support/scenario.ts';
import { type Role } from '#support/testApp.ts';
import { eachApp } from '#support/eachApp.ts';

const app = eachApp();

const ask = (level: unknown, as: Role = 'free') =>
  app.request('POST', '/api/settings/request-upgrade', { as, body: { level } });
const settingsOf = async (as: Role = 'free') =>
  (await app.request('GET', '/api/settings', { as })).json as Record<string, unknown>;
const pending = async () =>
  ((await app.request('GET', '/api/admin/upgrade-requests', { as: 'admin' })).json as { requests: unknown[] })
    .requests;
const decide = (what: 'approve' | 'decline', body: object) =>
  app.request('POST', `/api/admin/${what}-upgrade`, { as: 'admin', body });
const audit = () => app.db.select().from(auditEntries).all();

const waiting = (requestedSubscriptionType: string | null) => ({
  requestedSubscriptionType,
  upgradeDeclinedReason: null,
});

describe('POST /settings/request-upgrade', () => {
  const base = { method: 'POST', url: '/api/settings/request-upgrade' } as const;
  scenarios([
    {
      ...base,
      name: 'basic user requesting basic',
      as: 'basic',
      body: { level: 'basic' },
      status: 400,
      json: { error: 'You already have the Basic plan.', field: 'level' },
    },
    {
      ...base,
      name: 'free user requesting an unknown plan, which is ignored',
      as: 'free',
      body: { level: 'admin' },
      status: 200,
      json: waiting(null),
    },
  ]);

  test('a request is pending, can be replaced, and can be withdrawn', async () => {
    await ask('basic');
    expect(await settingsOf()).toMatchObject({ requestedSubscriptionType: 'basic', accessLevel: 1 });
    await ask('nonsense');
    expect(await settingsOf()).toMatchObject({ requestedSubscriptionType: 'basic' });
    await ask('premium');
    expect(await pending()).toMatchObject([{ username: 'free', requestedSubscriptionType: 'premium' }]);
    const withdrawn = await app.request('POST', '/api/settings/withdraw-upgrade', { as: 'free' });
    expect(withdrawn.json).toEqual(waiting(null));
    expect(await pending()).toEqual([]);
  });
});

describe('POST /admin/approve-upgrade', () => {
  const base = { method: 'POST', url: '/api/admin/approve-upgrade', as: 'admin' } as const;
  scenarios([
    { ...base, name: 'administrator with an unknown user', body: { userId: 99 }, status: 404 },
    {
      ...base,
      name: 'administrator without a user',
      body: {},
      status: 400,
      json: { error: 'Choose a user.', field: 'userId' },
    },
    {
      ...base,
      name: 'administrator with a user without a request',
      setup: async (app) => ({ body: { userId: (await app.user('basic')).id } }),
      status: 409,
      contains: ['The request from basic is no longer pending'],
    },
  ]);

  test('changes the plan immediately, notifies windows and chats, and is audited', async () => {
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
    await ask('premium');
    expect(await pending()).toEqual([
      {
        id: user.id,
        username: 'free',
        subscriptionType: 'free',
        requestedSubscriptionType: 'premium',
        requestedAt: new Date(now).toISOString(),
      },
    ]);
    const answer = await decide('approve', { userId: user.id, requestedSubscriptionType: 'premium' });
    expect(answer.json).toEqual({ success: true, username: 'free' });
    expect(await settingsOf()).toMatchObject({
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
    expect(audit()).toMatchObject([
      {
        userId: (await app.user('admin')).id,
        action: 'approve upgrade',
        target: 'free',
        before: { subscriptionType: 'free', requestedSubscriptionType: 'premium' },
        after: { subscriptionType: 'premium' },
      },
    ]);
  });

  test('if two administrators decide at the same time, the second gets a conflict', async () => {
    const { id: userId } = await app.user('free');
    await ask('basic');
    await app.user('admin');
    const answers = await Promise.all([
      decide('approve', { userId }),
      decide('decline', { userId, reason: 'No' }),
      decide('approve', { userId }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    expect(audit()).toHaveLength(1);
  });

  test('refuses to approve a request that has changed', async () => {
    const { id: userId } = await app.user('free');
    await ask('premium');
    const answer = await decide('approve', { userId, requestedSubscriptionType: 'basic' });
    expect([answer.status, answer.json]).toEqual([
      409,
      { error: 'The request from free is now for Premium. Review it again.' },
    ]);
    expect(await settingsOf()).toMatchObject({
      subscriptionType: 'free',
      requestedSubscriptionType: 'premium',
    });
  });

  test('does not lower a plan that was raised in the meantime', async () => {
    const { id: userId } = await app.user('free');
    await ask('basic');
    app.db.update(users).set({ subscriptionType: 'premium' }).run();
    expect((await decide('approve', { userId })).status).toBe(200);
    expect(await settingsOf()).toMatchObject({
      subscriptionType: 'premium',
      requestedSubscriptionType: null,
    });
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
      json: { error: 'Enter a reason. The user will see it', field: 'reason' },
    },
  ]);

  test('shows the reason until the user dismisses it or requests again', async () => {
    const { id: userId } = await app.user('free');
    const declined = { upgradeDeclinedReason: 'We are full', requestedSubscriptionType: null };
    const decline = async () => {
      await ask('basic');
      await decide('decline', { userId, reason: ' We are\nfull ' });
    };
    await decline();
    expect(await settingsOf()).toMatchObject({ ...declined, subscriptionType: 'free' });
    expect(audit()).toMatchObject([{ action: 'decline upgrade', reason: 'We are full' }]);
    const window = await listenToAlerts(app, await app.tokenOf(await app.user('free')));
    expect(window.account[0]?.data).toMatchObject(declined);
    await app.request('POST', '/api/settings/dismiss-declined-upgrade', { as: 'free' });
    expect(await settingsOf()).toMatchObject(waiting(null));
    await decline();
    await ask('premium');
    expect(await settingsOf()).toMatchObject(waiting('premium'));
  });
});
