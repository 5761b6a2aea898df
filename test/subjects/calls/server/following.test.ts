import { beforeEach, describe, expect, test } from 'bun:test';
import { callNotices } from '#src/tables/callSchema.ts';
import { linkedChats, outbox } from '#src/tables/alertSchema.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { MAX_NEW_CALLS_A_DAY } from '#subjects/calls/rules/followMessage.ts';
import { linkChat } from '#support/alertsApp.ts';
import { sendDigests } from '#subjects/quietHours/server/index.ts';
import { list, submit, trade } from '#support/callsApp.ts';
import { eachApp } from '#support/eachApp.ts';
import { createTestApp, PASSWORD } from '#support/testApp.ts';

const app = eachApp();

/** The free user follows the premium one. */
const follow = (name = 'premium', isFollowed = true, as: 'free' | 'premium' | 'guest' = 'free') =>
  app.request('PUT', `/api/calls/follows/${name}`, { as, body: { follow: isFollowed } });
const mute = (symbol: string, isMuted: boolean) =>
  app.request('PUT', `/api/calls/mutes/${symbol}`, { as: 'free', body: { mute: isMuted } });
const follows = async () => (await app.request('GET', '/api/calls/follows', { as: 'free' })).json;

const rows = () => app.db.select().from(outbox).orderBy(outbox.id).all();
/** As they would be sent now. */
const messages = (): ChatMessage[] =>
  rows().flatMap(({ userId, message }) =>
    'note' in message
      ? (app.parts.calls.service.following.messageOf(userId ?? 0, message.note) ?? [])
      : message,
  );
const titles = (): string[] => messages().map(({ title }) => title);

const moderate = async (publicId: string, adminStatus: string) => {
  const body = { adminStatus };
  await app.request('POST', `/api/admin/calls/${publicId}/admin-status`, { as: 'admin', body });
};

const WAITING = { callType: 'buy', entryPrice: 39 };
const LIFE = [
  'BHP new call',
  'BHP call filled at 38.5',
  'BHP target reached at 44',
  'BHP stop reached at 38',
];

beforeEach(async () => {
  list(app);
  await linkChat(app);
  await submit(app, 'premium', { symbol: 'CBA' });
});

describe('a follower', () => {
  test('gets one message for the new call, its fill, target and stop', async () => {
    expect(await follow()).toMatchObject({ status: 200, json: { following: ['premium'], note: null } });
    await submit(app, 'premium', { ...WAITING, rationale: 'Iron ore' });
    for (const price of [38.5, 44, 45, 43, 44.5, 38, 37, 45]) trade(app, 'BHP', price);
    expect(titles()).toEqual(LIFE);
    expect(messages()[0]).toMatchObject({
      lines: [
        'By premium · 11:00 Sydney',
        'Buy at 39, target 44, stop 38',
        'Source: hand. General information only, not financial advice.',
      ],
      buttons: [{ action: 'callmute', label: 'Mute BHP' }],
    });
    expect(JSON.stringify(messages())).not.toContain('Iron ore');
  });

  test('reads that a call is short', async () => {
    Object.assign(app.services.config, { shortCalls: true });
    await follow();
    const stop = { stopLossType: 'TRAILING_PCT', stopLoss: 5 };
    await submit(app, 'premium', { ...WAITING, isShort: true, targetPrice: 36, ...stop });
    app.tick.run();
    const lines = expect.arrayContaining([
      'Short at 39, target 36, stop trailing 5% above the low',
    ]) as string[];
    expect(messages()[0]).toMatchObject({ title: 'BHP new short call', lines });
  });

  test('gets nothing of other submitters, of muted stocks, or after unfollowing', async () => {
    await follow();
    await mute('bhp', true);
    await submit(app, 'premium');
    await submit(app, 'basic', { symbol: 'CBA' });
    app.tick.run();
    expect(titles()).toEqual([]);
    await mute('BHP', false);
    await follow('PREMIUM', false);
    await submit(app, 'premium');
    app.tick.run();
    expect(titles()).toEqual([]);
    expect(await follows()).toEqual({ following: [], muted: [], note: null });
  });

  test('mutes a stock with the button, but only of a submitter that they follow', async () => {
    await follow();
    await submit(app, 'premium');
    app.tick.run();
    const [shown] = messages();
    const [button] = shown?.buttons ?? [];
    const chat = { platform: 'telegram', chatId: '4711', personId: '4711', displayName: null } as const;
    const press = () =>
      app.parts.chatCommands.service.handle({
        ...chat,
        isGroup: false,
        kind: 'button',
        action: 'callmute',
        target: button?.target ?? 0,
        shown: shown ?? null,
      });
    expect(JSON.stringify(await press())).toContain('BHP is muted.');
    expect(await follows()).toMatchObject({ muted: ['BHP'] });
    await follow('premium', false);
    expect(JSON.stringify(await press())).toContain('no longer follow');
  });

  const asPremium = (path: string, body?: unknown) =>
    app.request('POST', path, { as: 'premium', ...(body ? { body } : {}) });
  const withdrawals: [string, 0 | 1, (publicId: string) => Promise<unknown>][] = [
    ['its call is rejected', 1, (publicId) => moderate(publicId, 'rejected')],
    ['its call ends', 1, (publicId) => asPremium(`/api/calls/${publicId}/cancel`)],
    ['they mute the stock', 1, () => mute('BHP', true)],
    ['they unfollow the submitter', 0, () => follow('premium', false)],
    [
      'the submitter deletes the account',
      0,
      () => asPremium('/api/settings/delete-account', { password: PASSWORD }),
    ],
  ];
  test.each(withdrawals)('gets no message after quiet hours if %s', async (_, others, withdraw) => {
    await follow();
    const minute = Math.floor((app.clock.now() / 60_000) % 1440);
    const hours = { active: true, from: minute, until: (minute + 60) % 1440, zone: 'UTC', digest: 'always' };
    await app.request('PUT', '/api/settings/quiet-hours', { as: 'free', body: hours });
    const publicId = await submit(app, 'premium');
    await submit(app, 'premium', { symbol: 'CBA', callType: 'buy', entryPrice: 90, targetPrice: 99 });
    app.tick.run();
    expect(rows().map(({ status }) => status)).toEqual(['held', 'held']);
    await withdraw(publicId);
    app.clock.advance(61 * 60_000);
    sendDigests(app.services, app.parts.quietHours.service);
    const statuses = rows().map(({ status }) => status);
    expect(statuses).toEqual(others === 0 ? ['failed', 'failed'] : ['failed', 'digested', 'waiting']);
    expect(messages().map(({ title }) => title)).toEqual(
      ['CBA new call', 'One message during quiet hours'].slice(0, 2 * others),
    );
  });
});

test('following needs an account, another user, and a submitter with calls', async () => {
  expect((await follow('premium', true, 'guest')).status).toBe(401);
  expect((await follow('premium', true, 'premium')).status).toBe(400);
  await app.user('basic');
  const [known, unknown] = [await follow('basic'), await follow('nobody')];
  expect(known.status).toBe(404);
  expect(known.json).toEqual(unknown.json);
});

test('a message that waits for its turn is not sent once the call is rejected', async () => {
  await follow();
  const publicId = await submit(app, 'premium');
  await moderate(publicId, 'rejected');
  app.tick.run();
  trade(app, 'BHP', 45);
  await moderate(publicId, 'normal');
  app.tick.run();
  expect(titles()).toEqual([]);
});

test('a corrected mark sends no message, and neither does the event when it is found again', async () => {
  await follow();
  const publicId = await submit(app, 'premium');
  trade(app, 'BHP', 45);
  expect(titles()).toEqual(['BHP new call', 'BHP target reached at 45']);
  const correct = (marks: object) =>
    app.request('POST', `/api/admin/calls/${publicId}/corrections`, {
      as: 'admin',
      body: { reason: 'A wrong print', marks },
    });
  expect((await correct({ targetReached: null })).status).toBe(200);
  expect(titles()).toEqual(['BHP new call']);
  trade(app, 'BHP', 46);
  expect((await correct({ stopReached: { price: 38 } })).status).toBe(200);
  app.tick.run();
  expect(titles()).toEqual(['BHP new call', 'BHP target reached at 46']);
});

test('a submitter cannot flood followers with new calls', async () => {
  await follow();
  for (let made = 0; made < MAX_NEW_CALLS_A_DAY + 2; made += 1) {
    const publicId = await submit(app, 'premium');
    app.tick.run();
    await app.request('POST', `/api/calls/${publicId}/cancel`, { as: 'premium' });
  }
  expect(rows()).toHaveLength(MAX_NEW_CALLS_A_DAY);
  app.clock.advance(24 * 3_600_000);
  await submit(app, 'premium');
  app.tick.run();
  expect(rows()).toHaveLength(MAX_NEW_CALLS_A_DAY + 1);
});

test('after a kill each event is sent once, and not after a day', async () => {
  await follow();
  await submit(app, 'premium');
  // Killed before the tick that sends the message.
  const again = createTestApp({ db: app.db, clock: app.clock });
  list(again);
  expect(titles()).toEqual(['BHP new call']);
  const third = createTestApp({ db: app.db, clock: app.clock });
  third.tick.run();
  expect(titles()).toHaveLength(1);
  app.db.update(callNotices).set({ doneUntil: 0 }).run();
  app.clock.advance(25 * 3_600_000);
  createTestApp({ db: app.db, clock: app.clock }).tick.run();
  expect(titles()).toHaveLength(1);
});

test('more followers than one transaction takes all get their message', async () => {
  for (let at = 0; at < 60; at += 1) {
    const user = await app.addUser(`follower${at}`);
    const chat = { userId: user.id, platform: 'telegram' as const, chatId: `chat${at}` };
    const now = app.clock.now();
    app.db
      .insert(linkedChats)
      .values({ ...chat, createdAt: now, confirmedAt: now })
      .run();
    const as = { token: await app.tokenOf(user) };
    await app.request('PUT', '/api/calls/follows/premium', { as, body: { follow: true } });
  }
  await submit(app, 'premium');
  app.tick.run();
  const places = () => app.db.select({ to: outbox.chatId }).from(outbox).all();
  expect(places()).toHaveLength(50);
  app.tick.run();
  expect(places()).toHaveLength(60);
  expect(new Set(places().map(({ to }) => to)).size).toBe(60);
});

test('a deleted account loses its followers and its own follows', async () => {
  await follow();
  await app.request('POST', '/api/settings/delete-account', { as: 'premium', body: { password: PASSWORD } });
  expect(await follows()).toMatchObject({ following: [] });
  await submit(app, 'basic');
  await follow('basic');
  await app.request('POST', '/api/settings/delete-account', { as: 'free', body: { password: PASSWORD } });
  await submit(app, 'basic');
  app.tick.run();
  expect(titles()).toEqual([]);
});
