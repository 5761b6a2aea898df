import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { GrammyError } from 'grammy';
import type { Telegram } from '#platform/telegram/client.ts';
import { createTelegramSender } from '#platform/telegram/index.ts';
import type { ChatPlatform } from '#platform/chatClients/rules/chatPlatform.ts';
import {
  createOutboxFixture,
  type OutboxFixture,
  skip,
  textMessage,
  to,
  turn,
} from '#support/outboxFixture.ts';
import { channels } from '#src/tables/administrationSchema.ts';

const NOW = Date.UTC(2026, 10, 18, 0, 0, 0);
const USER = 7;
const HOUR = 3_600_000;

let fixture: OutboxFixture;
/** Starts again with an outbox of other parts. */
function open(options: Parameters<typeof createOutboxFixture>[0] = {}): void {
  fixture = createOutboxFixture(options);
  fixture.outbox.start();
}
beforeEach(() => open());
afterEach(() => fixture.outbox.stop());

/** Adds a user with a linked chat and an alert that fired. */
function addUser(platform: ChatPlatform, chatId: string): void {
  const { $client } = fixture.db;
  $client.run(
    `INSERT OR IGNORE INTO users (id, username, username_key, password_hash, column_preferences, created_at)
     VALUES (${USER}, 'anna', 'anna', 'x', '{}', ${NOW})`,
  );
  $client.run(
    'INSERT INTO linked_chats (user_id, platform, chat_id, created_at, confirmed_at) VALUES (?, ?, ?, ?, ?)',
    [USER, platform, chatId, NOW, NOW],
  );
  $client.run(
    `INSERT OR IGNORE INTO alerts (id, user_id, symbol, active, persistent, logic, telegram, discord, created_at, updated_at)
     VALUES (1, ${USER}, 'BHP', 1, 1, '{}', 1, 1, ${NOW}, ${NOW})`,
  );
  for (const id of [1, 2, 3]) {
    $client.run(
      `INSERT OR IGNORE INTO alert_triggers
       (id, alert_id, symbol, triggered_at, market_at, seen, source, delay_minutes, deactivated, silent)
       VALUES (${id}, 1, 'BHP', ${NOW}, ${NOW}, '[]', 'simulator', 0, 0, 0)`,
    );
  }
}

const ofTrigger = (platform: ChatPlatform, chatId: string, triggerId: number, text: string) => ({
  platform,
  chatId,
  userId: USER,
  triggerId,
  message: textMessage(text),
});

const linked = () =>
  fixture.db.$client
    .query('SELECT chat_id AS chatId, broken_at AS at, broken_reason AS reason FROM linked_chats')
    .all();

const texts = (arrivals: readonly { text: string }[]) => arrivals.map(({ text }) => text.split('\n')[0]);

describe('a broken chat', () => {
  test.each([
    [
      { error_code: 403, description: 'Forbidden: bot was blocked by the user' },
      'The bot is blocked in this Telegram chat. Unblock it.',
    ],
    [{ error_code: 403, description: 'something new' }, 'Telegram does not accept messages for this chat.'],
    [
      { error_code: 400, description: 'Bad Request: chat not found' },
      'On Telegram, a bot can write only to people who wrote to it first. Send it a message.',
    ],
  ])('is detected by Telegram’s answer %j', async (refusal, reason) => {
    addUser('telegram', '5');
    addUser('telegram', '6');
    fixture.telegram.setRefusal((chatId) => (chatId === '5' ? refusal : null));
    fixture.outbox.service.add([
      ofTrigger('telegram', '5', 1, 'a'),
      ofTrigger('telegram', '5', 2, 'b'),
      ofTrigger('telegram', '6', 1, 'c'),
    ]);
    fixture.outbox.service.wake();
    await turn(fixture.hand, 60_000);
    expect(linked()).toContainEqual({ chatId: '5', at: expect.any(Number), reason });
    expect(linked()).toContainEqual({ chatId: '6', at: null, reason: null });
    expect(fixture.outbox.service.counts()).toMatchObject({ waiting: 0, failed: 2, sentToday: 1 });
    expect(fixture.telegram.attempts.filter(({ chatId }) => chatId === '5')).toHaveLength(1);
    // A later message fails immediately for the same reason, without an attempt.
    fixture.outbox.service.add([ofTrigger('telegram', '5', 3, 'd')]);
    fixture.outbox.service.wake();
    await turn(fixture.hand, 5000);
    expect(fixture.telegram.attempts.filter(({ chatId }) => chatId === '5')).toHaveLength(1);
    expect([...fixture.outbox.service.deliveryOf([1, 2, 3])]).toEqual([
      [1, 'failed'],
      [2, 'failed'],
      [3, 'failed'],
    ]);
  });

  test('is retried with the first message after an hour, and works again on success', async () => {
    const broken: unknown[] = [];
    open({
      brokenMessages(place) {
        broken.push(place);
        return [to('discord', '100000000000000005', 'elsewhere')];
      },
    });
    addUser('telegram', '5');
    fixture.telegram.setRefusal(() => ({ error_code: 403, description: 'bot was blocked by the user' }));
    const send = async (trigger: number, text: string): Promise<void> => {
      fixture.outbox.service.add([ofTrigger('telegram', '5', trigger, text)]);
      await turn(fixture.hand, 5000);
    };
    await send(1, 'a');
    // Its owner is notified elsewhere, in the same transaction.
    const reason = 'The bot is blocked in this Telegram chat. Unblock it.';
    const place = { platform: 'telegram', chatId: '5', userId: USER, name: null, reason, isGone: false };
    expect(broken).toEqual([place]);
    expect(texts(fixture.discord.arrivals)).toEqual(['**elsewhere**']);
    await skip(fixture.hand, HOUR);
    await send(2, 'b');
    expect(fixture.telegram.attempts).toHaveLength(2);
    // It stayed broken, so there is no second notification.
    expect(broken).toHaveLength(1);
    fixture.telegram.setRefusal(() => null);
    await skip(fixture.hand, HOUR);
    await send(3, 'c');
    expect(texts(fixture.telegram.arrivals)).toEqual(['c']);
    expect(linked()).toEqual([{ chatId: '5', at: null, reason: null }]);
  });

  test('reported by the platform fails all waiting messages and notifies its owner', async () => {
    const broken: unknown[] = [];
    open({ brokenMessages: (place) => (broken.push(place), []) });
    addUser('telegram', '5');
    fixture.outbox.service.add([ofTrigger('telegram', '5', 1, 'a')]);
    fixture.outbox.service.breakChat('telegram', '5', 'Away.');
    fixture.outbox.service.breakChat('telegram', '5', 'Away.');
    await turn(fixture.hand, 5000);
    expect(fixture.telegram.attempts).toEqual([]);
    expect(linked()).toEqual([{ chatId: '5', at: expect.any(Number), reason: 'Away.' }]);
    expect(broken).toHaveLength(1);
  });

  test.each([
    [{ status: 403, code: 50007, message: 'Cannot send messages to this user' }, /share a server/],
    [{ status: 404, code: 10003, message: 'Unknown Channel' }, /This Discord chat no longer exists/],
    [{ status: 403, code: 0, message: 'A page of a proxy' }, null],
  ])('is detected by Discord’s answer %j', async (refusal, reason) => {
    const chatId = '100000000000000005';
    addUser('discord', chatId);
    fixture.discord.setRefusal(() => refusal);
    fixture.outbox.service.add([ofTrigger('discord', chatId, 1, 'a')]);
    await turn(fixture.hand, 5000);
    const broken = reason && { at: expect.any(Number), reason: expect.stringMatching(reason) };
    expect(linked()).toEqual([{ chatId, ...(broken ?? { at: null, reason: null }) }]);
  });

  test.each(['', '12', '../../guilds/1', '@everyone'])('no request is sent to ID %j', async (chatId) => {
    fixture.outbox.service.add([to('discord', chatId, 'a')]);
    await turn(fixture.hand, 5000);
    expect(fixture.outbox.service.counts()).toMatchObject({ waiting: 0, failed: 1 });
    expect(fixture.calls).toEqual([]);
  });

  test.each([
    ['was unlinked', 1, 'DELETE FROM linked_chats'],
    ['was unlinked and the message is not an alert', null, 'DELETE FROM linked_chats'],
    ['waits for a new confirmation', 1, 'UPDATE linked_chats SET confirmed_at = NULL'],
  ])('a message fails if the chat %s', async (_, triggerId, change) => {
    addUser('telegram', '5');
    fixture.outbox.service.add([{ ...ofTrigger('telegram', '5', 1, 'a'), triggerId }]);
    fixture.db.$client.run(change);
    await turn(fixture.hand, 5000);
    expect(fixture.telegram.arrivals).toEqual([]);
    expect(fixture.outbox.service.counts()).toMatchObject({ failed: 1 });
  });

  test('a chat that was unlinked and linked again gets the question, and no earlier alert', async () => {
    addUser('telegram', '5');
    fixture.outbox.service.add([ofTrigger('telegram', '5', 1, 'alert')]);
    fixture.db.$client.run('UPDATE linked_chats SET confirmed_at = NULL');
    fixture.outbox.service.add([{ ...to('telegram', '5', 'question'), userId: USER }]);
    await turn(fixture.hand, 5000);
    expect(texts(fixture.telegram.arrivals)).toEqual(['question']);
  });

  test('one refused message does not block the others', async () => {
    let refusals = 0;
    fixture.telegram.setRefusal(() => {
      refusals += 1;
      return refusals === 1 ? { error_code: 400, description: 'Bad Request: message is too long' } : null;
    });
    fixture.outbox.service.add([to('telegram', '5', 'a'), to('telegram', '5', 'b')]);
    await turn(fixture.hand, 5000);
    expect(texts(fixture.telegram.arrivals)).toEqual(['b']);
    expect(fixture.outbox.service.counts()).toMatchObject({ failed: 1, sentToday: 1 });
  });
});

test('a forum gets alerts in its linked topic, and in the group once that is gone', async () => {
  const payloads: unknown[] = [];
  let isGone = false;
  const api = async (_chat: string, text: string, other: { message_thread_id?: number }) => {
    const topic = other.message_thread_id;
    payloads.push([topic, text]);
    if (topic === undefined || !isGone) return { message_id: payloads.length };
    const refusal = {
      ok: false,
      error_code: 400,
      description: 'Bad Request: message thread not found',
    } as const;
    throw new GrammyError('refused', refusal, 'sendMessage', {});
  };
  const telegram = { bot: { api: { sendMessage: api } }, self: null } as unknown as Telegram;
  open({ senders: [createTelegramSender(telegram)] });
  addUser('telegram', '-5');
  fixture.db.$client.run('UPDATE linked_chats SET topic_id = 77');
  const send = async (trigger: number, text: string): Promise<void> => {
    fixture.outbox.service.add([ofTrigger('telegram', '-5', trigger, text)]);
    await turn(fixture.hand, 5000);
  };
  await send(1, 'a');
  isGone = true;
  await send(2, 'b');
  await send(3, 'c');
  expect(payloads).toEqual([
    [77, 'a'],
    [77, 'b'],
    [undefined, expect.stringContaining('closed or deleted')],
    [undefined, 'c'],
  ]);
  expect(linked()).toEqual([{ chatId: '-5', at: null, reason: null }]);
});

describe('a group that became a supergroup', () => {
  const MOVED = {
    error_code: 400,
    description: 'Bad Request: group chat was upgraded to a supergroup chat',
    parameters: { migrate_to_chat_id: -1_001_234_567_890 },
  };

  test('is followed with all its waiting messages in order', async () => {
    addUser('telegram', '-5');
    fixture.telegram.setRefusal((chatId) => (chatId === '-5' ? MOVED : null));
    fixture.outbox.service.add([1, 2, 3].map((id) => ofTrigger('telegram', '-5', id, `m${id}`)));
    await turn(fixture.hand, 60_000);
    expect(texts(fixture.telegram.arrivals)).toEqual(['m1', 'm2', 'm3']);
    expect(fixture.telegram.arrivals.some(({ isMarked }) => isMarked)).toBe(false);
    expect(linked()).toEqual([{ chatId: '-1001234567890', at: null, reason: null }]);
  });

  test('that Telegram reported is followed before a message fails, even if it was broken', async () => {
    addUser('telegram', '-5');
    fixture.telegram.setRefusal((chatId) => (chatId === '-5' ? MOVED : null));
    fixture.outbox.service.add([1, 2].map((id) => ofTrigger('telegram', '-5', id, `m${id}`)));
    fixture.outbox.service.moveChat('telegram', '-5', '-1001234567890');
    await turn(fixture.hand, 60_000);
    expect(texts(fixture.telegram.arrivals)).toEqual(['m1', 'm2']);
    expect(fixture.telegram.attempts.map(({ chatId }) => chatId)).not.toContain('-5');
    fixture.outbox.service.breakChat('telegram', '-1001234567890', 'Away.');
    fixture.outbox.service.moveChat('telegram', '-1001234567890', '-1002');
    expect(linked()).toEqual([{ chatId: '-1002', at: null, reason: null }]);
  });

  test('leaves one link if the user already linked the new one', async () => {
    addUser('telegram', '-5');
    addUser('telegram', '-1001234567890');
    fixture.telegram.setRefusal((chatId) => (chatId === '-5' ? MOVED : null));
    fixture.outbox.service.add([ofTrigger('telegram', '-5', 1, 'm1')]);
    await turn(fixture.hand, 60_000);
    expect(linked()).toHaveLength(1);
    expect(texts(fixture.telegram.arrivals)).toEqual(['m1']);
  });
});

test.each([
  ['telegram', 401],
  ['discord', 401],
] as const)(
  '%s answers %d to a token: messages wait, the platform is tried again',
  async (platform, status) => {
    addUser('telegram', '5');
    const chatId = platform === 'telegram' ? '5' : '100000000000000005';
    if (platform === 'telegram') {
      fixture.telegram.setRefusal(() => ({ error_code: status, description: 'Unauthorized' }));
    } else fixture.discord.setRefusal(() => ({ status, code: 0, message: '401: Unauthorized' }));
    fixture.outbox.service.add([to(platform, chatId, 'a')]);
    await turn(fixture.hand, 10_000);
    expect(fixture.outbox.service.counts()).toMatchObject({ waiting: 1, failed: 0 });
    const broken = { platform, health: expect.objectContaining({ kind: 'botBroken' }) };
    const { platforms } = fixture.outbox.inspect().data();
    expect(platforms).toContainEqual(expect.objectContaining(broken));
    expect(JSON.stringify(fixture.outbox.inspect().summary)).toContain('rejects the bot’s token');
    expect(linked().every((chat) => JSON.stringify(chat).includes('"reason":null'))).toBe(true);
    fixture[platform].setRefusal(() => null);
    await turn(fixture.hand, 10 * 60_000);
    expect(texts(fixture[platform].arrivals)).toHaveLength(1);
    expect(fixture[platform].arrivals.some(({ isMarked }) => isMarked)).toBe(false);
  },
);

/** The ID of a channel that the fake Discord knows. */
const DISCORD = '912345678901234567';

const addChannel = (platform: ChatPlatform, chatId: string): void => {
  fixture.db
    .insert(channels)
    .values({ name: chatId, platform, chatId, subscribed: true, createdAt: 0 })
    .run();
};
const toChannel = (platform: ChatPlatform, chatId: string, text: string) => ({
  ...to(platform, chatId, text),
  target: 'channel' as const,
});
const groups = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `-100${1000 + index}`);
const brokenOf = () => fixture.db.select().from(channels).get()?.brokenReason;

/** A broadcast to this many Telegram groups. */
function broadcast(count: number): void {
  for (const chatId of groups(count)) addChannel('telegram', chatId);
  fixture.outbox.service.add(groups(count).map((chatId) => toChannel('telegram', chatId, 'news')));
  fixture.outbox.service.wake();
}

describe('a message to a channel', () => {
  test('on Discord goes to the channel itself', async () => {
    addChannel('discord', DISCORD);
    const [nonce = ''] = fixture.outbox.service.add([toChannel('discord', DISCORD, 'news')]);
    await turn(fixture.hand, 1000);
    expect(fixture.discord.arrivals.map(({ text }) => text)).toEqual(['**news**']);
    expect(fixture.calls.map(({ endpoint }) => endpoint)).toEqual(['discord/channels/:id/messages']);
    expect(fixture.outbox.service.statusesOf([nonce, 'unknown'])).toEqual(
      new Map([
        [
          nonce,
          expect.objectContaining({
            platform: 'discord',
            status: 'sent',
            mayRepeat: false,
            failedReason: null,
          }),
        ],
      ]),
    );
    expect(fixture.outbox.service.sentTo('discord', DISCORD, 20)).toMatchObject([
      { messageId: '1', message: { title: 'news' } },
    ]);
  });

  test('is not sent once the channel is deleted', async () => {
    const [nonce = ''] = fixture.outbox.service.add([toChannel('telegram', '-1001', 'news')]);
    await turn(fixture.hand, 1000);
    expect(fixture.telegram.arrivals).toEqual([]);
    expect(fixture.outbox.service.statusesOf([nonce]).get(nonce)).toMatchObject({
      status: 'failed',
      failedReason: 'The channel was deleted before this message was sent.',
    });
  });

  test.each([
    [
      { error_code: 403, description: 'Forbidden: bot was kicked from the supergroup chat' },
      /no longer in this Telegram chat/,
    ],
    [
      { error_code: 400, description: 'Bad Request: chat not found' },
      /This Telegram chat does not exist, or the bot was never in it/,
    ],
    [
      { error_code: 400, description: 'Bad Request: need administrator rights in the channel chat' },
      /Make it an administrator/,
    ],
  ])('that is refused with %p is shown at the channel until one succeeds', async (refusal, reason) => {
    addChannel('telegram', '-1001');
    fixture.telegram.setRefusal(() => refusal);
    fixture.outbox.service.add([toChannel('telegram', '-1001', 'one')]);
    await turn(fixture.hand, 3000);
    expect(brokenOf()).toMatch(reason);
    fixture.telegram.setRefusal(() => null);
    fixture.outbox.service.add([toChannel('telegram', '-1001', 'two')]);
    await turn(fixture.hand, 3000);
    expect(fixture.telegram.arrivals.map(({ text }) => text)).toEqual(['two']);
    expect(brokenOf()).toBeNull();
  });

  test('follows a group that became a supergroup', async () => {
    addChannel('telegram', '-5');
    const parameters = { migrate_to_chat_id: -1005 };
    fixture.telegram.setRefusal((chatId) =>
      chatId === '-5'
        ? { error_code: 400, description: 'Bad Request: group chat was upgraded', parameters }
        : null,
    );
    fixture.outbox.service.add([toChannel('telegram', '-5', 'news')]);
    await turn(fixture.hand, 10_000);
    expect(fixture.telegram.arrivals.map(({ chatId }) => chatId)).toEqual(['-1005']);
    expect(fixture.db.select().from(channels).get()?.chatId).toBe('-1005');
  });
});

test('an alert during a broadcast does not wait behind it', async () => {
  broadcast(50);
  await turn(fixture.hand, 100);
  const before = fixture.telegram.arrivals.length;
  expect(before).toBeLessThan(12);
  fixture.outbox.service.add([to('telegram', '77', 'alert')]);
  fixture.outbox.service.wake();
  await turn(fixture.hand, 5000);
  const order = fixture.telegram.arrivals.map(({ text }) => text);
  expect(order).toHaveLength(51);
  expect(order.indexOf('alert') - before).toBeLessThanOrEqual(1);
});
