import { describe, expect, test } from 'bun:test';
import { createMarket } from '#market/market.ts';
import { createMeta } from '#market/meta.ts';
import { feedDelay, quoteLag } from '#market/rules/quoteLag.ts';
import { phaseAt } from '#market/rules/sessionClock.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import type { SourceHealth } from '#market/sources/quotes.ts';
import { createHandSource } from '../support/handSource.ts';
import { appOf, standIn } from '#support/appOf.ts';

const OPEN = fromSydney('2026-11-19', 11, 0);
function setUp(health: Partial<SourceHealth> = {}) {
  const wall = { time: OPEN, now: () => wall.time, monotonic: () => wall.time };
  const source = createHandSource(wall, { name: 'ingest' });
  source.setHealth({ lastSuccess: OPEN, ...health });
  const market = createMarket({ clock: source.clock });
  return {
    wall,
    market,
    meta: createMeta(appOf({ source, clock: wall, market: standIn(market) }), { staleAfterMs: 60_000 }),
  };
}

describe('meta', () => {
  test('contains counts, date, clock and feed', () => {
    const { market, meta } = setUp();
    market.apply([{ code: 'AAA' }]);
    expect(meta()).toMatchObject({
      stockCount: 1,
      dateToday: '2026-11-19',
      marketTime: OPEN,
      clockOffsetMs: 0,
      clockSpeed: 1,
      feed: { name: 'ingest', label: 'By hand', lastUpdate: OPEN, healthy: true, problem: null },
    });
  });

  test('reports an unhealthy feed with its start if it falls silent in market hours', () => {
    const { wall, meta } = setUp();
    wall.time += 60_001;
    expect(meta().feed).toMatchObject({
      healthy: false,
      problem: 'No market data has arrived since 11:00 Sydney time. Prices are old.',
    });
  });

  test('accepts silence outside market hours', () => {
    const { wall, meta } = setUp();
    wall.time = fromSydney('2026-11-21', 11, 0);
    expect(meta().feed.healthy).toBe(true);
  });

  test('reports the source’s own problem first', () => {
    expect(setUp({ healthy: false, problem: 'TradingView answers 429.' }).meta().feed).toMatchObject({
      healthy: false,
      problem: 'TradingView answers 429.',
    });
    expect(setUp({ healthy: false }).meta().feed.problem).toMatch(/does not answer/);
  });
});

describe('the lag of quotes', () => {
  const minutes = (count: number): number => count * 60_000;
  const at = (hour: number, minute = 0, date = '2026-11-20'): number => fromSydney(date, hour, minute);
  const lagAt = (quote: number | null, now: number): number | null => quoteLag(quote, phaseAt(now), now);

  test.each([
    ['fresh, in the open', at(11) - 2000, at(11), 2000],
    ['two hours old, in the open', at(10, 5), at(12, 5), minutes(120)],
    ['of yesterday, ten minutes after the open', at(16, 10, '2026-11-19'), at(10, 10), null],
    ['of yesterday, an hour after the open', at(16, 10, '2026-11-19'), at(11), minutes(18 * 60 + 50)],
    ['fresh, before the open', at(9, 30) - 2000, at(9, 30), 2000],
    ['old, before the open', at(7, 5), at(9, 30), null],
    ['of the closing auction, in the evening', at(16, 10), at(20), null],
    ['of Friday, on a Saturday', at(16, 10), at(12, 0, '2026-11-21'), null],
    ['a little in the future', at(11) + 5000, at(11), 0],
    ['never stated', null, at(11), null],
  ])('the lag of the newest quote %s', (_, quote, now, lag) => {
    expect(lagAt(quote, now)).toBe(lag);
  });

  test.each([
    [null, 'Delay not measured', 0],
    [minutes(2.9), 'Live', 0],
    [minutes(5), 'Delayed 5 min', 5],
    [minutes(21), 'Delayed 20 min', 20],
    [minutes(31), 'Delayed 31 min', 31],
    [minutes(120), 'Prices 2 h old', 120],
    [minutes(3 * 1440), 'Prices 3 days old', 4320],
  ])('of a feed declared live, measured %p: %s', (lagMs, label, delay) => {
    const live = { declaredMinutes: 0, unmeasuredMinutes: 0 };

    expect(feedDelay({ lagMs, ...live })).toEqual({ label, minutes: delay });
  });
});
