import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { MessageView } from '#admin/channels/answers/channels.ts';
import { type FakeDiscord, startFakeDiscord } from '#support/fakeDiscord.ts';
import { type FakeTelegram, startFakeTelegram } from '#support/fakeTelegram.ts';
import { addChannel, channelsApp, DISCORD_ID, listChannels, TELEGRAM_ID } from '#support/channelsApp.ts';
import type { TestApp } from '#support/testApp.ts';
import { waitUntil } from '#support/waitUntil.ts';

let telegram: FakeTelegram;
let discord: FakeDiscord;
let app: TestApp;

beforeEach(async () => {
  telegram = startFakeTelegram();
  discord = startFakeDiscord();
  app = channelsApp({ env: { BELLBIRD_TELEGRAM_URL: telegram.url, BELLBIRD_DISCORD_URL: discord.url } });
  app.parts.outbox.start();
});
afterEach(async () => {
  await app.parts.telegramBot.stop?.();
  await app.parts.outbox.stop();
  app.close();
  await telegram.stop();
  await discord.stop();
});

type Answer = { messages: MessageView[]; note: string | null; error?: string };
async function read(id: number, query = ''): Promise<{ status: number } & Answer> {
  const answer = await app.request('GET', `/api/admin/channels/${id}/messages${query}`, { as: 'admin' });
  return { status: answer.status, ...(answer.json as Answer) };
}
async function send(channelIds: number[], message: string): Promise<void> {
  const answer = await app.request('POST', '/api/admin/channels/broadcast', {
    as: 'admin',
    body: { message, channelIds },
  });
  if (answer.status !== 200) throw new Error(answer.text);
}
const author = { id: '5', username: 'anna', global_name: 'Anna' };
const post = (id: number, content: string, attachments: unknown[] = []) => ({
  id: String(id),
  content,
  attachments,
  author,
  timestamp: '2026-11-18T00:00:00.000Z',
});

describe('recent Discord messages', () => {
  test('are listed newest first, with attachments by name', async () => {
    const { id } = await addChannel(app);
    discord.post(DISCORD_ID, post(1, 'first'));
    const file = {
      id: '9',
      filename: 'chart.png',
      content_type: 'image/png',
      url: 'https://cdn.test/chart.png',
      size: 1,
    };
    const odd = { id: '10', filename: 'x', url: 'javascript:alert(1)' };
    discord.post(DISCORD_ID, post(2, '<b>bold</b>', [file, odd]));
    const { messages, note } = await read(id, '?limit=20');
    expect(messages).toEqual([
      {
        message_id: '2',
        timestamp: '2026-11-18T00:00:00.000Z',
        platform: 'discord',
        content: '<b>bold</b>',
        author: { id: '5', display_name: 'Anna', username: 'anna' },
        attachments: [
          { id: '9', name: 'chart.png', content_type: 'image/png', url: 'https://cdn.test/chart.png' },
          { id: '10', name: 'x', content_type: null, url: null },
        ],
      },
      expect.objectContaining({ message_id: '1', content: 'first' }),
    ]);
    expect(note).toBeNull();
    expect(discord.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `GET /channels/${DISCORD_ID}/messages`,
    ]);
  });

  test.each([
    [
      { kind: 'status', status: 403, body: { code: 50001, message: 'Missing Access' } },
      'The bot cannot see this Discord channel. Add it to the server and let it view the channel.',
    ],
    [{ kind: 'status', status: 500 }, 'Discord answered with status 500.'],
    [{ kind: 'garbage' }, 'Discord answered with a body that is not JSON.'],
  ] as const)('that cannot be read (%p) say why', async (fault, error) => {
    const { id } = await addChannel(app);
    discord.setFault('/messages', fault);
    expect(await read(id)).toMatchObject({ status: 502, error });
  });
});

describe('recent Telegram messages', () => {
  const CHANNEL = Number(TELEGRAM_ID);
  const chat = { id: CHANNEL, type: 'channel', title: 'News', username: 'Bell_News' };
  const channelPost = (message_id: number, more: object) =>
    telegram.push({
      channel_post: { message_id, date: 1_700_000_000 + message_id, chat, sender_chat: chat, ...more },
    });

  async function listen(): Promise<void> {
    void app.parts.telegramBot.start?.();
    await waitUntil('the bot', () => telegram.isPolled());
  }
  const received = () => Number(app.parts.channels.inspect().summary['heard']);

  test('are those the bot heard since it was added, and those it sent', async () => {
    const { id } = await addChannel(app, { platform: 'telegram', chatId: TELEGRAM_ID });
    await listen();
    channelPost(501, { text: 'posted', author_signature: 'Maggie' });
    channelPost(502, { caption: 'look', photo: [{ file_unique_id: 'a' }, { file_unique_id: 'b' }] });
    channelPost(503, { new_chat_title: 'Renamed' });
    telegram.write(-77, 'elsewhere');
    await waitUntil('two messages', () => received() === 2);
    await send([id], 'from us');
    await waitUntil('ours', () => telegram.sent(CHANNEL).length === 1);
    await waitUntil(
      'its note',
      () => app.parts.outbox.service.sentTo('telegram', TELEGRAM_ID, 20).length === 1,
    );
    const { messages, note } = await read(id);
    expect(
      messages.map(({ content, author: by, attachments }) => [
        by.display_name,
        content,
        attachments.map(({ name }) => name),
      ]),
    ).toEqual([
      ['Bellbird', 'from us', []],
      ['News', 'look', ['Photo']],
      ['Maggie', 'posted', []],
    ]);
    expect(note).toStartWith('Telegram does not show earlier messages to bots.');
  });

  test('are limited to 20 per channel, also if it is addressed by its public name', async () => {
    const { id } = await addChannel(app, { platform: 'telegram', chatId: '@bell_news' });
    await listen();
    for (let count = 1; count <= 30; count += 1) channelPost(count, { text: `post ${count}` });
    await waitUntil('the last', () => received() === 20 && telegram.waiting() === 0);
    const { messages } = await read(id);
    expect([messages.length, messages[0]?.content, messages.at(-1)?.content]).toEqual([
      20,
      'post 30',
      'post 11',
    ]);
  });

  test('show that the bot was removed from a channel until it is back', async () => {
    await addChannel(app, { platform: 'telegram', chatId: TELEGRAM_ID });
    await listen();
    const become = (status: string) =>
      telegram.push({ my_chat_member: { chat, new_chat_member: { status } } });
    become('kicked');
    const broken = async () => (await listChannels(app))[0]?.broken ?? null;
    await waitUntil('the end', () => app.parts.channels.inspect().summary['broken'] === 1);
    expect(await broken()).toBe('The bot is no longer in this Telegram chat. Add it again.');
    become('administrator');
    await waitUntil('the return', () => app.parts.channels.inspect().summary['broken'] === 0);
    expect(await broken()).toBeNull();
  });
});
