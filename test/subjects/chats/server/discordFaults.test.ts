import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { loadConfig } from '../../../../src/config.ts';
import { createHttpClient } from '../../../../src/lib/httpClient/client.ts';
import { createLog, type LogLine } from '../../../../src/lib/log.ts';
import { timerScheduler } from '../../../../src/lib/scheduler.ts';
import { createDiscordBot } from '../../../../src/platform/discord/bot.ts';
import { createDiscord } from '../../../../src/platform/discord/client.ts';
import type { ChatEvent, ChatReply } from '../../../../src/platform/chatClients/received.ts';
import { type FakeDiscord, startFakeDiscord } from '../../../support/fakeDiscord.ts';
import { waitUntil } from '../../../support/waitUntil.ts';

const WALL = { now: () => Date.now(), monotonic: () => performance.now() };
const ANNA = '80351110224678912';
const BELA = '80351110224678999';
const TOKEN = 'fake.discord.token-of-these-tests';

let fake: FakeDiscord;
let lines: LogLine[];
let events: ChatEvent[];
let reply: (event: ChatEvent) => Promise<ChatReply | null>;
let bot: ReturnType<typeof createDiscordBot>;

const plain = (title: string): ChatReply => ({
  message: { title, lines: [], link: null, buttons: [] },
  edits: false,
});
const texts = (): string[] => events.map((event) => (event.kind === 'text' ? event.text : event.action));
const contents = (user: string): string[] => fake.sent(user).map(({ content }) => content);

beforeEach(async () => {
  fake = startFakeDiscord({ token: TOKEN });
  lines = [];
  events = [];
  reply = async (event) => (event.kind === 'text' ? plain(`said ${event.text}`) : null);
  const { config } = loadConfig({ BELLBIRD_DISCORD_URL: fake.url, BELLBIRD_DISCORD_TOKEN: TOKEN });
  const log = createLog((line) => lines.push(line));
  const discord = createDiscord({ config, http: createHttpClient({ clock: WALL }), clock: WALL });
  if (!discord) throw new Error('There is a token.');
  const handle = async (event: ChatEvent): Promise<ChatReply | null> => {
    events.push(event);
    return reply(event);
  };
  const schedule: typeof timerScheduler = (ms, run) =>
    timerScheduler(ms >= 30_000 ? ms : Math.min(ms, 20), run);
  bot = createDiscordBot({ clock: WALL, log }, { discord, handle, schedule });
  void bot.start?.();
  await waitUntil('a session', () => bot.inspect().summary['state'] === 'up');
});
afterEach(async () => {
  await bot.stop?.();
  await fake.stop();
  expect(JSON.stringify(lines)).not.toContain(TOKEN);
});

const SLOW_DOWN = {
  kind: 'status',
  status: 429,
  body: { retry_after: 0.02, global: false },
  times: 1,
} as const;

describe('what goes wrong at Discord while it is answered', () => {
  test('an answer that is refused for a moment is given again, once', async () => {
    fake.setFault('/messages', { ...SLOW_DOWN, headers: { 'retry-after': '1' } });
    fake.say(ANNA, 'one');
    await waitUntil('the answer', () => contents(ANNA).length === 1);
    fake.setFault('/callback', { ...SLOW_DOWN, headers: { 'retry-after': '1' } });
    const id = fake.command(ANNA, 'price', { code: 'BHP' });
    await waitUntil('the command’s answer', () => fake.answers.has(id));
    expect(contents(ANNA)).toEqual(['**said one**', '**said /price BHP**']);
    const tries = fake.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/messages'));
    expect(tries.length).toBe(2);
  });

  test('a person who takes no messages costs a line, and no other an answer', async () => {
    fake.block(BELA);
    fake.say(BELA, 'to nobody');
    fake.say(ANNA, 'and I?');
    await waitUntil('the answer', () => contents(ANNA).length === 1);
    await waitUntil('the log to tell', () =>
      lines.some(({ message }) => message === 'A chat could not be answered'),
    );
    expect(contents(BELA)).toEqual([]);
  });

  test('a handler that throws costs one answer', async () => {
    reply = async (event) => {
      if (events.length === 1) throw new Error('broken');
      return plain(`after ${event.kind}`);
    };
    fake.say(ANNA, 'one');
    fake.say(ANNA, 'two');
    await waitUntil('the second answer', () => contents(ANNA).length === 1);
    expect(lines.some(({ message }) => message === 'A chat could not be answered')).toBe(true);
  });

  test('a person whose answer hangs holds up no other', async () => {
    const hanging = Promise.withResolvers<void>();
    reply = async (event) => {
      if (event.chatId === BELA) await hanging.promise;
      return plain('here');
    };
    fake.say(BELA, 'hang');
    fake.say(ANNA, 'and I?');
    await waitUntil('the answer', () => contents(ANNA).length === 1);
    hanging.resolve();
  });

  test('one who floods the bot keeps nobody from being heard', async () => {
    for (let n = 0; n < 1500; n += 1) fake.say(BELA, `${n}`);
    fake.say(ANNA, 'off');
    await waitUntil('Anna is heard', () => texts().includes('off'));
    expect(Number(Object(bot.inspect().data()).waiting)).toBeLessThanOrEqual(61);
    await waitUntil('her answer', () => contents(ANNA).includes('**said off**'));
  });
});
