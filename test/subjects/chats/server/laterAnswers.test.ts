import { afterEach, beforeEach, expect, test } from 'bun:test';
import { loadConfig } from '../../../../src/config.ts';
import { openMemoryDb } from '../../../support/memoryDb.ts';
import { createHttpClient } from '../../../../src/lib/httpClient/client.ts';
import { createLog } from '../../../../src/lib/log.ts';
import { createTelegramBot } from '../../../../src/platform/telegram/bot.ts';
import { createTelegram } from '../../../../src/platform/telegram/client.ts';
import type { ChatMessage } from '../../../../src/subjects/chats/rules/chatMessage.ts';
import type { ChatEvent, ChatReply } from '../../../../src/platform/chatClients/received.ts';
import { type FakeTelegram, startFakeTelegram } from '../../../support/fakeTelegram.ts';
import { waitUntil } from '../../../support/waitUntil.ts';

const WALL = { now: () => Date.now(), monotonic: () => performance.now() };
const ANNA = 4711;
const BORIS = 4712;

let fake: FakeTelegram;
let bot: ReturnType<typeof startBot>;
let coming: PromiseWithResolvers<ChatMessage>;

const message = (title: string): ChatMessage => ({ title, lines: [], link: null, buttons: [] });
const sentTexts = (): string[] => fake.sent(ANNA).map(({ text }) => text);

/** To 'slow' an answer is announced that comes later; anything else is answered at once. */
const handle = async (event: ChatEvent): Promise<ChatReply> =>
  event.kind === 'text' && event.text === 'slow'
    ? { message: message('it comes'), edits: false, answer: coming.promise }
    : { message: message('at once'), edits: false };

function startBot() {
  const { config } = loadConfig({ BELLBIRD_TELEGRAM_URL: fake.url, BELLBIRD_TELEGRAM_TOKEN: fake.token });
  const log = createLog(() => undefined);
  const telegram = createTelegram({ config, http: createHttpClient({ clock: WALL }), clock: WALL });
  if (!telegram) throw new Error('There is a token.');
  const made = createTelegramBot({ db: openMemoryDb(), clock: WALL, log }, { telegram, handle });
  void made.start?.();
  return made;
}

beforeEach(() => {
  fake = startFakeTelegram();
  coming = Promise.withResolvers();
  bot = startBot();
});
afterEach(async () => {
  await bot.stop?.();
  await fake.stop();
});

test('an answer that takes its time is announced, comes later and holds up nobody', async () => {
  fake.say(ANNA, 'slow');
  fake.say(ANNA, 'quick');
  fake.say(BORIS, 'quick');
  await waitUntil('the quick answers', () => sentTexts().length === 2 && fake.sent(BORIS).length === 1);
  expect(sentTexts()).toEqual(['it comes', 'at once']);
  coming.resolve(message('here it is'));
  await waitUntil('the slow answer', () => sentTexts().length === 3);
  expect(sentTexts()[2]).toBe('here it is');
});

test('an answer that is there before it was announced comes after that', async () => {
  coming.resolve(message('here it is'));
  fake.say(ANNA, 'slow');
  await waitUntil('both', () => sentTexts().length === 2);
  expect(sentTexts()).toEqual(['it comes', 'here it is']);
});

test('it is sent also when its announcement was not taken', async () => {
  fake.setFault('sendMessage', { kind: 'status', code: 500, times: 1 });
  fake.say(ANNA, 'slow');
  await waitUntil('an attempt', () => fake.requests.some(({ method }) => method === 'sendMessage'));
  coming.resolve(message('here it is'));
  await waitUntil('the answer', () => sentTexts().includes('here it is'));
});

test('stopping waits a moment for an answer that is on its way', async () => {
  fake.say(ANNA, 'slow');
  await waitUntil('the announcement', () => sentTexts().length === 1);
  const stopped = bot.stop?.();
  coming.resolve(message('we are stopping'));
  await stopped;
  expect(sentTexts()).toEqual(['it comes', 'we are stopping']);
});
