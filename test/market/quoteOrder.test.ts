import { describe, expect, test } from 'bun:test';
import { createMarket } from '../../src/market/market.ts';

/** 11:00 in Sydney on Wednesday 18 November 2026. */
const now = Date.UTC(2026, 10, 18, 0);

function open() {
  const time = { now };
  const market = createMarket({ clock: { now: () => time.now } });
  market.apply([{ code: 'BHP', last: 40, high: 41, low: 39, volume: 100, quoteTime: now - 10_000 }]);
  return { market, time };
}

describe('a quote that is older than the last of its stock', () => {
  test('changes no price, but what it says of the stock itself', () => {
    const { market } = open();
    const late = { last: 50, high: 50, low: 30, volume: 900, match_price: 45 };
    const { applied } = market.apply([{ code: 'BHP', name: 'BHP GROUP', ...late, quoteTime: now - 10_001 }]);
    expect(applied).toBe(1);
    expect(market.get('BHP')).toMatchObject({ name: 'BHP GROUP', last: 40, high: 41, low: 39, volume: 100 });
    expect(market.get('BHP')?.match_price).toBeNull();
    expect(market.statedQuoteTime('BHP')).toBe(now - 10_000);
  });
  test('of the same moment is merged', () => {
    const { market } = open();
    market.apply([{ code: 'BHP', last: 40.5, quoteTime: now - 10_000 }]);
    expect(market.get('BHP')?.last).toBe(40.5);
  });
  test('is measured by quotes that state a time alone', () => {
    const { market } = open();
    market.apply([{ code: 'BHP', last: 40.2 }]);
    expect(market.statedQuoteTime('BHP')).toBeNull();
    market.apply([{ code: 'BHP', last: 40.4, quoteTime: now - 5000 }]);
    expect(market.get('BHP')?.last).toBe(40.4);
  });
  test('a time in the future counts as now, so that a wrong clock does not stop the stock', () => {
    const { market, time } = open();
    market.apply([{ code: 'BHP', last: 42, quoteTime: now + 3_600_000 }]);
    expect(market.statedQuoteTime('BHP')).toBe(now);
    time.now += 1000;
    market.apply([{ code: 'BHP', last: 43, quoteTime: now + 500 }]);
    expect(market.get('BHP')?.last).toBe(43);
  });
  test('after the clock was set back, times count from there', () => {
    const { market, time } = open();
    time.now -= 3_600_000;
    market.apply([{ code: 'BHP', last: 39.5, quoteTime: time.now - 100 }]);
    expect(market.get('BHP')?.last).toBe(39.5);
  });
  test('of a stock that was taken off and listed again, nothing is older', () => {
    const { market } = open();
    market.remove(['BHP']);
    market.apply([{ code: 'BHP', last: 30, quoteTime: now - 60_000 }]);
    expect(market.get('BHP')?.last).toBe(30);
  });
});
