import type { MarketSource } from '#market/sources/quotes.ts';
import { appOf, standIn } from '#support/appOf.ts';
import { describe, expect, test } from 'bun:test';
import { createMarket } from '#market/market.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { MarketLevels, MarketTimes } from '#subjects/calls/server/marketLevels.ts';
import { createCallsBench, tradingTime } from '#support/callsBench.ts';
import { openMemoryDb } from '#support/memoryDb.ts';
import { type ClockCourse, marketTimeAt, newCourses, wentBack } from '#subjects/calls/rules/pricePath.ts';

const MINUTE = 60_000;
/** Wednesday. */
const DAY = '2026-11-04';
const CODES = Array.from({ length: 12 }, (_, index) => `L${index}`);

type Feed = { delayMinutes?: number; caps?: boolean };

/** Twelve large stocks on a market with a manual clock. */
function createBench({ delayMinutes = 0, caps = true }: Feed = {}) {
  const time = { now: fromSydney(DAY, 9, 0) };
  const clock = { now: () => time.now, monotonic: () => time.now, speed: 1 };
  const [db, market] = [openMemoryDb(), createMarket({ clock })];
  const source = standIn<MarketSource>({
    name: 'bench',
    clock,
    delayMinutes: () => delayMinutes,
  });
  const app = appOf({ db, clock, source, market: standIn(market) });
  const start = () => new MarketLevels(app, new MarketTimes(app));
  const bench = {
    levels: start(),
    /** Sets all stocks this many percent from a previous close of 10, then runs a check. */
    at(date: string, hour: number, minute: number, percent: number, more: Record<string, number> = {}) {
      time.now = fromSydney(date, hour, minute);
      market.flush();
      market.apply(
        CODES.map((code, index) => ({
          code,
          status: 'Open' as const,
          close: 10,
          volume: 1000,
          value: 10_000,
          ...(caps ? { marketCap: (index + 1) * 1e9 } : {}),
          last: 10 * (1 + (more[code] ?? percent) / 100),
        })),
      );
      bench.levels.update();
      return time.now;
    },
    restart: () => {
      bench.levels = start();
    },
    move: (from: number, until: number | null) => {
      const move = bench.levels.moveBetween('bench', from, until);
      return move === null ? null : Math.round(move * 1000) / 1000;
    },
  };
  return bench;
}

/** A day on which the market rises from zero to this percentage. */
function day(bench: ReturnType<typeof createBench>, date: string, percent: number) {
  const open = bench.at(date, 10, 15, 0);
  bench.at(date, 12, 0, percent / 2);
  const noon = bench.at(date, 12, 15, percent / 2);
  const close = bench.at(date, 16, 15, percent);
  return { open, noon, close };
}

test('measures the market’s move between two times of a day', () => {
  const bench = createBench();
  const { noon, close } = day(bench, DAY, 2);
  expect(bench.move(noon - MINUTE, close - MINUTE)).toBe(Math.round((1.02 / 1.01 - 1) * 1e5) / 1e3);
  expect(bench.move(noon, null)).toBe(Math.round((1.02 / 1.01 - 1) * 1e5) / 1e3);
  expect(bench.levels.moveBetween('other', noon, close)).toBeNull();
});

test('measures the minutes between the begin and the end of a short result', () => {
  const bench = createBench();
  bench.at(DAY, 10, 15, 0);
  bench.at(DAY, 10, 30, 0);
  bench.levels.note();
  const from = bench.at(DAY, 10, 33, 1);
  const unnoted = bench.at(DAY, 10, 36, 5);
  bench.levels.note();
  const until = bench.at(DAY, 10, 41, 2);
  expect(bench.move(from, until)).toBe(Math.round((1.02 / 1.01 - 1) * 1e5) / 1e3);
  expect(bench.move(unnoted, until)).toBe(0);
  bench.restart();
  expect(bench.move(from - 2000, until - 2000)).toBe(Math.round((1.02 / 1.01 - 1) * 1e5) / 1e3);
});

test('is unknown before the first level, which needs all shares to have opened', () => {
  const bench = createBench();
  bench.at(DAY, 10, 5, -2);
  const first = bench.at(DAY, 10, 15, -2);
  const later = bench.at(DAY, 11, 0, -1);
  expect(bench.move(first - 10 * MINUTE, later)).toBeNull();
  expect(bench.move(later, null)).toBe(0);
});

test('does not credit a call with a fall before its posting, not even at the open', () => {
  const bench = createBench();
  day(bench, DAY, 0);
  // The next day opens 3 % lower; the first stocks trade at 10:00, and the level is read at 10:15.
  const entry = fromSydney('2026-11-05', 10, 0);
  bench.at('2026-11-05', 10, 15, -3);
  const exit = bench.at('2026-11-05', 15, 0, -3);
  expect(bench.move(entry, exit)).toBe(0);
});

test('continues overnight, over a weekend and after a restart', () => {
  const bench = createBench();
  const { noon } = day(bench, '2026-11-05', 2);
  day(bench, '2026-11-06', 1);
  bench.restart();
  const monday = day(bench, '2026-11-09', -1);
  expect(bench.move(noon, monday.close)).toBe(Math.round(((1.02 / 1.01) * 1.01 * 0.99 - 1) * 1e5) / 1e3);
});

test('is unknown across an unseen close or a missed day', () => {
  const bench = createBench();
  bench.at(DAY, 10, 15, 0);
  const noon = bench.at(DAY, 12, 0, 1);
  const next = day(bench, '2026-11-05', 1);
  expect(bench.move(noon, next.close)).toBeNull();
  const missed = day(bench, '2026-11-09', 1);
  expect(bench.move(next.noon, missed.close)).toBeNull();
  expect(bench.move(missed.noon, missed.close)).not.toBeNull();
});

test('is unknown across a jump of the market’s clock', () => {
  const bench = createBench();
  const { noon, close } = day(bench, DAY, 2);
  bench.levels.jump();
  const after = bench.at(DAY, 17, 0, 2);
  expect(bench.move(noon, close)).not.toBeNull();
  expect(bench.move(noon, after)).toBeNull();
});

test('weighs by market cap, and ignores a split that the source has not adjusted', () => {
  const bench = createBench();
  bench.at(DAY, 10, 15, 0);
  const start = bench.at(DAY, 11, 0, 0);
  bench.at(DAY, 12, 0, 0, { L11: 1, L0: -90 });
  expect(bench.move(start, null)).toBe(Math.round((12 / 77) * 1000) / 1000);
});

test('a level of a delayed feed has the time of its prices', () => {
  const bench = createBench({ delayMinutes: 20 });
  bench.at(DAY, 10, 30, 1);
  const shown = bench.at(DAY, 10, 45, 1);
  const rose = bench.at(DAY, 11, 0, 3);
  bench.at(DAY, 11, 15, 3);
  expect(bench.move(shown - 20 * MINUTE, rose - 20 * MINUTE)).toBe(Math.round((1.03 / 1.01 - 1) * 1e5) / 1e3);
});

test('a submitter’s mean against the market is the result minus the market’s move', () => {
  const bench = createCallsBench();
  const market = (percent: number) => {
    for (const code of CODES) {
      const last = 10 * (1 + percent / 100);
      bench.market.apply([{ code, status: 'Open', close: 10, last, volume: 1000, marketCap: 1e9 }]);
    }
    bench.tick();
  };
  bench.now = tradingTime;
  market(0);
  bench.now += 20 * MINUTE;
  market(1);
  bench.calls.submit(bench.user, {
    symbol: 'BHP',
    callType: 'bought',
    entryPrice: 1.1,
    targetPrice: 2,
    stopLossType: 'NONE',
    stopLoss: null,
  });
  bench.trade('BHP', 1.1);
  bench.now += 15 * MINUTE;
  market(1);
  bench.now += 15 * MINUTE;
  market(3.02);
  bench.trade('BHP', 1.155);
  const metrics = bench.calls.ranks()[0]?.metrics;
  expect(metrics).toMatchObject({ days: 1, verified: 1 });
  expect(metrics?.averageVerified).toBeCloseTo(5, 3);
  expect(metrics?.averageAgainstMarket).toBeCloseTo(3, 3);
});

describe('the market clock relative to the wall clock', () => {
  const courses: ClockCourse[] = [
    { wallAt: 100_000, marketAt: 900_000, speed: 10 },
    { wallAt: 200_000, marketAt: 900_000, speed: 1 },
  ];

  test('converts a time by the segment that it falls in', () => {
    expect(marketTimeAt(courses, 150_000)).toBe(1_400_000);
    expect(marketTimeAt(courses, 250_000)).toBe(950_000);
    expect(marketTimeAt(courses, 90_000)).toBe(890_000);
    expect(marketTimeAt([], 90_000)).toBe(90_000);
  });

  test('starts a new segment when speed or time changes', () => {
    const going = { wallAt: 260_000, marketAt: 960_000, speed: 1 };
    expect(newCourses(courses, null, going)).toEqual([]);
    expect(newCourses(courses, null, { ...going, speed: 2 })).toHaveLength(1);
    expect(newCourses(courses, null, { ...going, marketAt: 990_000 })).toHaveLength(1);
    expect(newCourses([], null, { wallAt: 5, marketAt: 9, speed: 1 })).toEqual([]);
  });

  /** A clock that is checked each second and may change between two checks. */
  const readings = (readings: readonly ClockCourse[]): ClockCourse[] => {
    const known: ClockCourse[] = [];
    let seen: ClockCourse | null = null;
    for (const reading of readings) {
      known.push(...newCourses(known, seen, reading));
      seen = reading;
    }
    return known;
  };

  test('detects only real steps back, not slowing, pausing or ending', () => {
    const fast = [0, 1000, 2000].map((wallAt) => ({
      wallAt,
      marketAt: 900_000 + wallAt * 60,
      speed: 60,
    }));
    // It paused right after the last check, which is detected two seconds later.
    const stands = readings([...fast, { wallAt: 4000, marketAt: 1_020_300, speed: 0 }]);
    expect(wentBack(stands, 500, 5000)).toBe(false);
    expect(marketTimeAt(stands, 4500)).toBe(1_020_300);
    expect(marketTimeAt(stands, 3000)).toBe(1_020_150);
    const slower = readings([...fast, { wallAt: 3000, marketAt: 1_021_000, speed: 1 }]);
    expect(wentBack(slower, 500, 5000)).toBe(false);
    const back = readings([...fast, { wallAt: 3000, marketAt: 900_000, speed: 60 }]);
    expect(wentBack(back, 500, 5000)).toBe(true);
    expect(wentBack(back, 3500, 5000)).toBe(false);
  });
});
