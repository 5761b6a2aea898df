import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { ChatPlatform } from '#platform/chatClients/rules/chatPlatform.ts';
import { createRandom } from '#lib/random.ts';
import { complaints, mostWithin } from '#support/deliveries.ts';
import { MISHAPS, type Mishap } from '#support/failingPlatform.ts';
import { createOutboxFixture, type OutboxFixture, skip, to, turn } from '#support/outboxFixture.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let fixture: OutboxFixture;
/** Starts again with an outbox of other parts. */
function open(options: Parameters<typeof createOutboxFixture>[0] = {}): void {
  fixture = createOutboxFixture(options);
  fixture.outbox.start();
}
beforeEach(() => open());
afterEach(() => fixture.outbox.stop());

/** A private Telegram chat, or a Discord user. */
const chatOf = (platform: ChatPlatform, number: number): string =>
  platform === 'telegram' ? String(1000 + number) : `1${String(number).padStart(17, '0')}`;

/** Writes messages to many chats in turn. @returns the messages */
function write(platform: ChatPlatform, messages: number, chats: number) {
  const written = Array.from({ length: messages }, (_, at) => ({
    chatId: chatOf(platform, at % chats),
    text: `m${at}`,
  }));
  fixture.outbox.service.add(written.map(({ chatId, text }) => to(platform, chatId, text)));
  fixture.outbox.service.wake();
  return written;
}

const isDone = () => {
  const { waiting, sending } = fixture.outbox.service.counts();
  return waiting + sending === 0;
};

describe('bursts respect the limits of the platforms', () => {
  test('of 20 messages per minute in a Telegram group', async () => {
    const written = Array.from({ length: 50 }, (_, at) => ({ chatId: '-100123', text: `m${at}` }));
    fixture.outbox.service.add(written.map(({ chatId, text }) => to('telegram', chatId, text)));
    fixture.outbox.service.wake();
    await turn(fixture.hand, 300_000, isDone);
    expect(complaints(written, fixture.telegram.arrivals)).toEqual([]);
    expect(
      mostWithin(
        fixture.telegram.attempts.map(({ at }) => at),
        60_000,
      ),
    ).toBe(20);
  });

  test('of 50 per second and each bucket, for 500 messages to 100 Discord users', async () => {
    const written = write('discord', 500, 100);
    await turn(fixture.hand, 60_000, isDone);
    expect(complaints(written, fixture.discord.arrivals)).toEqual([]);
    expect(
      mostWithin(
        fixture.discord.attempts.map(({ at }) => at),
        1000,
      ),
    ).toBeLessThanOrEqual(50);
    expect(fixture.discord.overLimit()).toBe(0);
  });
});

test('a chat that must wait for 1207 seconds does not block the others', async () => {
  fixture.telegram.setRefusal((chatId) =>
    chatId === '1000'
      ? { error_code: 429, description: 'Too Many Requests', parameters: { retry_after: 1207 } }
      : null,
  );
  const written = write('telegram', 20, 4);
  await turn(fixture.hand, 10_000);
  const others = written.filter(({ chatId }) => chatId !== '1000');
  expect(complaints(others, fixture.telegram.arrivals)).toEqual([]);
  expect(fixture.telegram.attempts.filter(({ chatId }) => chatId === '1000')).toHaveLength(1);
  fixture.telegram.setRefusal(() => null);
  await turn(fixture.hand, 3 * HOUR, isDone);
  expect(complaints(written, fixture.telegram.arrivals)).toEqual([]);
});

describe('a platform that is away', () => {
  test.each(['telegram', 'discord'] as const)(
    '%s for an hour loses and marks no message',
    async (platform) => {
      fixture[platform].setMishap(() => 'away');
      const written = write(platform, 60, 20);
      await turn(fixture.hand, HOUR);
      // It was tried only now and then, not once per message.
      expect(fixture[platform].attempts.length).toBeLessThan(10);
      const inspected = fixture.outbox.inspect();
      expect(inspected.summary).toMatchObject({ waiting: 60, oldestWaitingSeconds: 3600 });
      expect(JSON.stringify(inspected.summary)).toContain(`"${platform}":"could not be reached`);
      fixture[platform].setMishap(() => 'none');
      await turn(fixture.hand, 3 * 60_000, isDone);
      expect(complaints(written, fixture[platform].arrivals)).toEqual([]);
      expect(fixture[platform].arrivals.filter(({ isMarked }) => isMarked)).toEqual([]);
    },
  );

  test('for a day fails older messages with a reason, and younger ones keep waiting', async () => {
    fixture.telegram.setMishap(() => 'away');
    write('telegram', 5, 5);
    await skip(fixture.hand, DAY - HOUR);
    fixture.outbox.service.add([to('telegram', '1', 'younger')]);
    await skip(fixture.hand, 2 * HOUR);
    expect(fixture.outbox.service.counts()).toMatchObject({ waiting: 1, failed: 5 });
    const failed = fixture.db.$client.query('SELECT DISTINCT failed_reason AS reason FROM outbox').all();
    expect(failed).toContainEqual({
      reason: 'Not delivered within a day: Telegram could not be reached (ECONNREFUSED).',
    });
  });

  test('for a day fails old messages once the full disk allows it', async () => {
    fixture.telegram.setMishap(() => 'away');
    write('telegram', 5, 5);
    await skip(fixture.hand, DAY - HOUR);
    fixture.db.$client.run(
      `CREATE TEMP TRIGGER full BEFORE UPDATE ON main.outbox WHEN NEW.status = 'failed'
       BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`,
    );
    await skip(fixture.hand, 2 * HOUR);
    expect(fixture.outbox.service.counts()).toMatchObject({ waiting: 5, failed: 0 });
    fixture.db.$client.run('DROP TRIGGER full');
    await skip(fixture.hand, 120_000);
    expect(fixture.outbox.service.counts()).toMatchObject({ waiting: 0, failed: 5 });
  });

  test('a changed clock expires no message', async () => {
    fixture.telegram.setMishap(() => 'away');
    const written = write('telegram', 5, 5);
    await turn(fixture.hand, 5000);
    fixture.hand.stepWall(56 * 365 * DAY);
    await turn(fixture.hand, 5 * 60_000);
    fixture.telegram.setMishap(() => 'none');
    await turn(fixture.hand, 5 * 60_000, isDone);
    expect(complaints(written, fixture.telegram.arrivals)).toEqual([]);
    fixture.hand.stepWall(-57 * 365 * DAY);
  });
});

test.each([1, 2, 3])(
  'for any answers of the platforms, nothing is lost, repeated unmarked or reordered (seed %d)',
  async (seed) => {
    const random = createRandom(seed);
    open({ seed });
    let isHealing = false;
    const decide = (): Mishap => {
      if (isHealing || random() < 0.6) return 'none';
      return MISHAPS[Math.floor(random() * MISHAPS.length)] ?? 'none';
    };
    fixture.telegram.setMishap(decide);
    fixture.discord.setMishap(decide);
    const written = { telegram: write('telegram', 60, 10), discord: write('discord', 60, 10) };
    await turn(fixture.hand, 2 * HOUR, isDone);
    isHealing = true;
    await turn(fixture.hand, 2 * HOUR, isDone);
    expect(complaints(written.telegram, fixture.telegram.arrivals)).toEqual([]);
    expect(complaints(written.discord, fixture.discord.arrivals)).toEqual([]);
    expect(fixture.outbox.service.counts()).toMatchObject({ waiting: 0, sending: 0, failed: 0 });
    const times = fixture.telegram.attempts.map(({ at }) => at);
    expect(mostWithin(times, 1000)).toBeLessThanOrEqual(30);
    for (const chat of new Set(written.telegram.map(({ chatId }) => chatId))) {
      const ofChat = fixture.telegram.attempts.filter(({ chatId }) => chatId === chat);
      expect(
        mostWithin(
          ofChat.map(({ at }) => at),
          1000,
        ),
      ).toBe(1);
    }
    // One line for each message that may have arrived.
    expect(fixture.lines.some(({ message }) => message.includes('a message may have arrived'))).toBe(true);
  },
);
