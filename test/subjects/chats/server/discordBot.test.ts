import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { loadConfig } from '#src/config/config.ts';
import { createHttpClient } from '#lib/httpClient/client.ts';
import { createLog, type LogLine } from '#lib/log.ts';
import { type Scheduler, timerScheduler } from '#lib/scheduler.ts';
import { createDiscordBot } from '#platform/discord/bot.ts';
import { createDiscord } from '#platform/discord/client.ts';
import type { ChatEvent, ChatReply } from '#platform/chatClients/received.ts';
import { type FakeDiscord, startFakeDiscord } from '#support/fakeDiscord.ts';
import { waitUntil } from '#support/waitUntil.ts';
import { appOf } from '#support/appOf.ts';

const WALL = { now: () => Date.now(), monotonic: () => performance.now() };
const ANNA = '80351110224678912';
const BELA = '80351110224678999';
const EPHEMERAL = 64;
const TOKEN = 'fake.discord.token-of-these-tests';

let fake: FakeDiscord;
let lines: LogLine[];
let events: ChatEvent[];
let reply: (event: ChatEvent) => Promise<ChatReply | null>;
let bot: ReturnType<typeof startBot>;

const plain = (title: string, more: Partial<ChatReply['message']> = {}): ChatReply => ({
  message: { title, lines: [], link: null, buttons: [], ...more },
  edits: false,
});
const texts = (): string[] => events.map((event) => (event.kind === 'text' ? event.text : event.action));
const contents = (): string[] => fake.sent(ANNA).map(({ content }) => content);

function startBot() {
  const { config } = loadConfig({ BELLBIRD_DISCORD_URL: fake.url, BELLBIRD_DISCORD_TOKEN: TOKEN });
  const log = createLog(lines.push.bind(lines));
  const discord = createDiscord(appOf({ config, http: createHttpClient({ clock: WALL }), clock: WALL }));
  if (!discord) throw new Error('There is a token.');
  const schedule: Scheduler = (ms, run) => timerScheduler(ms >= 30_000 ? ms : Math.min(ms, 20), run);
  const made = createDiscordBot(appOf({ clock: WALL, log, schedule }), discord, async (event) => {
    events.push(event);
    return reply(event);
  });
  void made.start?.();
  return made;
}

async function connected(): Promise<void> {
  await waitUntil('a session', () => bot.inspect().summary['state'] === 'up');
}

beforeEach(async () => {
  fake = startFakeDiscord({ token: TOKEN });
  lines = [];
  events = [];
  reply = async (event) => (event.kind === 'text' ? plain(`said ${event.text}`) : null);
  bot = startBot();
  await connected();
});
afterEach(async () => {
  await bot.stop?.();
  await fake.stop();
  expect(JSON.stringify(lines)).not.toContain(TOKEN);
});

describe('a session', () => {
  test('identifies, registers the commands and answers direct messages in order', async () => {
    await waitUntil('the commands', () => fake.commands().length > 0);
    expect(fake.commands().map(({ name }) => name)).toContain('user_id');
    expect(fake.gateway.identity()).toMatchObject({ token: TOKEN, intents: 1 << 12 });
    for (const text of ['one', 'two', 'three']) fake.write(ANNA, text);
    await waitUntil('three answers', () => fake.sent(ANNA).length === 3);
    expect(contents()).toEqual(['**said one**', '**said two**', '**said three**']);
    expect(events[0]).toMatchObject({ chatId: ANNA, personId: ANNA, displayName: 'Anna', isGroup: false });
    expect(bot.service.username()).toBe(fake.username);
  });

  const breaks: Record<string, () => void> = {
    'the connection is cut': () => fake.gateway.kill(),
    'Discord asks to reconnect': () => fake.gateway.reconnect(),
    'Discord closes for an unknown error': () => fake.gateway.kill(4000),
  };
  for (const [name, happen] of Object.entries(breaks)) {
    test(`${name}: it resumes without losing or repeating a message`, async () => {
      fake.write(ANNA, 'before');
      await waitUntil('the first', () => events.length === 1);
      happen();
      await waitUntil('the break', () => !fake.gateway.isConnected());
      fake.write(ANNA, 'meanwhile');
      await waitUntil('the message during the break', () => events.length === 2);
      expect(fake.gateway.counts).toMatchObject({ identified: 1, resumed: 1 });
      await connected();
      fake.gateway.repeatLast();
      fake.write(ANNA, 'after');
      await waitUntil('the message after it', () => events.length === 3);
      expect(texts()).toEqual(['before', 'meanwhile', 'after']);
    });
  }

  test('a missing heartbeat acknowledgement closes the connection and resumes the session', async () => {
    await bot.stop?.();
    await fake.stop();
    fake = startFakeDiscord({ token: TOKEN, heartbeatMs: 30 });
    fake.gateway.setAcks(false);
    bot = startBot();
    await waitUntil('a resumed session', () => fake.gateway.counts.resumed >= 1);
    fake.gateway.setAcks(true);
    await connected();
  });

  test('an invalid session is replaced by a new one', async () => {
    fake.gateway.invalidate(false);
    await waitUntil('a new session', () => fake.gateway.counts.identified === 2);
    await connected();
    fake.write(ANNA, 'hello');
    await waitUntil('the answer', () => fake.sent(ANNA).length === 1);
  });

  test.each([
    [4004, 'Discord does not accept the token.', 'BELLBIRD_DISCORD_TOKEN'],
    [4014, 'Discord does not allow the bot’s intents.', 'developer portal'],
  ])('a connection closed with %i is explained, with a fix', async (code, says, remedy) => {
    await bot.stop?.();
    bot = startBot();
    expect(bot.service.checkResult()).toBe(null);
    await connected();
    await waitUntil('a good status', () => bot.service.checkResult()?.state === 'ok');
    fake.gateway.refuse(code);
    await waitUntil('the refusal', () => bot.service.checkResult()?.state === 'wrong');
    expect(bot.service.checkResult()).toMatchObject({ says, remedy: expect.stringContaining(remedy) });
    fake.gateway.refuse(null);
    await connected();
    await waitUntil('the good status again', () => bot.service.checkResult()?.state === 'ok');
  });

  test('a stop leaves nothing that reconnects', async () => {
    fake.gateway.kill();
    await bot.stop?.();
    const { opened } = fake.gateway.counts;
    await Bun.sleep(700);
    expect(fake.gateway.counts.opened).toBe(opened);
  });
});

test('other bots, server channels and unknown formats are ignored', async () => {
  fake.write(ANNA, 'from a bot', { bot: true });
  const author = { id: ANNA, username: 'anna' };
  for (const data of [
    { id: '1', channel_id: '2', author, content: 'in a server', guild_id: '5' },
    { id: '1', channel_id: '2', content: 'from nobody' },
    { id: 7, channel_id: ['2'], author: 'anna', content: { a: 1 } },
    null,
    'text',
  ]) {
    fake.gateway.dispatch('MESSAGE_CREATE', data);
  }
  for (const data of [{}, { id: '1', type: 2, data: {} }, { id: 'x', token: 5, type: 3 }]) {
    fake.gateway.dispatch('INTERACTION_CREATE', data);
  }
  fake.gateway.dispatch('SOMETHING_NEW', { a: 1 });
  const frames = [
    'this is no JSON',
    'null',
    '[]',
    '{"op":10}',
    '{"op":9}',
    '{"op":0,"t":"READY","d":null,"s":1}',
  ];
  for (const frame of frames) fake.gateway.sendRaw(frame);
  await waitUntil('the log line', () => lines.some(({ message }) => message.includes('unknown form')));
  fake.write(ANNA, 'hello');
  await waitUntil('the next message', () => events.length === 1);
  expect(texts()).toEqual(['hello']);
});

describe('commands', () => {
  test('are read as text with their fields, and answered in place', async () => {
    const id = fake.command(ANNA, 'price', { code: 'BHP' });
    await waitUntil('the answer', () => fake.answers.has(id));
    expect(texts()).toEqual(['/price BHP']);
    expect(fake.answers.get(id)).toMatchObject({
      type: 4,
      data: { content: expect.stringContaining('BHP') },
    });
    expect(fake.sent(ANNA)[0]?.isEphemeral).toBe(false);
  });

  test('in a server are answered privately, with the person as the chat', async () => {
    const id = fake.command(ANNA, 'user_id', {}, { guild: true });
    await waitUntil('the answer', () => fake.answers.has(id));
    expect(events[0]).toMatchObject({ chatId: ANNA, personId: ANNA, isGroup: true });
    expect(Number(fake.answers.get(id)?.data['flags']) & EPHEMERAL).toBe(EPHEMERAL);
  });

  test('with a slow answer are deferred and answered later', async () => {
    const coming = Promise.withResolvers<ChatReply>();
    reply = async () => coming.promise;
    const id = fake.command(ANNA, 'price', { code: 'BHP' });
    await waitUntil('the deferral', () => fake.answers.has(id));
    expect(fake.answers.get(id)?.type).toBe(5);
    coming.resolve(plain('at last'));
    await waitUntil('the answer', () => contents()[0] === '**at last**');
  });

  test('with an announced slow answer are deferred immediately', async () => {
    const coming = Promise.withResolvers<ChatReply['message']>();
    reply = async () => ({ ...plain('it comes'), answer: coming.promise });
    const id = fake.command(ANNA, 'ask', { question: 'What moves?' });
    await waitUntil('the deferral', () => fake.answers.has(id));
    expect(texts()).toEqual(['/ask What moves?']);
    expect(fake.answers.get(id)?.type).toBe(5);
    coming.resolve(plain('here it is').message);
    await waitUntil('the answer', () => contents().includes('**here it is**'));
    expect(contents()).not.toContain('**it comes**');
  });
});

describe('buttons', () => {
  const shown = plain('BHP 50.61 * _x_', {
    lines: ['last > 50', '1. #second [line](x)'],
    link: { text: 'Open BHP', url: 'https://bird.example/#/watchlist?symbol=BHP' },
    buttons: [
      { action: 'snooze', target: 17, label: 'Snooze 1 h' },
      { action: 'why', target: 3, label: 'Why' },
    ],
  });

  beforeEach(async () => {
    reply = async (event) => {
      if (event.kind === 'text') return shown;
      const before = event.shown ?? shown.message;
      return { message: { ...before, lines: [...before.lines, 'done'] }, edits: event.action === 'snooze' };
    };
    fake.write(ANNA, 'show');
    await waitUntil('the message', () => fake.sent(ANNA).length === 1);
  });

  test('a click identifies its message and edits it', async () => {
    const id = fake.press(ANNA, 'Snooze 1 h');
    await waitUntil('the change', () => fake.sent(ANNA)[0]?.edits === 1);
    expect(events[1]).toMatchObject({ kind: 'button', action: 'snooze', target: 17, shown: shown.message });
    expect(fake.answers.get(id)?.type).toBe(7);
    expect(fake.sent(ANNA)[0]?.content).toContain('done');
    expect(fake.sent(ANNA)).toHaveLength(1);
  });

  test('a separate answer is a new message', async () => {
    const id = fake.press(ANNA, 'Why');
    await waitUntil('the answer', () => fake.answers.has(id));
    expect(fake.answers.get(id)?.type).toBe(4);
    expect(fake.sent(ANNA)).toHaveLength(2);
    expect(fake.sent(ANNA)[0]?.edits).toBe(0);
  });
});

describe('failures of Discord while answering', () => {
  const SLOW_DOWN = {
    ...({ kind: 'status', status: 429, times: 1 } as const),
    body: { retry_after: 0.02, global: false },
    headers: { 'retry-after': '1' },
  };

  test('a temporarily refused answer is sent again, once', async () => {
    fake.setFault('/messages', SLOW_DOWN);
    fake.write(ANNA, 'one');
    await waitUntil('the answer', () => contents().length === 1);
    fake.setFault('/callback', SLOW_DOWN);
    const id = fake.command(ANNA, 'price', { code: 'BHP' });
    await waitUntil('the command’s answer', () => fake.answers.has(id));
    expect(contents()).toEqual(['**said one**', '**said /price BHP**']);
    const tries = fake.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/messages'));
    expect(tries.length).toBe(2);
  });

  test('a person who accepts no messages costs one log line and no other answer', async () => {
    fake.block(BELA);
    fake.write(BELA, 'to nobody');
    fake.write(ANNA, 'and I?');
    await waitUntil('the answer', () => contents().length === 1);
    await waitUntil('the log line', () => lines.some(({ message }) => message === 'Could not answer a chat'));
    expect(fake.sent(BELA)).toEqual([]);
  });
});
