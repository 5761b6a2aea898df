import { describe, expect, test } from 'bun:test';
import { type ClockCourse, marketTimeAt, newCourse } from '../../../src/domain/calls/marketTimes.ts';
import { openMemoryDb } from '../../../src/db/open.ts';
import { createCallsService } from '../../../src/features/calls/service.ts';
import { users } from '../../../src/db/schema.ts';
import { pastOf } from '../../support/pastOf.ts';
import { createMarket } from '../../../src/market/market.ts';

const HOUR = 3_600_000;

describe('the clock of a market beside the wall clock', () => {
  const courses: ClockCourse[] = [
    { wallAt: 100_000, marketAt: 900_000, speed: 10 },
    { wallAt: 200_000, marketAt: 900_000, speed: 1 },
  ];

  test('a moment is shown by the course that it lay in', () => {
    expect(marketTimeAt(courses, 150_000)).toBe(1_400_000);
    expect(marketTimeAt(courses, 250_000)).toBe(950_000);
    expect(marketTimeAt(courses, 90_000)).toBe(890_000);
    expect(marketTimeAt([], 90_000)).toBe(90_000);
  });

  test('a course is new where speed or time changed', () => {
    const going = { wallAt: 260_000, marketAt: 960_000, speed: 1 };
    expect(newCourse(courses, going)).toBeNull();
    expect(newCourse(courses, { ...going, speed: 2 })).not.toBeNull();
    expect(newCourse(courses, { ...going, marketAt: 990_000 })).not.toBeNull();
    expect(newCourse([], { wallAt: 5, marketAt: 9, speed: 1 })).toBeNull();
  });
});

test('calls are dated by the clock of the simulated market, also after a restart of its day', () => {
  const db = openMemoryDb();
  const user = db
    .insert(users)
    .values({ username: 'ann', usernameKey: 'ann', passwordHash: '-', createdAt: 0 })
    .returning()
    .get();
  const begin = Date.UTC(2026, 10, 18, 9);
  const day = Date.UTC(2026, 10, 18, 0);
  const time = { now: begin };
  const clock = { now: () => time.now, monotonic: () => time.now };
  const market = createMarket({ clock });
  let token = 0;
  /** A server whose simulated day begins at 11:00 in Sydney, ten times as fast. */
  const start = () => {
    const from = time.now;
    const source = {
      name: 'simulator',
      days: 'independent' as const,
      delayMinutes: () => 0,
      clock: { now: () => day + (time.now - from) * 10, speed: 10 },
    };
    const calls = createCallsService(
      { db, clock, source },
      { market, randomToken: () => `c${token++}`, audit: { record: () => {} }, past: pastOf() },
    );
    calls.resume();
    return calls;
  };
  let calls = start();
  const quote = (last: number, volume: number): void => {
    market.apply([{ code: 'BHP', name: 'BHP', status: 'Open', last, volume }]);
    calls.look(['BHP']);
    calls.track(market.flush());
  };
  quote(40, 100);
  time.now += HOUR / 10;
  const { publicId } = calls.submit(user, {
    symbol: 'BHP',
    callType: 'bought',
    entryPrice: 40,
    targetPrice: 44,
    stopLossType: 'NONE',
    stopLoss: null,
  });
  time.now += HOUR / 20;
  quote(45, 200);
  const before = calls.mine(user)[0];
  expect(before).toMatchObject({
    submittedAt: '2026-11-18T01:00:00.000Z',
    targetReached: { at: '2026-11-18T01:30:00.000Z', price: 45 },
  });

  time.now += 24 * HOUR;
  calls.flush();
  calls = start();
  expect(calls.mine(user)[0]).toEqual(before as NonNullable<typeof before>);
  time.now += HOUR / 10;
  expect(calls.close(user, publicId, 0).closedAt).toBe('2026-11-18T01:00:00.000Z');
  db.$client.close();
});
