import { afterEach, describe, expect, test } from 'bun:test';
import { linkedChats, outbox } from '#src/tables/alertSchema.ts';
import { morningBriefs } from '#src/tables/userSchema.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { createBrief } from '#subjects/brief/server/index.ts';
import { holdSpecialDays } from '#market/rules/tradingDay.ts';
import { type CalendarApp, createCalendarApp } from '#support/calendarApp.ts';
import { createHandScheduler, type HandScheduler } from '#support/handScheduler.ts';
import { openMemoryDb } from '#support/memoryDb.ts';
import { createFakeClock, type TestAppOptions } from '#support/testApp.ts';
import { wholeMessage } from '#support/wholeMessage.ts';

const MINUTE = 60_000;
const KEY = 'a key of these tests, long enough';
const DAY = '2026-11-18';
const SPECIAL = {};
const FIGURE = { id: 'spx', last: 6250, change: 0.42, time: 0 } as const;

let app: CalendarApp;
let timers: HandScheduler;
/** The part that sends, with timers of the test. */
let messages: ReturnType<typeof createBrief>;
afterEach(() => {
  holdSpecialDays(SPECIAL, []);
  messages.stop();
  app.close();
});

/** Opens the server at a Sydney time, with three stocks in the pre-open. */
async function open(time: string, options: TestAppOptions = {}, date = DAY): Promise<void> {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const start = fromSydney(date, hour, minute);
  timers = createHandScheduler(start);
  app = await createCalendarApp({
    clock: createFakeClock(start),
    env: { BELLBIRD_INGEST_KEY: KEY },
    ...options,
    source: { overnight: () => [FIGURE], ...options.source },
  });
  app.source.apply([
    { code: 'UP', name: 'Up Limited', close: 1, match_price: 1.1, match_vol: 50_000 },
    { code: 'DN', close: 2, match_price: 1.9, match_vol: 90_000 },
    { code: 'HLT', close: 3, status: 'Halted' },
    { code: 'NIL', close: 4 },
  ]);
  app.tick.run();
  messages = createBrief({ ...app.services, schedule: timers.schedule });
  messages.start();
}

function pass(minutes: number): void {
  for (let at = 0; at < minutes; at += 1) {
    app.clock.advance(MINUTE);
    timers.advance(MINUTE);
  }
}

async function link(): Promise<void> {
  const { id: userId } = await app.user('free');
  const chat = { userId, platform: 'telegram', chatId: '1001', createdAt: 1, confirmedAt: 1 } as const;
  app.db.insert(linkedChats).values(chat).run();
}

const choose = (active: boolean, minute = 590) =>
  app.request('PUT', '/api/settings/brief', { as: 'free', body: { active, minute } });

/** A user with a chat who wants the brief at 09:50. */
async function wanted(time: string, options: TestAppOptions = {}, date = DAY): Promise<void> {
  await open(time, options, date);
  await link();
  expect(await choose(true)).toMatchObject({ status: 200 });
}

const sent = () =>
  app.db
    .select()
    .from(outbox)
    .orderBy(outbox.id)
    .all()
    .map((row) => wholeMessage(app.db, row));

/** The same data after a restart at another time. */
async function restart(time: string, options: TestAppOptions = {}): Promise<void> {
  const { db } = app;
  messages.stop();
  await open(time, { db, ...options });
}

const read = async () => (await app.request('GET', '/api/brief', { as: 'free' })).json;

describe('the brief', () => {
  test('has what the market has, and leaves out what it lacks', async () => {
    await open('09:30');
    expect(await read()).toMatchObject({
      state: 'ready',
      date: DAY,
      overnight: [{ id: 'spx', change: 0.42 }],
      gaps: { up: 1, down: 1, unchanged: 0, stocks: 4, value: 226_000 },
      announcements: [],
      halts: [{ code: 'HLT', kind: 'halted', gap: null, time: null }],
      lists: [],
      watched: 0,
      events: [],
    });
  });

  test('shows a lift, a surplus flip and the news of own lists', async () => {
    await open('09:20');
    const surplus = (buy_surplus: number) => {
      app.source.apply([{ code: 'UP', buy_surplus }]);
      app.tick.run();
    };
    surplus(100);
    app.clock.advance(MINUTE);
    surplus(-100);
    app.source.apply([{ code: 'HLT', status: 'Pre Open' }]);
    app.tick.run();
    for (const symbol of ['UP', 'HLT', 'NIL'])
      await app.request('POST', '/api/watchlist', { as: 'free', body: { symbol } });
    expect(await read()).toMatchObject({
      flips: [{ code: 'UP', side: 'sellers', time: app.clock.now() }],
      halts: [{ code: 'HLT', kind: 'lifted', time: app.clock.now() }],
      watched: 3,
      lists: [
        { code: 'UP', news: ['Surplus turned to sellers'] },
        { code: 'HLT', news: ['Trades again'] },
      ],
    });
  });

  test.each([
    ['08:44', DAY, '2026-11-18'],
    ['09:00', '2026-11-21', '2026-11-23'],
    ['12:00', '2026-12-25', '2026-12-29'],
  ])('waits at %s on %s for %s', async (time, date, next) => {
    await open(time, {}, date);
    expect(await read()).toMatchObject({
      state: 'waiting',
      date: next,
      next: fromSydney(next, 8, 45),
      gaps: null,
    });
  });

  test('takes figures of other markets from a bridge, whole or not at all', async () => {
    await open('09:00');
    const post = (figures: unknown, key = KEY) =>
      app.request('POST', '/api/ingest/overnight', {
        body: { figures },
        headers: { authorization: key },
      });
    expect(await post([{ id: 'aud', last: 0.652, change: -0.1 }], 'wrong')).toMatchObject({ status: 401 });
    expect(
      await post([
        { id: 'aud', change: 1 },
        { id: 'btc', change: 1 },
      ]),
    ).toMatchObject({
      status: 400,
    });
    expect(await post([{ id: 'gold', change: 1001 }])).toMatchObject({ status: 400 });
    expect(await post([{ id: 'aud', last: 0.652, change: -0.1 }])).toMatchObject({ json: { applied: 1 } });
    const { figures } = (await app.request('GET', '/api/data/overnight', { as: 'free' })).json as {
      figures: { id: string; change: number }[];
    };
    expect(figures.map(({ id, change }) => [id, change])).toEqual([
      ['spx', 0.42],
      ['aud', -0.1],
    ]);
    pass(19 * 60);
    expect(app.services.overnight.figures().map(({ id }) => id)).toEqual(['spx']);
  });
});

describe('the message', () => {
  test('is sent once a day at the chosen time, most important first', async () => {
    await wanted('09:40');
    pass(9);
    expect(sent()).toEqual([]);
    pass(15);
    expect(sent()).toMatchObject([
      {
        title: 'Morning brief: 1 gap up, 1 down',
        lines: ['S&P 500 +0.42%', 'Halts: HLT halted', 'Prices: By hand. Times are in Sydney time.'],
        page: '#/brief',
      },
    ]);
    expect((await app.request('GET', '/api/settings/brief', { as: 'free' })).json).toMatchObject({
      next: fromSydney('2026-11-19', 9, 50),
    });
  });

  test('is sent once although the server restarts, and at most until the open', async () => {
    await wanted('09:40', { db: openMemoryDb() });
    await restart('09:55');
    pass(2);
    expect(sent()).toHaveLength(1);
    await restart('09:57');
    pass(2);
    expect(sent()).toHaveLength(1);
  });

  test('is not sent by a server that starts after the open', async () => {
    await wanted('09:40', { db: openMemoryDb() });
    await restart('10:30');
    pass(60);
    expect(sent()).toEqual([]);
  });

  test('is written together with its date, so a failed write neither loses nor repeats it', async () => {
    await wanted('09:49');
    const { $client } = app.db;
    $client.run("CREATE TRIGGER full BEFORE UPDATE ON morning_briefs BEGIN SELECT RAISE(ABORT, 'full'); END");
    pass(2);
    expect(sent()).toEqual([]);
    $client.run('DROP TRIGGER full');
    pass(2);
    expect(sent()).toHaveLength(1);
  });

  test('waits until all stocks are listed', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await wanted('09:49', { source: { loaded: () => promise } });
    pass(3);
    expect(sent()).toEqual([]);
    resolve();
    await promise;
    await Promise.resolve();
    pass(1);
    expect(sent()).toHaveLength(1);
  });

  test.each([
    ['on a holiday', '2026-12-25', 0],
    ['on a closed day', DAY, 0],
    ['on a half day', '2026-12-24', 1],
    ['on the first trading day of daylight saving', '2026-10-06', 1],
    ['on the first trading day after it', '2027-04-05', 1],
  ])('%s', async (_name, date, count) => {
    if (date === DAY) holdSpecialDays(SPECIAL, [{ date, kind: 'closed', closesAt: null, reason: 'Outage' }]);
    await wanted('08:00', {}, date);
    pass(109);
    expect(sent()).toEqual([]);
    pass(2);
    expect(sent()).toHaveLength(count);
  });

  test('is held by quiet hours, as the setting says', async () => {
    await open('09:40');
    await link();
    const body = { active: true, from: 540, until: 660, zone: 'Australia/Sydney', digest: 'end' };
    await app.request('PUT', '/api/settings/quiet-hours', { as: 'free', body });
    expect(await choose(true)).toMatchObject({ json: { isHeld: true, destinations: 1 } });
    pass(12);
    expect(app.db.select().from(outbox).all()).toMatchObject([{ status: 'held' }]);
  });

  test('reaches more users than one transaction takes', async () => {
    await open('09:49');
    for (let at = 0; at < 60; at += 1) {
      const { id: userId } = await app.addUser(`user${at}`);
      const chat = { userId, platform: 'telegram', chatId: `${at}`, createdAt: 1, confirmedAt: 1 } as const;
      app.db.insert(linkedChats).values(chat).run();
      app.db.insert(morningBriefs).values({ userId, active: true, minute: 590 }).run();
    }
    pass(1);
    expect(new Set(sent().map(({ title }) => title))).toEqual(new Set(['Morning brief: 1 gap up, 1 down']));
    expect(sent()).toHaveLength(60);
  });

  test('names old prices', async () => {
    await wanted('09:49');
    app.source.setHealth({ healthy: false, problem: 'The prices shown are 20 minutes old.' });
    pass(2);
    expect(sent()[0]?.lines[0]).toBe('The prices shown are 20 minutes old.');
  });
});

describe('the choice', () => {
  test('needs a chat or device and a time before the open', async () => {
    await open('09:00');
    expect(await choose(true)).toMatchObject({
      status: 400,
      json: { error: 'No chat or device receives messages yet. Add one in Settings.' },
    });
    await link();
    for (const minute of [524, 600, 590.5, '09:50'])
      expect(await choose(true, minute as number)).toMatchObject({ status: 400, json: { field: 'minute' } });
    expect(await choose(true, 525)).toMatchObject({ status: 200 });
  });

  test('that is made after its time begins on the next trading day', async () => {
    await wanted('09:55');
    pass(4);
    expect(sent()).toEqual([]);
    expect(await choose(true)).toMatchObject({ json: { next: fromSydney('2026-11-19', 9, 50) } });
  });

  test('is deleted with the account', async () => {
    await wanted('09:40');
    const { id } = await app.user('free');
    app.db.$client.run('DELETE FROM users WHERE id = ?', [id]);
    pass(20);
    expect(sent()).toEqual([]);
  });
});
