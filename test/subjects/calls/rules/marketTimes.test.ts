import { describe, expect, test } from 'bun:test';
import { NO_ADJUSTMENTS } from '../../../../src/market/adjustments/index.ts';
import {
  type ClockCourse,
  marketTimeAt,
  newCourses,
  wentBack,
} from '../../../../src/subjects/calls/rules/marketTimes.ts';
import { openMemoryDb } from '../../../support/memoryDb.ts';
import { Calls } from '../../../../src/subjects/calls/server/service.ts';
import { users } from '../../../../src/platform/db/schema.ts';
import { pastOf } from '../../../support/pastOf.ts';
import { createLog } from '../../../../src/lib/log.ts';
import { createMarket } from '../../../../src/market/market.ts';

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
    expect(newCourses(courses, null, going)).toEqual([]);
    expect(newCourses(courses, null, { ...going, speed: 2 })).toHaveLength(1);
    expect(newCourses(courses, null, { ...going, marketAt: 990_000 })).toHaveLength(1);
    expect(newCourses([], null, { wallAt: 5, marketAt: 9, speed: 1 })).toEqual([]);
  });

  /** A clock that is looked at each second, and does something between two looks. */
  const looks = (readings: readonly ClockCourse[]): ClockCourse[] => {
    const known: ClockCourse[] = [];
    let seen: ClockCourse | null = null;
    for (const reading of readings) {
      known.push(...newCourses(known, seen, reading));
      seen = reading;
    }
    return known;
  };

  test('one that becomes slower, stands or ends did not go back; one that is taken back did', () => {
    const fast = [0, 1000, 2000].map((wallAt) => ({ wallAt, marketAt: 900_000 + wallAt * 60, speed: 60 }));
    // It stood still right after the last look, and that was seen two seconds later.
    const stands = looks([...fast, { wallAt: 4000, marketAt: 1_020_300, speed: 0 }]);
    expect(wentBack(stands, 500, 5000)).toBe(false);
    expect(marketTimeAt(stands, 4500)).toBe(1_020_300);
    expect(marketTimeAt(stands, 3000)).toBe(1_020_150);
    const slower = looks([...fast, { wallAt: 3000, marketAt: 1_021_000, speed: 1 }]);
    expect(wentBack(slower, 500, 5000)).toBe(false);
    const back = looks([...fast, { wallAt: 3000, marketAt: 900_000, speed: 60 }]);
    expect(wentBack(back, 500, 5000)).toBe(true);
    expect(wentBack(back, 3500, 5000)).toBe(false);
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
    const calls = new Calls(
      { db, clock, source, log: createLog(() => {}) },
      {
        market,
        adjustments: NO_ADJUSTMENTS,
        randomToken: () => `c${token++}`,
        notifier: () => ({ callsChanged: () => {} }),
        audit: { record: () => {} },
        past: pastOf(),
      },
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
  expect(calls.end(user, publicId, { kind: 'close', pocketedValue: 0 }).closedAt).toBe(
    '2026-11-18T01:00:00.000Z',
  );
  db.$client.close();
});
