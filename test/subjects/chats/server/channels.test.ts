import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { channels } from '../../../../src/platform/db/administrationSchema.ts';
import type { ChatPlatform } from '../../../../src/subjects/chats/rules/chatPlatform.ts';
import { createOutboxStage, type OutboxStage, to, turn } from '../../../support/outboxStage.ts';

/** A channel's ID that the failing Discord takes for one. */
const DISCORD = '912345678901234567';

let stage: OutboxStage;
beforeEach(() => {
  stage = createOutboxStage();
  stage.outbox.start();
});
afterEach(() => stage.outbox.stop());

const addChannel = (platform: ChatPlatform, chatId: string): void => {
  stage.db.insert(channels).values({ name: chatId, platform, chatId, subscribed: true, createdAt: 0 }).run();
};
const toChannel = (platform: ChatPlatform, chatId: string, text: string) => ({
  ...to(platform, chatId, text),
  target: 'channel' as const,
});
const groups = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `-100${1000 + index}`);
const brokenOf = () => stage.db.select().from(channels).get()?.brokenReason;

/** A broadcast to this many Telegram groups. */
function broadcast(count: number): void {
  for (const chatId of groups(count)) addChannel('telegram', chatId);
  stage.outbox.service.add(groups(count).map((chatId) => toChannel('telegram', chatId, 'news')));
  stage.outbox.service.wake();
}

describe('a message to a channel', () => {
  test('of Discord goes to the channel itself', async () => {
    addChannel('discord', DISCORD);
    const [nonce = ''] = stage.outbox.service.add([toChannel('discord', DISCORD, 'news')]);
    await turn(stage.hand, 1000);
    expect(stage.discord.arrivals.map(({ text }) => text)).toEqual(['**news**']);
    expect(stage.calls.map(({ endpoint }) => endpoint)).toEqual(['discord/channels/:id/messages']);
    expect(stage.outbox.service.standings([nonce, 'unknown'])).toEqual(
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
    expect(stage.outbox.service.sentTo('discord', DISCORD, 20)).toMatchObject([
      { messageId: '1', message: { title: 'news' } },
    ]);
  });

  test('is not sent once the channel is deleted', async () => {
    const [nonce = ''] = stage.outbox.service.add([toChannel('telegram', '-1001', 'news')]);
    await turn(stage.hand, 1000);
    expect(stage.telegram.arrivals).toEqual([]);
    expect(stage.outbox.service.standings([nonce]).get(nonce)).toMatchObject({
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
      /does not know this chat, or the bot was never in it/,
    ],
    [
      { error_code: 400, description: 'Bad Request: need administrator rights in the channel chat' },
      /Make it an administrator/,
    ],
  ])(
    'that is refused with %p is shown at the channel, until one gets there again',
    async (refusal, reason) => {
      addChannel('telegram', '-1001');
      stage.telegram.setRefusal(() => refusal);
      stage.outbox.service.add([toChannel('telegram', '-1001', 'one')]);
      await turn(stage.hand, 3000);
      expect(brokenOf()).toMatch(reason);
      stage.telegram.setRefusal(() => null);
      stage.outbox.service.add([toChannel('telegram', '-1001', 'two')]);
      await turn(stage.hand, 3000);
      expect(stage.telegram.arrivals.map(({ text }) => text)).toEqual(['two']);
      expect(brokenOf()).toBeNull();
    },
  );

  test('follows a group that became a supergroup', async () => {
    addChannel('telegram', '-5');
    const parameters = { migrate_to_chat_id: -1005 };
    stage.telegram.setRefusal((chatId) =>
      chatId === '-5'
        ? { error_code: 400, description: 'Bad Request: group chat was upgraded', parameters }
        : null,
    );
    stage.outbox.service.add([toChannel('telegram', '-5', 'news')]);
    await turn(stage.hand, 10_000);
    expect(stage.telegram.arrivals.map(({ chatId }) => chatId)).toEqual(['-1005']);
    expect(stage.db.select().from(channels).get()?.chatId).toBe('-1005');
  });
});

test('an alert during a broadcast does not wait behind it', async () => {
  broadcast(50);
  await turn(stage.hand, 100);
  const before = stage.telegram.arrivals.length;
  expect(before).toBeLessThan(12);
  stage.outbox.service.add([to('telegram', '77', 'alert')]);
  stage.outbox.service.wake();
  await turn(stage.hand, 5000);
  const order = stage.telegram.arrivals.map(({ text }) => text);
  expect(order).toHaveLength(51);
  expect(order.indexOf('alert') - before).toBeLessThanOrEqual(1);
});
