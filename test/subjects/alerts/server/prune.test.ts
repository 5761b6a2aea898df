import { expect, test } from 'bun:test';
import type { Db } from '../../../../src/platform/db/open.ts';
import { openMemoryDb } from '../../../support/memoryDb.ts';
import { createPruning } from '../../../../src/subjects/alerts/server/prune.ts';
import { AlertStore } from '../../../../src/subjects/alerts/server/store.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 10, 18);

function addAlerts(db: Db, count: number): void {
  db.$client.run(
    `INSERT INTO users (id, username, username_key, password_hash, column_preferences, created_at)
     VALUES (7, 'anna', 'anna', 'x', '{}', 0)`,
  );
  for (let id = 1; id <= count; id += 1) {
    db.$client.run(
      `INSERT INTO alerts (id, user_id, symbol, active, persistent, logic, telegram, discord, created_at, updated_at)
       VALUES (${id}, 7, 'BHP', 1, 1, '{}', 1, 1, 0, 0)`,
    );
  }
}

function addTriggers(db: Db, alertId: number, times: readonly number[]): void {
  const insert = db.$client.prepare(
    `INSERT INTO alert_triggers
     (alert_id, symbol, triggered_at, market_at, seen, source, delay_minutes, deactivated, silent)
     VALUES (?, 'BHP', ?, 0, '[]', 'simulator', 0, 0, 0)`,
  );
  for (const time of times) insert.run(alertId, time);
}

const timesOf = (db: Db, alertId: number): number[] =>
  db.$client
    .query<{ at: number }, [number]>('SELECT triggered_at AS at FROM alert_triggers WHERE alert_id = ?')
    .all(alertId)
    .map(({ at }) => at);

const minutesBefore = (time: number, count: number): number[] =>
  Array.from({ length: count }, (_, minute) => time - (count - minute) * 60_000);

test('of an alert that fired all the time, the newest 200 and those of two days are kept', () => {
  const db = openMemoryDb();
  let now = START;
  addAlerts(db, 700);
  const lastWeek = minutesBefore(START - 7 * DAY, 2500);
  const yesterday = minutesBefore(START - DAY, 300);
  addTriggers(db, 1, [...lastWeek, ...yesterday]);
  addTriggers(db, 2, lastWeek.slice(0, 200));
  addTriggers(db, 699, lastWeek.slice(0, 250));
  const prune = createPruning({ store: new AlertStore(db), clock: { now: () => now } });
  /** All that there is for one night, in pieces. */
  const night = (): number => {
    let total = 0;
    for (let piece = 0; piece < 100; piece += 1) {
      const { removed, hasMore } = prune();
      expect(removed).toBeLessThanOrEqual(500);
      total += removed;
      if (!hasMore) return total;
    }
    throw new Error('It never came to an end.');
  };
  expect(night()).toBe(2550);
  expect(timesOf(db, 1)).toEqual(yesterday);
  expect(timesOf(db, 2)).toEqual(lastWeek.slice(0, 200));
  expect(timesOf(db, 699)).toEqual(lastWeek.slice(50, 250));
  // The first alerts have their turn again.
  now += 2 * DAY;
  night();
  expect(timesOf(db, 1)).toEqual(yesterday.slice(100));
  // What is older than a month goes whatever there is of it.
  now += 30 * DAY;
  night();
  expect([1, 2, 699].flatMap((id) => timesOf(db, id))).toEqual([]);
  db.$client.close();
});
