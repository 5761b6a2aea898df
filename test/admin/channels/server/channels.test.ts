import { describe, expect, test } from 'bun:test';
import { auditEntries } from '#src/tables/administrationSchema.ts';
import { outbox } from '#src/tables/alertSchema.ts';
import {
  addChannel,
  BOTH_BOTS,
  changeChannel,
  channelsApp,
  DISCORD_ID,
  listBroadcasts,
  listChannels,
  TELEGRAM_ID,
} from '#support/channelsApp.ts';
import { scenarios } from '#support/scenario.ts';
import type { TestApp } from '#support/testApp.ts';
import { eachApp } from '#support/eachApp.ts';

const URL = '/api/admin/channels';
const app = { env: BOTH_BOTS };
const NEWS = { name: 'News', platform: 'discord', chatId: DISCORD_ID };
const audit = ({ db }: TestApp) =>
  db
    .select()
    .from(auditEntries)
    .all()
    .map(({ action, target, before, after }) => ({ action, target, before, after }));

scenarios([
  {
    name: 'admin: a new channel, subscribed by default, as specified',
    method: 'POST',
    url: URL,
    as: 'admin',
    app,
    body: NEWS,
    status: 200,
    json: {
      channel: {
        ...NEWS,
        id: 1,
        subscribed: 1,
        sendDaily: 0,
        created_at: '2026-11-18T00:00:00.000Z',
        broken: null,
        hasBot: true,
        summary: null,
      },
    },
    after: (done) =>
      expect(audit(done)).toEqual([{ action: 'add channel', target: 'News', before: null, after: NEWS }]),
  },
  {
    name: 'admin: a channel for an existing chat',
    method: 'POST',
    url: URL,
    as: 'admin',
    app,
    body: { ...NEWS, name: 'Other' },
    status: 400,
    setup: async (made) => void (await addChannel(made)),
    contains: ['This chat is already the channel \\"News\\".', '"field":"chatId"'],
    after: (refused) => expect(audit(refused)).toHaveLength(1),
  },
  {
    name: 'admin: a change to a deleted channel',
    method: 'PUT',
    url: `${URL}/7`,
    as: 'admin',
    app,
    body: { subscribed: 0 },
    status: 404,
    json: { error: 'That channel no longer exists.' },
  },
  {
    name: 'admin: a message to a deleted channel',
    method: 'POST',
    url: `${URL}/broadcast`,
    as: 'admin',
    app,
    body: { message: 'x', channelIds: [9] },
    status: 400,
    contains: ['One of these channels was deleted.'],
  },
  {
    name: 'admin: a message to a platform without a bot',
    method: 'POST',
    url: `${URL}/broadcast`,
    as: 'admin',
    body: { message: 'x', channelIds: [1] },
    setup: async (made) => void (await addChannel(made)),
    status: 400,
    contains: ['this server has no Discord bot. Set BELLBIRD_DISCORD_TOKEN.'],
  },
]);

const made = eachApp(channelsApp);
const send = (channelIds: number[], message = 'The market is open') =>
  made.request('POST', `${URL}/broadcast`, { as: 'admin', body: { message, channelIds } });

describe('a channel', () => {
  test('is switched individually and audited with before and after; no change adds no entry', async () => {
    const { id } = await addChannel(made);
    expect(await changeChannel(made, id, { subscribed: 0 })).toMatchObject({ subscribed: 0, sendDaily: 0 });
    expect(await changeChannel(made, id, { sendDaily: true })).toMatchObject({ subscribed: 0, sendDaily: 1 });
    await changeChannel(made, id, { subscribed: 0 });
    expect(audit(made).slice(1)).toEqual([
      {
        action: 'change channel',
        target: 'News',
        before: { subscribed: true, sendDaily: false },
        after: { subscribed: false, sendDaily: false },
      },
      {
        action: 'change channel',
        target: 'News',
        before: { subscribed: false, sendDaily: false },
        after: { subscribed: false, sendDaily: true },
      },
    ]);
  });

  test('leaves the messages sent to it under its name when deleted', async () => {
    const { id } = await addChannel(made);
    await send([id], 'Hello');
    const answer = await made.request('DELETE', `${URL}/${id}`, { as: 'admin' });
    expect(answer.json).toEqual({ success: true });
    expect(await listChannels(made)).toEqual([]);
    expect((await listBroadcasts(made))[0]?.results).toMatchObject([
      { channelId: null, name: 'News', status: 'waiting' },
    ]);
    expect(audit(made).at(-1)).toMatchObject({ action: 'delete channel', before: NEWS, after: null });
  });
});

describe('a message to channels', () => {
  const both = async () =>
    [
      await addChannel(made),
      await addChannel(made, { name: 'Group', platform: 'telegram', chatId: TELEGRAM_ID }),
    ] as const;

  test('adds one outbox message per channel and one audit entry', async () => {
    const [news, group] = await both();
    const answer = await send([news.id, group.id]);
    expect(answer.json).toMatchObject({
      success: true,
      broadcast: {
        id: 1,
        message: 'The market is open',
        by: 'admin',
        sentAt: '2026-11-18T00:00:00.000Z',
        results: [
          { channelId: news.id, name: 'News', status: 'waiting', reason: null },
          { channelId: group.id, name: 'Group', status: 'waiting' },
        ],
      },
    });
    const rows = made.db.select().from(outbox).all();
    expect(rows).toMatchObject([
      { platform: 'discord', chatId: DISCORD_ID, target: 'channel', userId: null, triggerId: null },
      { platform: 'telegram', chatId: TELEGRAM_ID, target: 'channel' },
    ]);
    expect(audit(made).at(-1)).toEqual({
      action: 'broadcast',
      target: 'News, Group',
      before: null,
      after: { message: 'The market is open' },
    });
  });

  test('goes only to subscribed channels', async () => {
    const { id } = await addChannel(made, { subscribed: 0 });
    const answer = await send([id]);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('is not subscribed, so it can’t be chosen.');
    expect(made.db.select().from(outbox).all()).toEqual([]);
  });

  test('is refused if a platform would cut it, counting escape characters', async () => {
    const [news, group] = await both();
    const long = await send([news.id], 'a'.repeat(1990));
    expect(long.text).toMatch(/too long for Discord: shorten it by \d{1,2} characters/);
    expect((await send([news.id], '*'.repeat(1200))).text).toContain('too long for Discord');
    expect((await send([group.id, news.id], 'a'.repeat(3000))).text).toContain('too long for Discord');
    expect((await send([group.id], 'a'.repeat(4060))).status).toBe(200);
    expect((await send([group.id], 'b'.repeat(4096))).text).toContain('too long for Telegram');
    expect(made.db.select().from(outbox).all()).toHaveLength(1);
  });

  test('is not sent twice by a double click, but later or to other channels it is', async () => {
    const [news, group] = await both();
    expect((await send([news.id])).status).toBe(200);
    const again = await send([news.id]);
    expect(again.status).toBe(400);
    expect(again.text).toContain('was sent to these channels a moment ago');
    // Between the two, a time server set the clock back.
    made.clock.set(made.clock.now() - 2000);
    expect((await send([news.id])).status).toBe(400);
    made.clock.set(made.clock.now() + 2000);
    expect((await send([news.id, group.id])).status).toBe(200);
    made.clock.advance(60_000);
    expect((await send([news.id, group.id])).status).toBe(200);
    // After the clock is set back, earlier messages do not block new ones.
    made.clock.set(made.clock.now() - 3_600_000);
    expect((await send([news.id, group.id])).status).toBe(200);
  });

  test('is limited to ten per minute', async () => {
    const { id } = await addChannel(made);
    for (let count = 0; count < 10; count += 1) await send([id], `message ${count}`);
    const answer = await send([id], 'one more');
    expect(answer.status).toBe(429);
    expect(answer.text).toContain('Too many messages to channels. Try again in');
    expect(await listBroadcasts(made)).toHaveLength(5);
  });
});
