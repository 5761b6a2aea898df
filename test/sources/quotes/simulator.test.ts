import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LogLine, createLog } from '../../../src/lib/log.ts';
import { ObservedMarket } from '../../../src/market/observed.ts';
import { priceAtStep } from '../../../src/market/rules/priceStep.ts';
import { createAuth } from '../../../src/platform/http/auth.ts';
import { ReadQueue } from '../../../src/platform/http/readQueue.ts';
import { auctionFlow } from '../../../src/sources/quotes/simulator/auctionFlow.ts';
import { createBook } from '../../../src/sources/quotes/simulator/book.ts';
import { createSimulatorClock } from '../../../src/sources/quotes/simulator/clock.ts';
import { type Simulator, createSimulator } from '../../../src/sources/quotes/simulator/index.ts';
import { createListings } from '../../../src/sources/quotes/simulator/listings.ts';
import {
  arrivalOf,
  countOrders,
  enterOrder,
  packOrders,
} from '../../../src/sources/quotes/simulator/orderFlow.ts';
import { trendOf } from '../../../src/sources/quotes/simulator/stockDay.ts';
import type { MarketSink } from '../../../src/sources/quotes/source.ts';
import { createAnnouncements } from '../../../src/subjects/announcements/server/index.ts';
import { openMemoryDb } from '../../support/memoryDb.ts';
import { recordings } from '../../support/recordedScan.ts';
import { at } from '../../support/simulatedDays.ts';
import { createFakeClock } from '../../support/testApp.ts';

// The machine may be busy with other things.
setDefaultTimeout(60_000);

const FRIDAY = '2026-11-20';
const MONDAY = '2026-11-23';

let running: Simulator | null = null;
afterEach(async () => {
  await running?.stop();
  running = null;
});

const launch = (start: string, speed: number, wallStart: number) => {
  let wall = wallStart;
  const lines: LogLine[] = [];
  const clock = { now: () => wall };
  const simulator = createSimulator({
    seed: 1,
    start,
    speed,
    wall: clock,
    log: createLog((line) => lines.push(line)),
  });
  const market = new ObservedMarket(
    { clock: simulator.clock },
    createLog(() => undefined),
  );
  running = simulator;
  return {
    simulator,
    market,
    lines,
    set: (now: number) => {
      wall = now;
    },
  };
};

/** Keeps the announcements of a simulated market and puts them into it. */
function announcementsOf(simulator: Simulator, market: ObservedMarket) {
  const core = { db: openMemoryDb(), clock: createFakeClock(), log: createLog(() => undefined) };
  const auth = createAuth(core, { jwtSecret: 'a secret of the tests, long enough for HS256' });
  return createAnnouncements(core, {
    ...{ auth, market, source: simulator.announcements ?? null },
    reads: new ReadQueue({ stopwatch: core.clock }),
  });
}

/** Lets the source work until something holds. */
const until = async (holds: () => boolean): Promise<void> => {
  for (let turn = 0; turn < 2000 && !holds(); turn += 1) await Bun.sleep(5);
  expect(holds()).toBe(true);
};

describe('the simulator as a source', () => {
  test('has listings when start returns, the rest follows, and time moves them', async () => {
    const { simulator, market, lines, set } = launch('10:30', 1, at(FRIDAY, '12:00:00'));
    await simulator.start(market);
    expect(market.all().size).toBeGreaterThan(0);
    await simulator.loaded?.();
    expect(market.all().size).toBe(2000);
    const before = market.get('BHP');
    expect(before).toMatchObject({ code: 'BHP', name: 'BHP Group Limited', status: 'Open' });
    set(at(FRIDAY, '12:03:00'));
    await until(() => (market.get('BHP')?.volume ?? 0) > (before?.volume ?? 0));
    expect(simulator.clock.now()).toBe(at(FRIDAY, '10:33:00'));
    expect(simulator.health()).toEqual({
      healthy: true,
      problem: null,
      lastSuccess: at(FRIDAY, '12:03:00'),
      measuredLagMs: 0,
    });
    expect([simulator.name, simulator.label(), simulator.delayMinutes(), simulator.ignoreStatus()]).toEqual([
      'simulator',
      'Simulated',
      0,
      false,
    ]);
    expect(lines).toEqual([]);
  });

  test('changes from its own day to the real hours without keeping the future', async () => {
    const { simulator, market, set } = launch('auto', 1, at(MONDAY, '06:00:00'));
    const announcements = announcementsOf(simulator, market);
    announcements.start();
    await simulator.start(market);
    await until(() => market.all().size === 2000);
    expect(simulator.ignoreStatus()).toBe(true);
    set(at(MONDAY, '06:30:00'));
    await until(() => market.get('BHP')?.status === 'Open');
    const newsOfMonday = () => {
      market.flush();
      return [...market.all().values()].flatMap((stock) =>
        Object.values(stock.news?.[MONDAY]?.announcements ?? {}),
      );
    };
    await until(() => newsOfMonday().length > 100);
    set(at(MONDAY, '07:05:00'));
    await until(() => market.all().size === 2000 && market.get('BHP')?.status === 'Pre Open');
    expect(simulator.ignoreStatus()).toBe(false);
    expect(market.get('BHP')).toMatchObject({ last: null, volume: 0 });
    const later = newsOfMonday().filter((one) => Date.parse(one.time) > at(MONDAY, '07:05:00'));
    expect(later).toEqual([]);
    await announcements.stop();
  });

  test('says what is wrong when a step fails, and recovers with the next good one', async () => {
    const { simulator, market, lines, set } = launch('10:30', 1, at(FRIDAY, '12:00:00'));
    let broken = false;
    const sink: MarketSink = {
      apply: (updates) => {
        if (broken) throw new Error('no room');
        return market.apply(updates);
      },
      remove: (codes) => market.remove(codes),
      jump: market.jump,
    };
    await simulator.start(sink);
    await until(() => market.all().size === 2000);
    const volume = market.get('BHP')?.volume ?? 0;
    broken = true;
    set(at(FRIDAY, '12:02:00'));
    await until(() => !simulator.health().healthy);
    expect(simulator.health().problem).toContain('Restart the server');
    set(at(FRIDAY, '12:03:00'));
    await Bun.sleep(300);
    expect(lines.filter((line) => line.level === 'error')).toHaveLength(1);
    broken = false;
    set(at(FRIDAY, '12:04:00'));
    await until(() => simulator.health().healthy && (market.get('BHP')?.volume ?? 0) > volume);
  });
});

describe('the clock of the simulator', () => {
  const clockAt = (start: string, speed: number, wallStart: number) => {
    let wall = wallStart;
    const clock = createSimulatorClock({ start, speed, wall: { now: () => wall } });
    return {
      clock,
      set: (now: number) => {
        wall = now;
      },
    };
  };

  const FRIDAY = '2026-11-20';
  const SATURDAY = '2026-11-21';
  const MONDAY = '2026-11-23';

  describe('the clock of the simulated market, start auto', () => {
    test.each(['07:00:00', '11:23:45', '16:21:59'])('is the wall clock at %s of a trading day', (time) => {
      const { clock } = clockAt('auto', 1, at(FRIDAY, time));
      expect([clock.now(), clock.speed, clock.outsideHours()]).toEqual([at(FRIDAY, time), 1, false]);
    });

    test.each([
      [at(FRIDAY, '16:22:00'), at(MONDAY, '09:50:00')],
      [at(SATURDAY, '12:00:00'), at(MONDAY, '09:50:00')],
      [at(MONDAY, '03:00:00'), at(MONDAY, '09:50:00')],
      [at('2026-12-24', '15:00:00'), at('2026-12-29', '09:50:00')],
    ])('outside hours begins at 09:50 of the coming trading day', (wall, market) => {
      const { clock } = clockAt('auto', 1, wall);
      expect([clock.now(), clock.outsideHours()]).toEqual([market, true]);
    });

    test('leaves its own day when the real exchange opens, and takes one up again after it', () => {
      const { clock, set } = clockAt('auto', 1, at(MONDAY, '06:59:00'));
      expect(clock.now()).toBe(at(MONDAY, '09:50:00'));
      set(at(MONDAY, '06:59:30'));
      expect(clock.now()).toBe(at(MONDAY, '09:50:30'));
      set(at(MONDAY, '07:00:00'));
      expect([clock.now(), clock.outsideHours()]).toEqual([at(MONDAY, '07:00:00'), false]);
      set(at(MONDAY, '16:30:00'));
      expect([clock.now(), clock.outsideHours()]).toEqual([at('2026-11-24', '09:50:00'), true]);
    });
  });

  describe('the clock of the simulated market, start at a time', () => {
    test('begins then on the wall date, or on the next trading day, and runs at its speed', () => {
      const { clock, set } = clockAt('09:50', 10, at(FRIDAY, '22:00:00'));
      expect(clock.now()).toBe(at(FRIDAY, '09:50:00'));
      set(at(FRIDAY, '22:01:00'));
      expect([clock.now(), clock.outsideHours()]).toEqual([at(FRIDAY, '10:00:00'), true]);
      expect(clockAt('09:50', 10, at(FRIDAY, '11:00:00')).clock.outsideHours()).toBe(false);
      expect(clockAt('11:00', 1, at(SATURDAY, '01:00:00')).clock.now()).toBe(at(MONDAY, '11:00:00'));
    });

    test('rolls at 19:00 to 07:00 of the next trading day, over weekends and many days at once', () => {
      const { clock, set } = clockAt('18:59', 60, at(FRIDAY, '12:00:00'));
      expect(clock.now()).toBe(at(FRIDAY, '18:59:00'));
      set(at(FRIDAY, '12:00:01'));
      expect(clock.now()).toBe(at(MONDAY, '07:00:00'));
      set(at(FRIDAY, '12:12:02'));
      expect(clock.now()).toBe(at('2026-11-24', '07:01:00'));
      set(at(FRIDAY, '12:36:02'));
      expect(clock.now()).toBe(at('2026-11-26', '07:01:00'));
    });
  });
});

describe('the listings of the simulator', () => {
  const DIRECTORY = 'asx-directory/ASX_Listed_Companies_30-06-2026_11-15-18_AEST.csv';

  const INVENTED = /^[A-Z][JQXZ][A-Z]$/;

  describe('the listings of the simulated market', () => {
    const listings = createListings();
    test('are two thousand with codes and names of their own', () => {
      expect(listings).toHaveLength(2000);
      expect(new Set(listings.map((listing) => listing.code)).size).toBe(2000);
      expect(new Set(listings.map((listing) => listing.name)).size).toBe(2000);
    });

    test('keep to what a stock may be', () => {
      for (const listing of listings) {
        expect(listing.basePrice).toBeGreaterThan(0.001);
        expect(listing.usualVolume).toBeGreaterThanOrEqual(50);
        expect(listing.sector).not.toBe('');
        expect(['stock', 'fund', 'cdi']).toContain(listing.securityType);
      }
    });

    test.each(recordings())(
      'invented ones use no code and no name of a real company: $name',
      ({ folder, isWhole }) => {
        const rows = readFileSync(join(folder, DIRECTORY), 'utf8').split('\n').slice(1);
        const codes = new Set(rows.map((row) => row.split(',')[0]?.replaceAll('"', '') ?? ''));
        const names = new Set(rows.map((row) => row.split('","')[1]?.replace(/"$/, '').toUpperCase() ?? ''));
        expect(codes.size).toBeGreaterThan(isWhole ? 1800 : 200);
        const invented = listings.filter(
          (listing) => INVENTED.test(listing.code) && !codes.has(listing.code),
        );
        const real = listings.filter((listing) => codes.has(listing.code));
        expect(invented.length).toBeGreaterThan(1700);
        expect(real.length).toBeGreaterThan(150);
        for (const listing of invented) expect(names.has(listing.name.toUpperCase())).toBe(false);
        // Those whose code is real must be the well known ones, not inventions that hit one.
        for (const listing of real.filter((one) => INVENTED.test(one.code)))
          expect(['AZJ', 'BXB', 'CQR', 'CXO', 'DXS', 'GQG', 'MQG', 'NXT', 'PXA']).toContain(listing.code);
      },
    );
  });
});

describe('orders of the simulator', () => {
  const events = [
    { second: 25_200.125, buy: true, step: 410, volume: 5000 },
    { second: 25_201.5, buy: false, step: 412, volume: 4_000_000_000 },
    { second: 25_300, buy: true, step: 410, volume: -2000 },
  ];

  describe('packed orders', () => {
    test('keep moment, side, price and shares', () => {
      const flow = packOrders(events);
      expect(countOrders(flow)).toBe(3);
      expect([0, 1, 2].map((index) => arrivalOf(flow, index))).toEqual([25_200.125, 25_201.5, 25_300]);
      const book = createBook();
      for (let index = 0; index < 3; index += 1) enterOrder(flow, index, book);
      expect(book.levels()).toEqual({
        bids: [{ price: priceAtStep(410), volume: 3000 }],
        asks: [{ price: priceAtStep(412), volume: 4_000_000_000 }],
      });
    });
  });
});

describe('auctions, chance and trends of the simulator', () => {
  describe('the order flow of an auction', () => {
    const goal = fc.record({
      reference: fc.integer({ min: 1, max: 3000 }),
      target: fc.integer({ min: 1, max: 3000 }),
      volume: fc.integer({ min: 0, max: 5_000_000 }),
      surplus: fc.integer({ min: -2_000_000, max: 2_000_000 }),
      from: fc.constant(25_200),
      until: fc.constant(35_940),
      orders: fc.integer({ min: 1, max: 200 }),
    });
    const seed = fc.integer({ min: 0, max: 2 ** 31 });

    test('ends in a book whose auction is the goal, or crosses nothing', () => {
      fc.assert(
        fc.property(goal, seed, fc.integer({ min: 0, max: 100_000 }), (aim, random, usual) => {
          const book = createBook();
          for (const { buy, step, volume } of auctionFlow(aim, usual, random)) book.add(buy, step, volume);
          const expected = { price: priceAtStep(aim.target), volume: aim.volume, surplus: aim.surplus };
          expect(book.match(priceAtStep(aim.reference))).toEqual(aim.volume > 0 ? expected : null);
        }),
        { numRuns: 300 },
      );
    });

    test('comes in order and in time, and never takes out what is not there', () => {
      fc.assert(
        fc.property(goal, seed, (aim, random) => {
          const left = new Map<string, number>();
          let before: number = aim.from;
          for (const { second, buy, step, volume } of auctionFlow(aim, 1000, random)) {
            expect(second).toBeGreaterThanOrEqual(before);
            expect(second).toBeLessThanOrEqual(aim.until);
            before = second;
            const key = `${buy} ${step}`;
            left.set(key, (left.get(key) ?? 0) + volume);
            expect(left.get(key)).toBeGreaterThanOrEqual(0);
          }
        }),
        { numRuns: 100 },
      );
    });
  });

  describe('trend', () => {
    const bars = (...closes: [string, number][]) => closes.map(([date, close]) => ({ date, close }));

    test('counts the newest days and weeks in one direction, the running week with its latest close', () => {
      const up = bars(
        ['2026-11-06', 1],
        ['2026-11-13', 2],
        ['2026-11-16', 1.5],
        ['2026-11-17', 2.1],
        ['2026-11-18', 2.2],
      );
      expect(trendOf(up)).toEqual({ daysUp: 2, daysDown: 0, weeksUp: 2, weeksDown: 0 });
      const down = bars(['2026-11-13', 2], ['2026-11-16', 2.5], ['2026-11-17', 1.9]);
      expect(trendOf(down)).toEqual({ daysUp: 0, daysDown: 1, weeksUp: 0, weeksDown: 1 });
    });
  });
});
