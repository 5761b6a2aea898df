import { describe, expect, test } from 'bun:test';
import { fromSydney } from '../../src/market/rules/sydneyTime.ts';
import { createMarket } from '../../src/market/market.ts';
import { createMeta } from '../../src/market/meta.ts';
import type { MarketSource, SourceHealth } from '../../src/sources/quotes/source.ts';

const OPEN = fromSydney('2026-11-19', 11, 0);
const good: SourceHealth = { healthy: true, problem: null, lastSuccess: OPEN, measuredLagMs: null };

function setUp(health: Partial<SourceHealth> = {}, offset = 0, speed = 1) {
  const wall = { time: OPEN, now: () => wall.time, monotonic: () => wall.time };
  const source: MarketSource = {
    name: 'ingest',
    label: () => 'Live',
    delayMinutes: () => 0,
    clock: { speed, now: () => wall.time + offset },
    ignoreStatus: () => false,
    days: 'consecutive',
    hasMinutes: true,
    start: async () => {},
    stop: async () => {},
    health: () => ({ ...good, ...health }),
  };
  const market = createMarket({ clock: source.clock });
  return { wall, market, meta: createMeta({ source, clock: wall }, { market, staleAfterMs: 60_000 }) };
}

describe('meta', () => {
  test('tells counts, date, clock and feed', () => {
    const { market, meta } = setUp();
    market.apply([{ code: 'AAA' }]);
    expect(meta()).toEqual({
      stockCount: 1,
      dateToday: '2026-11-19',
      flags: { ignoreStatus: false },
      feed: {
        name: 'ingest',
        label: 'Live',
        delayMinutes: 0,
        lastUpdate: OPEN,
        healthy: true,
        problem: null,
      },
      announcements: null,
      calendar: null,
      marketTime: OPEN,
      clockOffsetMs: 0,
      clockSpeed: 1,
    });
  });

  test('a feed that lacks something is healthy, and says what', () => {
    const problem = 'TradingView is sending no sectors for any stock, so these stay empty.';
    expect(setUp({ problem }).meta().feed).toMatchObject({ healthy: true, problem });
  });

  test('tells how far the market’s clock is from the wall’s', () => {
    expect(setUp({}, -3_600_000, 60).meta()).toMatchObject({
      clockOffsetMs: -3_600_000,
      clockSpeed: 60,
      marketTime: OPEN - 3_600_000,
    });
  });

  test('a feed that fell silent in market hours is not healthy, and says since when', () => {
    const { wall, meta } = setUp();
    wall.time += 60_001;
    expect(meta().feed).toMatchObject({
      healthy: false,
      problem: 'No market data has arrived since 11:00 Sydney time; prices are old.',
    });
  });

  test('silence outside market hours is no fault', () => {
    const { wall, meta } = setUp();
    wall.time = fromSydney('2026-11-21', 11, 0);
    expect(meta().feed.healthy).toBe(true);
  });

  test('a feed that never spoke is given the same time from the start', () => {
    const { wall, meta } = setUp({ lastSuccess: null });
    expect(meta().feed.healthy).toBe(true);
    wall.time += 60_001;
    expect(meta().feed.problem).toBe('No market data has arrived since the server started.');
  });

  test('the source’s own trouble comes first', () => {
    expect(setUp({ healthy: false, problem: 'TradingView answers 429.' }).meta().feed).toMatchObject({
      healthy: false,
      problem: 'TradingView answers 429.',
    });
    expect(setUp({ healthy: false }).meta().feed.problem).toMatch(/does not answer/);
  });
});
