import { describe, expect, test } from 'bun:test';
import { createLog } from '#lib/log.ts';
import { createRandom } from '#lib/random.ts';
import { Backlog, type QueuedMessage } from '#platform/outbox/backlog.ts';
import { PlatformHealth } from '#platform/outbox/health.ts';
import { createHandScheduler } from '#support/handScheduler.ts';
import { createOutboxFixture, settle, skip, to, turn } from '#support/outboxFixture.ts';

const DAY = 24 * 3_600_000;
const DISCORD_USER = '100000000000000005';

describe('writing messages', () => {
  test('never sends those of a rolled-back transaction, and reuses their ids', async () => {
    const fixture = createOutboxFixture();
    const { outbox, db } = fixture;
    outbox.start();
    expect(() =>
      db.transaction(() => {
        outbox.service.add([to('telegram', '1', 'undone')]);
        outbox.service.wake();
        throw new Error('undone');
      }),
    ).toThrow('undone');
    db.transaction(() => outbox.service.add([to('telegram', '2', 'kept')]));
    outbox.service.wake();
    await turn(fixture.hand, 3000);
    expect(fixture.telegram.arrivals.map(({ chatId, text }) => [chatId, text])).toEqual([['2', 'kept']]);
    await outbox.stop();
  });

  test('fails those for a platform without a token after a day, even behind a thousand chats', async () => {
    const fixture = createOutboxFixture({ senders: [] });
    fixture.outbox.start();
    fixture.outbox.service.add(Array.from({ length: 1500 }, (_, at) => to('telegram', String(at + 1), 'a')));
    await turn(fixture.hand, 5000);
    expect(fixture.outbox.service.counts()).toMatchObject({ waiting: 1500, failed: 0 });
    await skip(fixture.hand, DAY + 5 * 60_000);
    expect(fixture.outbox.service.counts()).toMatchObject({ waiting: 0, failed: 1500 });
    await fixture.outbox.stop();
  });

  test.each(['', '{', '[]', '{"title":"x"}', '{"title":1,"lines":[],"link":null,"buttons":[]}'])(
    'fails only the row that contains %j',
    async (stored) => {
      const fixture = createOutboxFixture();
      fixture.outbox.service.add([
        to('telegram', '1', 'a'),
        to('telegram', '1', 'b'),
        to('discord', DISCORD_USER, 'c'),
      ]);
      fixture.db.$client.run('UPDATE outbox SET message = ? WHERE id = 1', [stored]);
      fixture.outbox.start();
      await turn(fixture.hand, 5000);
      expect(fixture.telegram.arrivals.map(({ text }) => text)).toEqual(['b']);
      expect(fixture.discord.arrivals).toHaveLength(1);
      expect(fixture.outbox.service.counts()).toMatchObject({ failed: 1, sentToday: 2 });
      await fixture.outbox.stop();
    },
  );
});

describe('after a kill between sending and the answer', () => {
  /** The next run on the same database: another outbox with the same platforms. */
  async function dieAndRestart(platform: 'telegram' | 'discord', chatId: string, awayMs: number) {
    const first = createOutboxFixture();
    first[platform].setMishap(({ path }) =>
      /sendMessage$|\/messages$/.test(path) ? 'hangAccepted' : 'none',
    );
    first.outbox.start();
    first.outbox.service.add([to(platform, chatId, 'a'), to(platform, chatId, 'b')]);
    first.outbox.service.wake();
    await turn(first.hand, 500);
    expect(first.outbox.service.counts()).toMatchObject({ sending: 1, waiting: 1 });
    first.hand.advance(awayMs);
    const second = createOutboxFixture({ db: first.db, hand: first.hand });
    second.outbox.start();
    await turn(second.hand, 10_000);
    await second.outbox.stop();
    return { first, second };
  }

  test('Telegram’s message is repeated with a mark, and the next ones are not marked', async () => {
    const { first, second } = await dieAndRestart('telegram', '1', 1000);
    expect(first.telegram.arrivals.map(({ text }) => text)).toEqual(['a']);
    expect(second.telegram.arrivals.map(({ text }) => text)).toEqual(['a\n(may be a repeat)', 'b']);
    expect(second.lines).toContainEqual(
      expect.objectContaining({ level: 'warn', properties: { messages: 1 } }),
    );
  });

  test('Discord’s is sent with the same nonce, which it recognises for minutes', async () => {
    const { second } = await dieAndRestart('discord', DISCORD_USER, 20_000);
    expect(second.discord.arrivals.map(({ text }) => text)).toEqual(['**a**', '**b**']);
  });
});

describe('after a restart', () => {
  async function restartWhileAsked(stepMs: number) {
    const first = createOutboxFixture();
    first.telegram.setRefusal(() => ({
      error_code: 429,
      description: 'x',
      parameters: { retry_after: 900 },
    }));
    first.outbox.start();
    first.outbox.service.add([to('telegram', '1', 'a'), to('telegram', '1', 'b')]);
    await turn(first.hand, 5000);
    await first.outbox.stop();
    first.hand.stepWall(stepMs);
    const second = createOutboxFixture({ db: first.db, hand: first.hand });
    second.outbox.start();
    second.outbox.service.add([to('telegram', '2', 'c')]);
    return second;
  }

  test('a chat whose platform asked to wait still waits, and no other does', async () => {
    const fixture = await restartWhileAsked(0);
    await turn(fixture.hand, 800_000);
    expect(fixture.telegram.arrivals.map(({ text }) => text)).toEqual(['c']);
    await turn(fixture.hand, 150_000);
    expect(fixture.telegram.arrivals.map(({ text }) => text)).toEqual(['c', 'a', 'b']);
    await fixture.outbox.stop();
  });

  test('a clock that is not set yet makes no message wait for years', async () => {
    const fixture = await restartWhileAsked(-56 * 365 * DAY);
    await turn(fixture.hand, 60_000);
    expect(fixture.telegram.arrivals).toHaveLength(3);
    await fixture.outbox.stop();
  });
});

test.each([
  ['sending', 'no message is sent before the mark', 0],
  ['sent', 'sent messages are not sent again', 1],
])('while a message cannot be marked as %s, %s', async (status, _, attempts) => {
  const fixture = createOutboxFixture();
  fixture.outbox.start();
  fixture.outbox.service.add([to('telegram', '1', 'a'), to('telegram', '1', 'b')]);
  fixture.db.$client.run(
    `CREATE TEMP TRIGGER full BEFORE UPDATE ON main.outbox WHEN NEW.status = '${status}'
     BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`,
  );
  await turn(fixture.hand, 60_000);
  expect(fixture.telegram.attempts).toHaveLength(attempts);
  fixture.db.$client.run('DROP TRIGGER full');
  await turn(fixture.hand, 60_000);
  expect(fixture.telegram.arrivals.map(({ text }) => text)).toEqual(['a', 'b']);
  await fixture.outbox.stop();
});

test('messages older than a month are removed, waiting ones are not', async () => {
  const fixture = createOutboxFixture();
  fixture.outbox.start();
  fixture.outbox.service.add([to('telegram', '1', 'a'), to('discord', 'x', 'never')]);
  await turn(fixture.hand, 5000);
  const count = () => fixture.db.$client.query('SELECT count(*) AS rows FROM outbox').get();
  fixture.hand.stepWall(29 * DAY);
  fixture.hand.advance(60_000);
  expect(fixture.outbox.prune()).toEqual({ removed: 0, hasMore: false });
  expect(count()).toEqual({ rows: 2 });
  fixture.hand.stepWall(2 * DAY);
  fixture.hand.advance(60_000);
  expect(fixture.outbox.prune()).toEqual({ removed: 2, hasMore: false });
  expect(count()).toEqual({ rows: 0 });
  await fixture.outbox.stop();
});

test('a platform that asked to wait is not contacted until then, whatever else fails', async () => {
  const time = createHandScheduler(0);
  const begun = time.monotonic();
  const checked: number[] = [];
  const usable: number[] = [];
  const health = new PlatformHealth({
    name: 'Telegram',
    sender: {
      platform: 'telegram',
      limits: { perSecond: 25, chatGapMs: 1000, chatPerMinute: () => null, namesScope: false },
      remembersNonceMs: 0,
      send: async () => ({ kind: 'unknown', reason: 'is not sent to here' }),
      check: async () => {
        checked.push(time.monotonic() - begun);
        return { kind: 'up' };
      },
    },
    clock: time,
    schedule: time.schedule,
    random: () => 0.5,
    log: createLog(() => {}),
    onUsable: () => void usable.push(time.monotonic() - begun),
  });
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      time.advance(1000);
      await settle();
    }
  };
  health.limit(60_000);
  health.trouble('broke the connection');
  await pass(59);
  expect(checked).toEqual([]);
  await pass(2);
  expect(usable).toEqual([60_000]);
  expect(health.state()).toEqual({ kind: 'up' });
});

const behind = (id: number, chatId: string): QueuedMessage => ({
  id,
  chatId,
  expiresAt: id * 10,
  notBefore: id,
});

test('the backlog matches a plain list under any use', () => {
  const random = createRandom(7);
  const backlog = new Backlog();
  let plain: QueuedMessage[] = [];
  let id = 0;
  for (let step = 0; step < 40_000; step += 1) {
    const chat = `chat ${Math.floor(random() * 50)}`;
    const what = random();
    if (what < 0.52) {
      id += 1;
      backlog.add(behind(id, chat));
      plain.push(behind(id, chat));
    } else if (what < 0.99) {
      expect(backlog.take()).toEqual(plain.shift() as QueuedMessage);
    } else {
      expect(backlog.takeAllOf(chat)).toEqual(plain.filter(({ chatId }) => chatId === chat));
      plain = plain.filter(({ chatId }) => chatId !== chat);
    }
    if (backlog.size !== plain.length) throw new Error(`step ${step}`);
  }
  expect(id).toBeGreaterThan(20_000);
});
