import { describe, expect, test } from 'bun:test';
import type { ChatPlatform } from '../../../../src/subjects/chats/rules/chatPlatform.ts';
import { createRandom } from '../../../../src/lib/random.ts';
import { complaints, mostWithin } from '../../../support/deliveries.ts';
import { MISHAPS, type Mishap } from '../../../support/failingPlatform.ts';
import { createOutboxStage, type OutboxStage, skip, to, turn } from '../../../support/outboxStage.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Telegram's private chats, and users of Discord. */
const chatOf = (platform: ChatPlatform, number: number): string =>
  platform === 'telegram' ? String(1000 + number) : `1${String(number).padStart(17, '0')}`;

/** Writes messages to many chats in turn, and says what was written. */
function write(stage: OutboxStage, platform: ChatPlatform, messages: number, chats: number) {
  const written = Array.from({ length: messages }, (_, at) => ({
    chatId: chatOf(platform, at % chats),
    text: `m${at}`,
  }));
  stage.outbox.service.add(written.map(({ chatId, text }) => to(platform, chatId, text)));
  stage.outbox.service.wake();
  return written;
}

const isDone = (stage: OutboxStage) => () => {
  const { waiting, sending } = stage.outbox.service.counts();
  return waiting + sending === 0;
};

describe('bursts keep the limits of the platforms', () => {
  test('a Telegram group: 20 a minute', async () => {
    const stage = createOutboxStage();
    stage.outbox.start();
    const written = Array.from({ length: 50 }, (_, at) => ({ chatId: '-100123', text: `m${at}` }));
    stage.outbox.service.add(written.map(({ chatId, text }) => to('telegram', chatId, text)));
    stage.outbox.service.wake();
    await turn(stage.hand, 300_000, isDone(stage));
    expect(complaints(written, stage.telegram.arrivals)).toEqual([]);
    expect(
      mostWithin(
        stage.telegram.attempts.map(({ at }) => at),
        60_000,
      ),
    ).toBe(20);
    await stage.outbox.stop();
  });

  test('500 messages to 100 Discord users: 50 a second in all, and no bucket is overdrawn', async () => {
    const stage = createOutboxStage();
    stage.outbox.start();
    const written = write(stage, 'discord', 500, 100);
    await turn(stage.hand, 60_000, isDone(stage));
    expect(complaints(written, stage.discord.arrivals)).toEqual([]);
    expect(
      mostWithin(
        stage.discord.attempts.map(({ at }) => at),
        1000,
      ),
    ).toBeLessThanOrEqual(50);
    expect(stage.discord.overLimit()).toBe(0);
    await stage.outbox.stop();
  });
});

describe('a chat that waits holds up no other', () => {
  test('one chat is asked to wait for 1207 seconds', async () => {
    const stage = createOutboxStage();
    stage.telegram.setRefusal((chatId) =>
      chatId === '1000'
        ? { error_code: 429, description: 'Too Many Requests', parameters: { retry_after: 1207 } }
        : null,
    );
    stage.outbox.start();
    const written = write(stage, 'telegram', 20, 4);
    await turn(stage.hand, 10_000);
    const others = written.filter(({ chatId }) => chatId !== '1000');
    expect(complaints(others, stage.telegram.arrivals)).toEqual([]);
    expect(stage.telegram.attempts.filter(({ chatId }) => chatId === '1000')).toHaveLength(1);
    stage.telegram.setRefusal(() => null);
    await turn(stage.hand, 3 * HOUR, isDone(stage));
    expect(complaints(written, stage.telegram.arrivals)).toEqual([]);
    await stage.outbox.stop();
  });

  test('one chat’s server hangs', async () => {
    const stage = createOutboxStage();
    stage.telegram.setMishap(({ body }) => (JSON.stringify(body).includes('"1000"') ? 'hang' : 'none'));
    stage.outbox.start();
    const written = write(stage, 'telegram', 40, 4);
    await turn(stage.hand, 14_000);
    expect(
      complaints(
        written.filter(({ chatId }) => chatId !== '1000'),
        stage.telegram.arrivals,
      ),
    ).toEqual([]);
    // It waits for the message on its way, but not for long.
    const stopped = stage.outbox.stop();
    stage.hand.advance(3000);
    await stopped;
  });
});

describe('a platform that is away', () => {
  test.each(['telegram', 'discord'] as const)(
    '%s for an hour: nothing lost, nothing marked',
    async (platform) => {
      const stage = createOutboxStage();
      stage[platform].setMishap(() => 'away');
      stage.outbox.start();
      const written = write(stage, platform, 60, 20);
      await turn(stage.hand, HOUR);
      // It was asked now and then, not for every message.
      expect(stage[platform].attempts.length).toBeLessThan(10);
      const inspected = stage.outbox.inspect();
      expect(inspected.summary).toMatchObject({ waiting: 60, oldestWaitingSeconds: 3600 });
      expect(JSON.stringify(inspected.summary)).toContain(`"${platform}":"could not be reached`);
      stage[platform].setMishap(() => 'none');
      await turn(stage.hand, 3 * 60_000, isDone(stage));
      expect(complaints(written, stage[platform].arrivals)).toEqual([]);
      expect(stage[platform].arrivals.filter(({ isMarked }) => isMarked)).toEqual([]);
      await stage.outbox.stop();
    },
  );

  test('for a day: what is older fails with a sentence, what is younger goes on waiting', async () => {
    const stage = createOutboxStage();
    stage.telegram.setMishap(() => 'away');
    stage.outbox.start();
    write(stage, 'telegram', 5, 5);
    await skip(stage.hand, DAY - HOUR);
    stage.outbox.service.add([to('telegram', '1', 'younger')]);
    await skip(stage.hand, 2 * HOUR);
    expect(stage.outbox.service.counts()).toMatchObject({ waiting: 1, failed: 5 });
    const failed = stage.db.$client.query('SELECT DISTINCT failed_reason AS reason FROM outbox').all();
    expect(failed).toContainEqual({
      reason: 'Not delivered within a day: Telegram could not be reached (ECONNREFUSED).',
    });
    await stage.outbox.stop();
  });

  test('for a day, and the disk is full at its end: what is too old fails once it can', async () => {
    const stage = createOutboxStage();
    stage.telegram.setMishap(() => 'away');
    stage.outbox.start();
    write(stage, 'telegram', 5, 5);
    await skip(stage.hand, DAY - HOUR);
    stage.db.$client.run(
      `CREATE TEMP TRIGGER full BEFORE UPDATE ON main.outbox WHEN NEW.status = 'failed'
       BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`,
    );
    await skip(stage.hand, 2 * HOUR);
    expect(stage.outbox.service.counts()).toMatchObject({ waiting: 5, failed: 0 });
    stage.db.$client.run('DROP TRIGGER full');
    await skip(stage.hand, 120_000);
    expect(stage.outbox.service.counts()).toMatchObject({ waiting: 0, failed: 5 });
    await stage.outbox.stop();
  });

  test('a clock that is set makes no message old', async () => {
    const stage = createOutboxStage();
    stage.telegram.setMishap(() => 'away');
    stage.outbox.start();
    const written = write(stage, 'telegram', 5, 5);
    await turn(stage.hand, 5000);
    stage.hand.stepWall(56 * 365 * DAY);
    await turn(stage.hand, 5 * 60_000);
    stage.telegram.setMishap(() => 'none');
    await turn(stage.hand, 5 * 60_000, isDone(stage));
    expect(complaints(written, stage.telegram.arrivals)).toEqual([]);
    stage.hand.stepWall(-57 * 365 * DAY);
    await stage.outbox.stop();
  });
});

describe('whatever the platforms answer', () => {
  test.each([1, 2, 3])('nothing is lost, doubled without a mark, or out of order (seed %d)', async (seed) => {
    const random = createRandom(seed);
    const stage = createOutboxStage({ seed });
    let isHealing = false;
    const decide = (): Mishap => {
      if (isHealing || random() < 0.6) return 'none';
      return MISHAPS[Math.floor(random() * MISHAPS.length)] ?? 'none';
    };
    stage.telegram.setMishap(decide);
    stage.discord.setMishap(decide);
    stage.outbox.start();
    const written = { telegram: write(stage, 'telegram', 60, 10), discord: write(stage, 'discord', 60, 10) };
    await turn(stage.hand, 2 * HOUR, isDone(stage));
    isHealing = true;
    await turn(stage.hand, 2 * HOUR, isDone(stage));
    expect(complaints(written.telegram, stage.telegram.arrivals)).toEqual([]);
    expect(complaints(written.discord, stage.discord.arrivals)).toEqual([]);
    expect(stage.outbox.service.counts()).toMatchObject({ waiting: 0, sending: 0, failed: 0 });
    const times = stage.telegram.attempts.map(({ at }) => at);
    expect(mostWithin(times, 1000)).toBeLessThanOrEqual(30);
    for (const chat of new Set(written.telegram.map(({ chatId }) => chatId))) {
      const ofChat = stage.telegram.attempts.filter(({ chatId }) => chatId === chat);
      expect(
        mostWithin(
          ofChat.map(({ at }) => at),
          1000,
        ),
      ).toBe(1);
    }
    // A line for each that may have arrived.
    expect(stage.lines.some(({ message }) => message.includes('a message may have arrived'))).toBe(true);
    await stage.outbox.stop();
  });
});
