import { afterEach, beforeEach, expect, test } from 'bun:test';
import { registrations } from '#platform/db/schema.ts';
import type { Db } from '#platform/db/open.ts';
import { openMemoryDb } from '#support/memoryDb.ts';
import { createFakeClock, createTestApp, type FakeClock, type TestApp } from '#support/testApp.ts';

const OFFICE = '198.51.100.20';
const HOUR = 3_600_000;
const MOST = 20;

let db: Db;
let app: TestApp;
let made = 0;

function start(clock: FakeClock): void {
  app = createTestApp({ db, clock });
  app.parts.accounts.start();
}

beforeEach(() => {
  db = openMemoryDb();
  start(createFakeClock());
});
afterEach(() => {
  app.parts.accounts.stop();
  app.close();
  db.$client.close();
});

/** Another process on the same database: the monotonic clock restarts and the wall clock continues. */
function restart(): void {
  app.parts.accounts.stop();
  app.close();
  start(createFakeClock(app.clock.now()));
}

async function register(from: string, username = `trader${(made += 1)}`) {
  const body = { username, password: 'a good password', platform: 'web' };
  const answer = await app.request('POST', '/api/register', { body, from });
  // Attempts are also limited, per quarter of an hour.
  app.clock.advance(60_000);
  return answer;
}
async function registerMany(count: number, from: string): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index += 1) statuses.push((await register(from)).status);
  return statuses;
}

test('a restart keeps the daily count of an address and the time left to wait', async () => {
  expect(new Set(await registerMany(MOST - 1, OFFICE))).toEqual(new Set([200]));
  app.clock.advance(2 * HOUR);
  restart();
  expect((await register(OFFICE)).status).toBe(200);
  const refused = await register(OFFICE);
  expect(refused.status).toBe(429);
  expect(refused.text).toContain('Try again in 22 hours, or ask an administrator for an account.');
  expect((await register('203.0.113.7')).status).toBe(200);
  app.clock.advance(22 * HOUR);
  restart();
  expect((await register(OFFICE)).status).toBe(200);
});

test('failed registrations do not count, before or after a restart', async () => {
  await register(OFFICE, 'taken');
  for (let index = 0; index < 5; index += 1) expect((await register(OFFICE, 'taken')).status).toBe(409);
  restart();
  expect(new Set(await registerMany(MOST - 1, OFFICE))).toEqual(new Set([200]));
  expect((await register(OFFICE)).status).toBe(429);
});

test('stores no address readably, and nothing for longer than a day', async () => {
  await register(OFFICE);
  const [row] = db.select().from(registrations).all();
  expect(row?.addressHash).toMatch(/^[\w-]{43}$/);
  expect(JSON.stringify(row)).not.toContain(OFFICE);
  expect(Buffer.from(db.$client.serialize()).includes(OFFICE)).toBe(false);
  app.clock.advance(23 * HOUR);
  app.parts.accounts.prune();
  expect(db.select().from(registrations).all()).toHaveLength(1);
  app.clock.advance(HOUR);
  app.parts.accounts.prune();
  expect(db.select().from(registrations).all()).toEqual([]);
});
