import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { loadConfig } from '#src/config/config.ts';
import type { Db } from '#platform/db/open.ts';
import { openMemoryDb } from '#support/memoryDb.ts';
import { createHttpClient } from '#lib/httpClient/client.ts';
import { createLog, type LogLine } from '#lib/log.ts';
import { type Scheduler, timerScheduler } from '#lib/scheduler.ts';
import { createTelegramBot } from '#platform/telegram/bot.ts';
import { createTelegram } from '#platform/telegram/client.ts';
import type { ChatEvent, ChatReply } from '#platform/chatClients/received.ts';
import { type FakeTelegram, startFakeTelegram, type TelegramFault } from '#support/fakeTelegram.ts';
import { waitUntil } from '#support/waitUntil.ts';
import { appOf } from '#support/appOf.ts';

const WALL = { now: () => Date.now(), monotonic: () => performance.now() };
const ANNA = 4711;

let fake: FakeTelegram;
let db: Db;
let lines: LogLine[];
let events: ChatEvent[];
let moves: [string, string][];
let memberships: [string, string | null][];
let reply: (event: ChatEvent) => Promise<ChatReply | null>;
let bot: ReturnType<typeof startBot>;

const plain = (title: string, more: Partial<ChatReply['message']> = {}): ChatReply => ({
  message: { title, lines: [], link: null, buttons: [], ...more },
  edits: false,
});
const texts = (): string[] => events.map((event) => (event.kind === 'text' ? event.text : event.action));
const sentTexts = (): string[] => fake.sent(ANNA).map(({ text }) => text);

function startBot(token = fake.token, clock = WALL) {
  const { config } = loadConfig({ BELLBIRD_TELEGRAM_URL: fake.url, BELLBIRD_TELEGRAM_TOKEN: token });
  // Later lines of a stopped bot belong to its own test.
  const log = createLog(lines.push.bind(lines));
  const telegram = createTelegram(appOf({ config, http: createHttpClient({ clock: WALL }), clock: WALL }));
  if (!telegram) throw new Error('There is a token.');
  const schedule: Scheduler = (ms, run) => timerScheduler(Math.min(ms, 20), run);
  const made = createTelegramBot(appOf({ db, clock, log, schedule }), telegram, {
    handle: async (event) => {
      events.push(event);
      return reply(event);
    },
    membership: ({ chatId }, trouble) => void memberships.push([chatId, trouble]),
    moved: (from, to) => void moves.push([from, to]),
  });
  void made.start?.();
  return made;
}

beforeEach(() => {
  fake = startFakeTelegram();
  db = openMemoryDb();
  lines = [];
  events = [];
  memberships = [];
  moves = [];
  reply = async (event) => (event.kind === 'text' ? plain(`said ${event.text}`) : null);
  bot = startBot();
});
afterEach(async () => {
  await bot.stop?.();
  await fake.stop();
  db.$client.close();
  expect(JSON.stringify(lines)).not.toContain(fake.token);
});

describe('polling', () => {
  test('registers the commands, receives messages and answers in order', async () => {
    for (const text of ['one', 'two', 'three']) fake.write(ANNA, text);
    await waitUntil('three answers', () => fake.sent(ANNA).length === 3);
    expect(sentTexts()).toEqual(['said one', 'said two', 'said three']);
    expect(events[0]).toMatchObject({
      chatId: '4711',
      personId: '4711',
      displayName: 'Anna',
      isGroup: false,
    });
    expect(fake.commands.map(({ command }) => command)).toContain('user_id');
    expect(fake.requests.map(({ method }) => method)).toContain('deleteWebhook');
    expect(bot.service.username()).toBe(fake.username);
    expect(bot.inspect()).toMatchObject({ summary: { state: 'up', username: fake.username } });
  });

  test('handles no update twice, whether repeated by Telegram or after a restart', async () => {
    const message = { message_id: 1, chat: { id: ANNA, type: 'private' }, from: { id: ANNA }, text: 'once' };
    fake.push({ update_id: 5000, message });
    await waitUntil('the first', () => events.length === 1);
    fake.push({ update_id: 5000, message });
    fake.push({ update_id: 5001, message: { ...message, text: 'next' } });
    await waitUntil('the next', () => events.length === 2);
    await bot.stop?.();
    fake.push({ update_id: 5001, message });
    fake.push({ update_id: 5002, message: { ...message, text: 'later' } });
    bot = startBot();
    await waitUntil('the message from the downtime', () => events.length === 3);
    expect(texts()).toEqual(['once', 'next', 'later']);
  });

  test('ignores the update number of another bot', async () => {
    fake.write(ANNA, 'one');
    await waitUntil('one', () => events.length === 1);
    await bot.stop?.();
    db.$client.run(`update facts set value = '{"botId":99,"last":99999999,"at":${Date.now()}}'`);
    bot = startBot();
    fake.write(ANNA, 'two');
    await waitUntil('two', () => texts().includes('two'));
  });

  test('delivers other chats’ messages while one chat floods the bot', async () => {
    await bot.stop?.();
    for (let n = 0; n < 2500; n += 1) fake.write(666, `${n}`);
    fake.write(ANNA, 'off');
    bot = startBot();
    await waitUntil('the message of Anna', () => texts().includes('off'));
    // The flood is answered slowly, and mostly not at all.
    expect(Number(Object(bot.inspect().data()).waiting)).toBeLessThanOrEqual(61);
    expect(lines.filter(({ level }) => level === 'warn')).toEqual([]);
  });

  test('a stop does not wait for the long poll', async () => {
    await waitUntil('a poll', fake.isPolled);
    const begun = performance.now();
    await bot.stop?.();
    // Far less than the 30 s of the long poll.
    expect(performance.now() - begun).toBeLessThan(15_000);
    expect(lines.filter(({ level }) => level !== 'info')).toEqual([]);
  });
});

describe('failures of Telegram', () => {
  const faults = {
    'a proxy error page': { kind: 'html', code: 502 },
    'half an answer': { kind: 'garbage' },
    'a broken connection': { kind: 'cut' },
    'too many requests': { kind: 'status', code: 429, description: 'Too Many Requests', retryAfter: 0 },
    'a server error': { kind: 'status', code: 500 },
    'a second poller': { kind: 'status', code: 409, description: 'Conflict: terminated by other' },
  } as const;
  for (const [name, fault] of Object.entries(faults)) {
    test(`${name}: writes a log line and continues`, async () => {
      await bot.stop?.();
      fake.setFault('getUpdates', { ...fault, times: 3 });
      bot = startBot();
      fake.write(ANNA, 'still there?');
      await waitUntil('the answer', () => fake.sent(ANNA).length === 1);
      const warned = lines.filter(({ level }) => level === 'warn');
      expect(warned.length).toBeGreaterThan(0);
      expect(warned[0]?.message).toMatch(/^Telegram /);
      expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
    });
  }

  test('a token revoked at run time is explained, with a fix, until it works', async () => {
    await bot.stop?.();
    bot = startBot();
    expect(bot.service.checkResult()).toBe(null);
    await waitUntil('the poll', fake.isPolled);
    expect(bot.service.checkResult()).toMatchObject({ state: 'ok' });
    fake.setFault('getUpdates', { kind: 'status', code: 401, description: 'Unauthorized' });
    fake.cutPolls();
    await waitUntil('the refusal', () => bot.service.checkResult()?.state === 'wrong');
    expect(bot.service.checkResult()).toMatchObject({
      says: 'Telegram does not accept the token.',
      remedy: expect.stringContaining('BELLBIRD_TELEGRAM_TOKEN'),
    });
    fake.setFault('getUpdates', null);
    fake.write(ANNA, 'hello');
    await waitUntil('a good status', () => bot.service.checkResult()?.state === 'ok');
  });

  test('another polling program is reported if it persists, not after one conflict', async () => {
    let passedMs = 0;
    await bot.stop?.();
    bot = startBot(fake.token, { now: () => 0, monotonic: () => performance.now() + passedMs });
    const conflict: TelegramFault = {
      kind: 'status',
      code: 409,
      description:
        'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
    };
    await waitUntil('the poll', fake.isPolled);
    const isOk = () => bot.service.checkResult()?.state === 'ok';
    const turnAway = async (times: number): Promise<void> => {
      fake.setFault('getUpdates', { ...conflict, times });
      fake.cutPolls();
      const seen = fake.requests.length;
      fake.write(ANNA, 'hello');
      await waitUntil('a successful poll', () => fake.waiting() === 0 && fake.requests.length > seen);
    };
    await turnAway(1);
    await waitUntil('a good status', isOk);
    await turnAway(2);
    await waitUntil('the conflict', () => bot.service.checkResult()?.state === 'wrong');
    // The polls in between succeed.
    await waitUntil('the next poll', fake.isPolled);
    expect(bot.service.checkResult()).toMatchObject({
      says: 'Telegram is polled by another program with the same token.',
      remedy: expect.stringContaining('Stop the other program'),
    });
    passedMs = 16 * 60_000;
    expect(isOk()).toBe(true);
  });

  test('the webhook of another program is reported, with its host', async () => {
    await waitUntil('the poll', fake.isPolled);
    fake.setWebhook('https://hooks.example.com/secret-path');
    fake.cutPolls();
    await waitUntil('the webhook', () => bot.service.checkResult()?.state === 'wrong');
    expect(bot.service.checkResult()).toMatchObject({
      says: 'Telegram sends this bot’s messages to another program’s webhook.',
      remedy: expect.stringContaining('they are sent to hooks.example.com.'),
    });
    expect(bot.service.checkResult()?.remedy).not.toContain('secret-path');
    fake.setWebhook(null);
    await waitUntil('a good status', () => bot.service.checkResult()?.state === 'ok');
  });

  test('a temporarily refused answer is sent again', async () => {
    fake.setFault('sendMessage', { kind: 'status', code: 429, retryAfter: 0, times: 1 });
    fake.write(ANNA, 'one');
    await waitUntil('the answer', () => fake.sent(ANNA).length === 1);
  });

  test('a chat that hangs does not block the others', async () => {
    const hanging = Promise.withResolvers<void>();
    reply = async (event) => {
      if (event.chatId === '1') await hanging.promise;
      return plain('here');
    };
    fake.write(1, 'hang');
    fake.write(ANNA, 'and I?');
    await waitUntil('the answer', () => fake.sent(ANNA).length === 1);
    hanging.resolve();
  });

  test('a handler that throws loses only one answer', async () => {
    reply = async (event) => {
      if (events.length === 1) throw new Error('broken');
      return plain(`after ${event.kind}`);
    };
    fake.write(ANNA, 'one');
    fake.write(ANNA, 'two');
    await waitUntil('the second answer', () => fake.sent(ANNA).length === 1);
    expect(lines.some(({ message }) => message === 'Could not answer a chat')).toBe(true);
  });
});

describe('an irrelevant update', () => {
  const person = { id: ANNA, is_bot: false, first_name: 'Anna' };
  const chat = { id: ANNA, type: 'private' };
  const updates: Record<string, unknown>[] = [
    { edited_message: { message_id: 1, chat, from: person, text: 'x' } },
    { channel_post: { message_id: 1, chat: { id: -5, type: 'channel' }, text: 'x' } },
    { message: { chat: { id: -5, type: 'channel' }, from: person, text: '/help' } },
    { message: { chat, from: { ...person, is_bot: true }, text: '/help' } },
    { message: { chat, text: '/help' } },
    { message: { chat: 'here', from: [1], text: { a: 1 } } },
    { message: { chat: { id: '4711', type: 'private' }, from: person, text: 'x' } },
    { message: null },
    { callback_query: { id: '1', from: person, message: { chat }, data: 'buy:1' } },
    { callback_query: { id: '1', from: person, message: { chat } } },
    { new_kind: { chat } },
  ];
  test('is ignored, and the next message is received', async () => {
    for (const update of updates) fake.push(update);
    fake.write(ANNA, 'hello');
    await waitUntil('the next message', () => events.length === 1);
    expect(texts()).toEqual(['hello']);
  });
});

const GROUP = -100200300;
test('only messages to the bot are received from groups', async () => {
  const contents = [
    'nice weather',
    '/price BHP',
    '/price@other_bot BHP',
    'mail me @bellbird_test_bot_2',
    '/price@bellbird_test_bot BHP',
    '@Bellbird_Test_Bot price BHP',
  ];
  for (const text of contents) fake.write(GROUP, text, { from: ANNA, group: true });
  await waitUntil('the messages to the bot', () => events.length === 2);
  expect(texts()).toEqual(['/price BHP', 'price BHP']);
  expect(events[0]).toMatchObject({
    chatId: String(GROUP),
    personId: '4711',
    isGroup: true,
    displayName: 'A group',
  });
});

test('receives anonymous administrators and channel authors, but no other bots', async () => {
  const chat = { id: -100200300, type: 'supergroup', title: 'A group' };
  const post = (from: Record<string, unknown>, more: Record<string, unknown>) =>
    fake.push({ message: { message_id: 1, chat, from, text: '/help@bellbird_test_bot', ...more } });
  post({ id: 555, is_bot: true, username: 'another_bot' }, {});
  post({ id: 1087968824, is_bot: true, username: 'GroupAnonymousBot' }, { sender_chat: chat });
  post(
    { id: 136817688, is_bot: true, username: 'Channel_Bot' },
    { sender_chat: { id: -100400, type: 'channel', title: 'News' } },
  );
  await waitUntil('both answers', () => fake.sent(-100200300).length === 2);
  expect(events.map(({ personId, chatId }) => [personId, chatId])).toEqual([
    [null, '-100200300'],
    [null, '-100200300'],
  ]);
});

test('receives the new ID of a group, from either group', async () => {
  const message = { message_id: 1, from: { id: ANNA }, date: 1 };
  fake.push({ message: { ...message, chat: { id: -5, type: 'group' }, migrate_to_chat_id: -1005 } });
  fake.push({ message: { ...message, chat: { id: -1006, type: 'supergroup' }, migrate_from_chat_id: -6 } });
  await waitUntil('both', () => moves.length === 2);
  expect(moves).toEqual([
    ['-5', '-1005'],
    ['-6', '-1006'],
  ]);
});

test('in a forum it answers in the topic of the message', async () => {
  const chat = { id: -100200300, type: 'supergroup', title: 'A forum' };
  const from = { id: ANNA, is_bot: false, first_name: 'Anna' };
  const topic = { is_topic_message: true, message_thread_id: 77 };
  fake.push({ message: { message_id: 1, chat, from, ...topic, text: '/help@bellbird_test_bot' } });
  await waitUntil('the answer', () => fake.sent(-100200300).length === 1);
  expect(fake.sent(-100200300)[0]?.payload['message_thread_id']).toBe(77);
});

describe('buttons', () => {
  const withButtons = plain('BHP 50.61 & <b>', {
    lines: ['last > 50', 'second *line*'],
    link: { text: 'Open BHP', url: 'https://bird.example/#/watchlist?symbol=BHP' },
    buttons: [
      { action: 'snooze', target: 17, label: 'Snooze 1 h' },
      { action: 'why', target: 3, label: 'Why' },
    ],
  });

  beforeEach(async () => {
    reply = async (event) => {
      if (event.kind === 'text') return withButtons;
      const shown = event.shown ?? withButtons.message;
      return { message: { ...shown, lines: [...shown.lines, 'done'] }, edits: true };
    };
    fake.write(ANNA, 'show');
    await waitUntil('the message', () => fake.sent(ANNA).length === 1);
  });

  test('a click identifies its message and edits it', async () => {
    const id = fake.press(ANNA, 'Snooze 1 h');
    await waitUntil('the change', () => fake.sent(ANNA)[0]?.edits === 1);
    expect(events[1]).toMatchObject({
      kind: 'button',
      action: 'snooze',
      target: 17,
      shown: withButtons.message,
    });
    expect(fake.answered.has(id)).toBe(true);
    expect(fake.sent(ANNA)).toHaveLength(1);
    expect(fake.sent(ANNA)[0]?.text).toBe('BHP 50.61 & <b>\nlast > 50\nsecond *line*\ndone\nOpen BHP');
    expect(fake.sent(ANNA)[0]?.buttons.map(({ text }) => text)).toEqual(['Snooze 1 h', 'Why']);
  });

  test('an answer without changes is not a failure', async () => {
    reply = async () => ({ ...withButtons, edits: true });
    const id = fake.press(ANNA, 'Why');
    await waitUntil('the acknowledgement', () => fake.answered.has(id));
    await waitUntil('the attempt', () => fake.requests.some(({ method }) => method === 'editMessageText'));
    await bot.stop?.();
    expect(lines.filter(({ level }) => level === 'warn')).toEqual([]);
  });

  test('a click is acknowledged even without an answer', async () => {
    reply = async () => null;
    const id = fake.press(ANNA, 'Why');
    await waitUntil('the acknowledgement', () => fake.answered.has(id));
  });
});

test('receives changes of its permission to write', async () => {
  const change = (chat: Record<string, unknown>, member: Record<string, unknown>) =>
    fake.push({ my_chat_member: { chat, from: { id: ANNA }, new_chat_member: member } });
  const [person, group] = [
    { id: ANNA, type: 'private' },
    { id: -100, type: 'supergroup' },
  ];
  change(person, { status: 'kicked' });
  change(person, { status: 'member' });
  change(group, { status: 'left' });
  change(group, { status: 'restricted', is_member: true, can_send_messages: false });
  change(group, { status: 'restricted', is_member: true, can_send_messages: true });
  change({ id: -200, type: 'channel' }, { status: 'left' });
  change({ id: 'x', type: 'private' }, { status: 'left' });
  change(group, { status: 'administrator' });
  await waitUntil('all', () => memberships.length === 6);
  expect(memberships).toEqual([
    ['4711', 'The bot is blocked in this Telegram chat. Unblock it.'],
    ['4711', null],
    ['-100', 'The bot is no longer in this Telegram group. Add it again.'],
    ['-100', 'The bot may not write in this Telegram group.'],
    ['-100', null],
    ['-100', null],
  ]);
  expect(events).toEqual([]);
});

describe('a slow answer', () => {
  let coming: PromiseWithResolvers<ChatReply['message']>;
  beforeEach(() => {
    coming = Promise.withResolvers();
    reply = async (event) =>
      event.kind === 'text' && event.text === 'slow'
        ? { ...plain('it comes'), answer: coming.promise }
        : plain('at once');
  });

  test('is announced, arrives later and blocks no other', async () => {
    fake.write(ANNA, 'slow');
    fake.write(ANNA, 'quick');
    fake.write(4712, 'quick');
    await waitUntil('the quick answers', () => sentTexts().length === 2 && fake.sent(4712).length === 1);
    coming.resolve(plain('here it is').message);
    await waitUntil('the slow answer', () => sentTexts().length === 3);
    expect(sentTexts()).toEqual(['it comes', 'at once', 'here it is']);
  });

  test('is sent even if its announcement was refused', async () => {
    fake.setFault('sendMessage', { kind: 'status', code: 500, times: 1 });
    fake.write(ANNA, 'slow');
    await waitUntil('an attempt', () => fake.requests.some(({ method }) => method === 'sendMessage'));
    coming.resolve(plain('here it is').message);
    await waitUntil('the answer', () => sentTexts().includes('here it is'));
  });

  test('is awaited briefly at a stop', async () => {
    fake.write(ANNA, 'slow');
    await waitUntil('the announcement', () => sentTexts().length === 1);
    const stopped = bot.stop?.();
    coming.resolve(plain('we are stopping').message);
    await stopped;
    expect(sentTexts()).toEqual(['it comes', 'we are stopping']);
  });
});
