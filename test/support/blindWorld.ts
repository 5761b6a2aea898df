import { eq } from 'drizzle-orm';
import { alerts, alertTriggers, linkedChats } from '../../src/platform/db/alertSchema.ts';
import type { Db } from '../../src/platform/db/open.ts';
import { users } from '../../src/platform/db/schema.ts';
import { fromSydney } from '../../src/market/rules/sydneyTime.ts';
import { LinkedChatStore } from '../../src/subjects/chats/server/linkedChats/store.ts';
import { devicePlace } from '../../src/subjects/devices/rules/pushEndpoint.ts';
import { DeviceStore } from '../../src/subjects/devices/server/store.ts';
import { BlindSpotStore, type OwnersPlaces } from '../../src/subjects/alerts/server/blindSpots/store.ts';
import { BlindSpotWatch, type WatchDeps } from '../../src/subjects/alerts/server/blindSpots/watch.ts';
import { allOf, field, number } from './conditions.ts';
import { openMemoryDb } from './memoryDb.ts';

export const MINUTE_MS = 60_000;
export const LOOK_MS = 5000;
/** A Monday. */
export const MONDAY = '2026-11-16';
const LOGIC = allOf({ lhs: field('last'), op: '>', rhs: number(10) });

export function addUser(db: Db, id: number, alert: Partial<typeof alerts.$inferInsert> = {}): void {
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

export function addTrigger(db: Db, alertId: number, triggeredAt: number): void {
  const rest = {
    seen: [],
    quoteAt: null,
    source: 'ingest',
    delayMinutes: 0,
    deactivated: false,
    silent: false,
  };
  const symbol = db.select().from(alerts).where(eq(alerts.id, alertId)).get()?.symbol ?? '';
  db.insert(alertTriggers)
    .values({ alertId, symbol, triggeredAt, marketAt: triggeredAt, ...rest })
    .run();
}

/** The chats and devices of users, as the server knows them. */
function ownersPlaces(db: Db, now: () => number): OwnersPlaces {
  const chats = new LinkedChatStore(db);
  const devices = new DeviceStore(db);
  return {
    chatsOf: (id) => [...chats.confirmedOf(id, now()), ...devices.usableOf(id, now()).map(devicePlace)],
    placesOf: (id) => ({
      chats: chats.ofUser(id).map(({ platform, confirmedAt, brokenReason }) => ({
        ...{ platform, isConfirmed: confirmedAt !== null, brokenReason },
      })),
      devices: devices
        .ofUser(id)
        .map(({ id: device, name, failedReason }) => ({ id: device, name, trouble: failedReason })),
    }),
  };
}

/** A server with a feed, on a clock turned by hand; what is sent is on disk with the rest. */
export function createWorld(start: number, everyMs?: number) {
  const db = openMemoryDb();
  db.$client.run('CREATE TABLE told (chat TEXT, title TEXT, text TEXT)');
  const insert = db.$client.query('INSERT INTO told VALUES (?, ?, ?)');
  const world = { now: start, monotonic: 0, feeds: true, lagMs: null as number | null, brokenDisk: false };
  let lastSuccess: number | null = null;
  const deps: WatchDeps = {
    store: new BlindSpotStore(
      db,
      ownersPlaces(db, () => world.now),
    ),
    clock: { now: () => world.now, monotonic: () => world.monotonic },
    source: {
      name: 'ingest',
      ...(everyMs === undefined ? {} : { everyMs }),
      health: () => ({ healthy: true, problem: null, lastSuccess, measuredLagMs: world.lagMs }),
    },
    outbox: {
      add(messages) {
        for (const { chatId, message } of messages) {
          insert.run(chatId, message.title, message.lines.join(' '));
        }
        if (world.brokenDisk) throw new Error('The disk is full.');
      },
      wake: () => undefined,
    },
  };
  let watch = new BlindSpotWatch(deps);
  watch.resume();
  function pass(ms: number): void {
    world.now += ms;
    world.monotonic += ms;
    if (world.feeds) lastSuccess = world.now;
  }
  return {
    db,
    world,
    /** @param each called after every look */
    run(minutes: number, each?: () => void): void {
      for (let ms = 0; ms < minutes * MINUTE_MS; ms += LOOK_MS) {
        pass(LOOK_MS);
        watch.look();
        each?.();
      }
    },
    /** Ends the process without a word and starts another, this many minutes later. */
    kill(minutes = 0): void {
      world.now += minutes * MINUTE_MS;
      // Another process has another stopwatch.
      world.monotonic = 1000;
      lastSuccess = null;
      watch = new BlindSpotWatch(deps);
      watch.resume();
    },
    look: () => watch.look(),
    told: () =>
      db.$client.query<{ chat: string; title: string; text: string }, []>('SELECT * FROM told').all(),
    titles: () =>
      db.$client
        .query<{ title: string }, []>('SELECT title FROM told')
        .all()
        .map(({ title }) => title),
  };
}

export const at = (hour: number, minute: number, date = MONDAY): number => fromSydney(date, hour, minute);

export function createRunning(start = at(10, 30)) {
  const running = createWorld(start);
  addUser(running.db, 1);
  running.run(1);
  return running;
}
