import { alerts, linkedChats } from '#src/tables/alertSchema.ts';
import type { Db } from '#platform/db/open.ts';
import { users } from '#platform/db/schema.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { LinkedChatStore } from '#subjects/chats/server/linkedChats/store.ts';
import { devicePlace } from '#subjects/devices/rules/pushEndpoint.ts';
import { DeviceStore } from '#subjects/devices/server/store.ts';
import { OutageStore, type OwnersPlaces } from '#subjects/alerts/server/priceOutages/store.ts';
import { appOf } from '#support/appOf.ts';
import { OutageWatch } from '#subjects/alerts/server/priceOutages/index.ts';
import { allOf, field, number } from '#support/conditions.ts';
import { openMemoryDb } from '#support/memoryDb.ts';
import { afterEach, describe, expect, test } from 'bun:test';
import { holdSpecialDays } from '#market/rules/tradingDay.ts';
import { storeTrigger } from '#support/aTrigger.ts';

const MINUTE_MS = 60_000;
const CHECK_MS = 5000;
/** A Monday. */
const MONDAY = '2026-11-16';
const LOGIC = allOf({ lhs: field('last'), op: '>', rhs: number(10) });

function addUser(db: Db, id: number, alert: Partial<typeof alerts.$inferInsert> = {}): void {
  const name = `user${id}`;
  const user = { id, username: name, usernameKey: name, passwordHash: '', createdAt: 0 };
  db.insert(users)
    .values(user as typeof users.$inferInsert)
    .run();
  db.insert(linkedChats)
    .values({ userId: id, platform: 'telegram', chatId: `chat${id}`, createdAt: 0, confirmedAt: 1 })
    .run();
  const row = { id, userId: id, symbol: 'BHP', active: true, persistent: true, logic: LOGIC, telegram: true };
  db.insert(alerts)
    .values({ ...row, discord: false, createdAt: 0, updatedAt: 0, ...alert })
    .run();
}

/** The chats and devices of the users. */
function ownersPlaces(db: Db, now: () => number): OwnersPlaces {
  const chats = new LinkedChatStore(db);
  const devices = new DeviceStore(db);
  return {
    chatsOf: (id) => [...chats.confirmedOf(id, now()), ...devices.usableOf(id, now()).map(devicePlace)],
    placesOf: (id) => ({
      chats: chats.ofUser(id).map(({ platform, confirmedAt, brokenReason }) => ({
        platform,
        isConfirmed: confirmedAt !== null,
        brokenReason,
      })),
      devices: devices
        .ofUser(id)
        .map(({ id: device, name, failedReason }) => ({ id: device, name, trouble: failedReason })),
    }),
  };
}

/** A server with a feed and a manual clock; sent messages are stored in the same database. */
function createWorld(start: number, everyMs?: number) {
  const db = openMemoryDb();
  db.$client.run('CREATE TABLE told (chat TEXT, title TEXT, text TEXT)');
  const insert = db.$client.query('INSERT INTO told VALUES (?, ?, ?)');
  const world = { now: start, monotonic: 0, feeds: true, lagMs: null as number | null, brokenDisk: false };
  let lastSuccess: number | null = null;
  const places = ownersPlaces(db, () => world.now);
  const store = new OutageStore(db, places);
  const app = appOf({
    clock: { now: () => world.now, monotonic: () => world.monotonic },
    source: {
      name: 'ingest',
      ...(everyMs === undefined ? {} : { everyMs }),
      health: () => ({ healthy: true, problem: null, lastSuccess, measuredLagMs: world.lagMs }),
    },
    outbox: {
      add(messages) {
        for (const one of messages) {
          if ('message' in one) insert.run(one.chatId, one.message.title, one.message.lines.join(' '));
        }
        if (world.brokenDisk) throw new Error('The disk is full.');
        return [];
      },
      wake: () => undefined,
    },
  });
  let watch = new OutageWatch(app, store);
  watch.resume();
  function pass(ms: number): void {
    world.now += ms;
    world.monotonic += ms;
    if (world.feeds) lastSuccess = world.now;
  }
  const sent = () =>
    db.$client.query<{ chat: string; title: string; text: string }, []>('SELECT * FROM told').all();
  return {
    db,
    world,
    sent,
    titles: () => sent().map(({ title }) => title),
    /** @param each called after every check */
    run(minutes: number, each?: () => void): void {
      for (let ms = 0; ms < minutes * MINUTE_MS; ms += CHECK_MS) {
        pass(CHECK_MS);
        watch.check();
        each?.();
      }
    },
    /** Kills the process and starts another, this many minutes later. */
    kill(minutes = 0): void {
      world.now += minutes * MINUTE_MS;
      // The monotonic clock of another process starts again.
      world.monotonic = 1000;
      lastSuccess = null;
      watch = new OutageWatch(app, store);
      watch.resume();
    },
    check: () => watch.check(),
  };
}

const at = (hour: number, minute: number, date = MONDAY): number => fromSydney(date, hour, minute);

function createRunning(start = at(10, 30)) {
  const running = createWorld(start);
  addUser(running.db, 1);
  running.run(1);
  return running;
}

const OUTAGE = 'Your alerts are not being checked';
const SEES = 'Your alerts are being checked again';

describe('a feed that stops', () => {
  test('notifies once after three minutes and once on recovery', () => {
    const { world, run, sent, titles } = createRunning();
    world.feeds = false;
    run(2.9);
    expect(sent()).toEqual([]);
    run(20);
    expect(sent()).toEqual([
      {
        chat: 'chat1',
        title: OUTAGE,
        text: 'No prices since 10:31 Sydney. Your alerts cannot fire until prices are back. You will get another message when prices are back.',
      },
    ]);
    world.feeds = true;
    run(1.9);
    expect(titles()).toEqual([OUTAGE]);
    run(20);
    expect(titles()).toEqual([OUTAGE, SEES]);
    expect(sent()[1]?.text).toBe(
      'There were no prices from 10:31 to 10:54 Sydney, 23 min of market hours. No alerts fired when prices returned. Moves that reversed during the gap were not seen.',
    );
  });

  test('counts the symbols whose alerts fired at the first check', () => {
    const { db, world, run, sent } = createRunning();
    addUser(db, 2, { symbol: 'CBA' });
    storeTrigger(db, { alertId: 2, symbol: 'CBA', triggeredAt: world.now });
    world.feeds = false;
    run(5);
    world.feeds = true;
    run(0.1);
    storeTrigger(db, { alertId: 1, triggeredAt: world.now });
    storeTrigger(db, { alertId: 1, triggeredAt: world.now + 1 });
    run(1.5);
    storeTrigger(db, { alertId: 2, symbol: 'CBA', triggeredAt: world.now });
    run(3);
    const ends = sent().filter(({ title }) => title === SEES);
    expect(ends.map(({ chat, text }) => [chat, text.slice(text.indexOf('hours. ') + 7)])).toEqual([
      ['chat1', '1 of your symbols moved past a condition during the gap: BHP.'],
      ['chat2', 'No alerts fired when prices returned. Moves that reversed during the gap were not seen.'],
    ]);
  });

  test('and flaps is one outage with one message', () => {
    const { world, run, titles } = createRunning();
    for (let round = 0; round < 10; round += 1) {
      world.feeds = false;
      run(3);
      world.feeds = true;
      run(1 / 6);
    }
    expect(titles()).toEqual([OUTAGE]);
    run(3);
    expect(titles()).toEqual([OUTAGE, SEES]);
    // A recovery soon afterwards needs ten good minutes.
    for (let round = 0; round < 4; round += 1) {
      world.feeds = false;
      run(4);
      world.feeds = true;
      run(8);
    }
    expect(titles()).toEqual([OUTAGE, SEES, OUTAGE]);
    run(3);
    expect(titles()).toEqual([OUTAGE, SEES, OUTAGE, SEES]);
  });

  test('notifies owners of active alerts with a selected, confirmed chat', () => {
    const { db, world, run, sent } = createRunning();
    addUser(db, 2, { active: false });
    addUser(db, 3, { telegram: false, discord: true, devices: [] });
    addUser(db, 4, { symbol: 'CBA' });
    db.$client.run('UPDATE linked_chats SET confirmed_at = NULL WHERE user_id = 4');
    addUser(db, 5);
    db.$client.run(`UPDATE linked_chats SET broken_at = ${world.now} WHERE user_id = 5`);
    world.feeds = false;
    run(4);
    expect(sent().map(({ chat }) => chat)).toEqual(['chat1']);
    // An owner who received the start also receives the end.
    db.$client.run('UPDATE alerts SET active = 0');
    world.feeds = true;
    run(3);
    expect(sent().map(({ chat, title }) => [chat, title])).toEqual([
      ['chat1', OUTAGE],
      ['chat1', SEES],
    ]);
  });
});

test('an owner with only scan alerts is notified too, with the stocks that fired', () => {
  const { db, world, run, sent } = createRunning();
  db.$client.run('DELETE FROM alerts');
  db.$client.run(
    `INSERT INTO scan_alerts (id, user_id, scan, event, scope, cooldown_minutes, day_maximum, minute_maximum, active,
      telegram, discord, created_at, updated_at)
     VALUES (1, 1, '{"type":"scanner","key":"preMarket"}', 'enters', 'market', 5, 50, 5, 1, 1, 0, 0, 0)`,
  );
  const fire = (symbol: string | null, symbols: string[]) =>
    db.$client
      .query(
        `INSERT INTO scan_alert_triggers (user_id, scan_alert_id, symbol, symbols, event, scan_label, scan_hash,
          triggered_at, market_at, session, seen, source, delay_minutes, silent, is_open)
         VALUES (1, 1, ?, ?, 'enters', 'Scan', 1, ?, 0, '2026-11-16', '[]', 'ingest', 0, 0, 0)`,
      )
      .run(symbol, JSON.stringify(symbols), world.now);
  fire('OLD', []);
  world.feeds = false;
  run(5);
  world.feeds = true;
  run(0.1);
  fire('BHP', []);
  fire(null, ['CBA', 'BHP']);
  run(3);
  expect(sent().map(({ chat, title }) => [chat, title])).toEqual([
    ['chat1', OUTAGE],
    ['chat1', SEES],
  ]);
  expect(sent()[1]?.text).toEndWith('2 of your symbols moved past a condition during the gap: BHP, CBA.');
});

test('an owner with a broken chat is notified on a device, at the start and at the end', () => {
  const { db, world, run, sent } = createRunning();
  db.$client.run(`UPDATE linked_chats SET broken_at = ${world.now - MINUTE_MS}, broken_reason = 'Blocked.'`);
  db.$client.run(
    `INSERT INTO devices (id, user_id, endpoint, p256dh, auth, origin, name, session_id, created_at, failed_at, status)
     VALUES (7, 1, 'https://push.example/1', '', '', '', 'Phone', '', 0, 9, 'registered')`,
  );
  world.feeds = false;
  run(4);
  world.feeds = true;
  run(3);
  expect(sent().map(({ chat, title }) => [chat, title])).toEqual([
    ['other:7', OUTAGE],
    ['other:7', SEES],
  ]);
});

test('a feed polled every five minutes has an outage if its polls fail', () => {
  const { db, world, run, titles } = createWorld(at(10, 30), 5 * MINUTE_MS);
  addUser(db, 1);
  for (let round = 0; round < 6; round += 1) {
    world.feeds = true;
    run(0.1);
    world.feeds = false;
    run(5);
  }
  expect(titles()).toEqual([]);
  run(10);
  expect(titles()).toEqual([OUTAGE]);
});

test('a clock set back is not an outage', () => {
  const { world, run, titles } = createRunning();
  world.now -= 30 * MINUTE_MS;
  run(5);
  expect(titles()).toEqual([]);
});

test('a feed more than five minutes beyond its usual delay has an outage', () => {
  const { world, run, titles } = createRunning();
  world.lagMs = 24 * MINUTE_MS;
  run(15);
  expect(titles()).toEqual([]);
  world.lagMs = 26 * MINUTE_MS;
  run(4);
  expect(titles()).toEqual([OUTAGE]);
  world.lagMs = 20 * MINUTE_MS;
  run(3);
  expect(titles()).toEqual([OUTAGE, SEES]);
});

test('a server that was down in market hours reports it when prices return', () => {
  const { kill, run, sent } = createRunning();
  kill(30);
  run(10);
  expect(sent().map(({ title, text }) => [title, text.slice(0, 77)])).toEqual([
    [SEES, 'Bellbird was not running from 10:30 to 11:01 Sydney, 31 min of market hours. '],
  ]);
  kill(2);
  run(10);
  expect(sent()).toHaveLength(1);
});

test('a kill at any moment neither repeats nor loses a message', () => {
  const steps = (12 * MINUTE_MS) / CHECK_MS;
  for (let killed = 0; killed < steps; killed += 5) {
    const { world, run, kill, titles } = createRunning();
    let step = 0;
    const each = (): void => {
      if (step === killed) kill();
      step += 1;
    };
    world.feeds = false;
    run(7, each);
    world.feeds = true;
    run(5, each);
    run(5);
    expect({ killed, titles: titles() }).toEqual({ killed, titles: [OUTAGE, SEES] });
  }
});

test('a failed write is retried completely', () => {
  const { world, run, check, titles } = createRunning();
  world.feeds = false;
  run(2.9);
  world.brokenDisk = true;
  for (let attempt = 0; attempt < 5; attempt += 1) {
    world.now += CHECK_MS;
    world.monotonic += CHECK_MS;
    expect(check).toThrow('The disk is full.');
  }
  expect(titles()).toEqual([]);
  world.brokenDisk = false;
  run(1);
  expect(titles()).toEqual([OUTAGE]);
});

const HOLDER = {};

describe('special days of the exchange', () => {
  afterEach(() => holdSpecialDays(HOLDER, []));

  test('an early close added during trading ends the watched hours', () => {
    const { world, run, titles } = createRunning();
    holdSpecialDays(HOLDER, [
      { date: MONDAY, kind: 'early', closesAt: '10:35', reason: 'Fault of the exchange' },
    ]);
    // The closing auction ends at 10:46.
    run(20);
    world.feeds = false;
    run(60);
    expect(titles()).toEqual([]);
  });
});
