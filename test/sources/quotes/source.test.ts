import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { openMemoryDb } from '../../support/memoryDb.ts';
import { createAnnouncements } from '../../../src/subjects/announcements/server/index.ts';
import { createAuth } from '../../../src/platform/http/auth.ts';
import { ReadQueue } from '../../../src/platform/http/readQueue.ts';
import { createLog, type LogLine } from '../../../src/lib/log.ts';
import { ObservedMarket } from '../../../src/market/observed.ts';
import type { MarketSink } from '../../../src/sources/quotes/source.ts';
import { createSimulator, type Simulator } from '../../../src/sources/quotes/simulator/index.ts';
import { createFakeClock } from '../../support/testApp.ts';
import { at } from '../../support/simulatedDays.ts';

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

  test('whoever waits for all listings waits no longer when it is stopped, and not before it runs', async () => {
    const { simulator, market } = launch('10:30', 1, at(FRIDAY, '12:00:00'));
    await simulator.loaded?.();
    await simulator.start(market);
    const loaded = simulator.loaded?.();
    await simulator.stop();
    await loaded;
    expect(market.all().size).toBeLessThan(2000);
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

  test('is still after stop, and can be started again', async () => {
    const { simulator, market, set } = launch('10:30', 1, at(FRIDAY, '12:00:00'));
    await simulator.start(market);
    await simulator.stop();
    const loaded = market.all().size;
    set(at(FRIDAY, '12:01:00'));
    await Bun.sleep(300);
    expect(market.all().size).toBe(loaded);
    await simulator.start(market);
    await until(() => market.all().size === 2000);
  });
});
