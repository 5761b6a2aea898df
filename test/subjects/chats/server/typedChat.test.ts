import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type FakeTelegram, startFakeTelegram } from '../../../support/fakeTelegram.ts';
import { temporaryFolder } from '../../../support/executable.ts';
import { startTestServer, type TestServer } from '../../../support/testServer.ts';
import { waitUntil } from '../../../support/waitUntil.ts';

const ANNA = 4711;

let telegram: FakeTelegram;
let server: TestServer;
let token: string;

beforeAll(async () => {
  telegram = startFakeTelegram();
  server = await startTestServer(await temporaryFolder(), {
    BELLBIRD_TELEGRAM_URL: telegram.url,
    BELLBIRD_TELEGRAM_TOKEN: telegram.token,
  });
  const body = { username: 'anna', password: 'a good password', platform: 'web' };
  token = ((await call('POST', '/register', body)) as { accessToken: string }).accessToken;
});
afterAll(async () => {
  await server.stop();
  await telegram.stop();
});

async function call(method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`${server.url}/api${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: token },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return response.json();
}

type Listed = { id: string; confirmed: boolean; broken: string | null };

/** Asks for the linked chats until there is one that looks as it should. */
async function chatOnce(what: string, isSo: (chat: Listed) => boolean): Promise<Listed> {
  for (let tries = 0; tries < 400; tries += 1) {
    const [chat] = (await call('GET', '/settings/linked-chats')) as Listed[];
    if (chat && isSo(chat)) return chat;
    await Bun.sleep(25);
  }
  throw new Error(`No linked chat ${what}.`);
}

test('a chat that the bot may not write to first is shown as broken, and asks once its person comes', async () => {
  // As Telegram answers for a person who never wrote to the bot.
  telegram.setFault('sendMessage', {
    kind: 'status',
    code: 403,
    description: "Forbidden: bot can't initiate conversation with a user",
  });
  expect(await call('POST', '/settings/link-chat', { platform: 'telegram', chatUserId: '4711' })).toEqual({
    success: true,
    error: null,
  });
  const refused = await chatOnce('is broken', ({ broken }) => broken !== null);
  expect(refused).toMatchObject({
    id: '4711',
    confirmed: false,
    broken: expect.stringMatching(/^[A-Z].{9,}/),
  });

  telegram.setFault('sendMessage', null);
  telegram.say(ANNA, '/start');
  await waitUntil('the question', () => telegram.sent(ANNA).length === 1);
  expect(await chatOnce('is mended', ({ broken }) => broken === null)).toMatchObject({ confirmed: false });
  telegram.press(ANNA, 'Yes, send alerts here');
  await waitUntil('the answer', () => telegram.sent(ANNA)[0]?.text.startsWith('Chat linked') ?? false);
  expect(await chatOnce('is confirmed', ({ confirmed }) => confirmed)).toMatchObject({ broken: null });
});

test('the server names its bots', async () => {
  expect(await call('GET', '/settings/chat-bots')).toEqual({
    telegram: { configured: true, name: telegram.username },
    discord: { configured: false, name: null },
  });
});
