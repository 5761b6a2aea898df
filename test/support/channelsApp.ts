import { createTestApp, type TestApp, type TestAppOptions } from './testApp.ts';
import type { BroadcastView, ChannelView } from '#admin/channels/answers/channels.ts';

export const DISCORD_ID = '1234567890123456789';
export const TELEGRAM_ID = '-1001234567890';

/** Both platforms have a token; nothing is sent until the outbox is started. */
export const BOTH_BOTS = {
  BELLBIRD_TELEGRAM_TOKEN: '123456:fake-telegram-token-of-the-tests-0000',
  BELLBIRD_DISCORD_TOKEN: 'fake.discord.token-of-the-tests',
};

export const channelsApp = (options: TestAppOptions = {}): TestApp =>
  createTestApp({ ...options, env: { ...BOTH_BOTS, ...options.env } });

async function channelOf(app: TestApp, method: string, path: string, body: object): Promise<ChannelView> {
  const answer = await app.request(method, path, { as: 'admin', body });
  if (answer.status !== 200) throw new Error(answer.text);
  return (answer.json as { channel: ChannelView }).channel;
}

/** Adds a channel, on Discord by default. */
export const addChannel = (app: TestApp, change: object = {}): Promise<ChannelView> =>
  channelOf(app, 'POST', '/api/admin/channels', {
    name: 'News',
    platform: 'discord',
    chatId: DISCORD_ID,
    subscribed: 1,
    ...change,
  });

export const changeChannel = (app: TestApp, id: number, change: object): Promise<ChannelView> =>
  channelOf(app, 'PUT', `/api/admin/channels/${id}`, change);

export async function listChannels(app: TestApp): Promise<ChannelView[]> {
  const answer = await app.request('GET', '/api/admin/channels', { as: 'admin' });
  return (answer.json as { channels: ChannelView[] }).channels;
}

export async function listBroadcasts(app: TestApp): Promise<BroadcastView[]> {
  const answer = await app.request('GET', '/api/admin/channels/broadcasts', { as: 'admin' });
  return (answer.json as { broadcasts: BroadcastView[] }).broadcasts;
}
