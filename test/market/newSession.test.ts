import { describe, expect, test } from 'bun:test';
import { rowsFor } from '#market/scanners/rules/membership.ts';
import type { Stock, StockUpdate } from '#market/rules/stock.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { createMarket } from '#market/market.ts';
import { createFakeClock } from '../support/testApp.ts';

const at = (date: string, hour: number, minute = 0): number => fromSydney(date, hour, minute);
const FRIDAY = at('2026-11-20', 15, 30);
const MONDAY = at('2026-11-23', 7);

const mover: StockUpdate = {
  code: 'AAA',
  close: 1,
  open: 1.02,
  high: 1.2,
  low: 1.01,
  last: 1.15,
  vwap: 1.1,
  volume: 100_000,
  relativeVolume: 3,
  marketCap: 5e8,
};

function fridayMarket(days?: 'consecutive' | 'independent', more: Partial<StockUpdate> = {}) {
  const clock = createFakeClock(FRIDAY);
  const market = createMarket({ clock, ...(days && { days }) });
  market.apply([{ ...mover, ...more }]);
  market.flush();
  return { clock, market };
}

const intraday = (stocks: ReadonlyMap<string, Stock>, today: string): string[] =>
  rowsFor('intraDayMidLarge', stocks.values(), {
    filters: { priceGroup: null, newsOnly: false, minValue: 0, text: '' },
    ignoreStatus: false,
    today,
  }).map(({ code }) => code);

describe('a new session', () => {
  test('starts without yesterday’s figures, with the last price as its previous close', () => {
    const { clock, market } = fridayMarket('consecutive', { match_price: 1.1, match_vol: 5 });
    clock.set(MONDAY);
    const patch = market.flush()?.upsert.AAA;
    expect(patch).toMatchObject({ last: null, high: null, close: 1.15, change: null });
    expect(market.get('AAA')).toMatchObject({
      open: null,
      low: null,
      vwap: null,
      volume: null,
      value: null,
      relativeVolume: null,
      match_price: null,
      match_vol: null,
      indicativeChangePercent: null,
      marketCap: 5e8,
      status: 'Pre Open',
    });
    expect(intraday(market.all(), market.date())).toEqual([]);
  });

  test('keeps the previous close of a stock that did not trade yesterday', () => {
    const { clock, market } = fridayMarket();
    clock.set(MONDAY);
    market.flush();
    clock.set(at('2026-11-24', 7));
    market.flush();
    expect(market.get('AAA')?.close).toBe(1.15);
  });

  test('has no previous close after a session that the server missed', () => {
    const { clock, market } = fridayMarket();
    clock.set(at('2026-11-24', 9));
    market.flush();
    expect(market.get('AAA')).toMatchObject({ last: null, close: null });
  });

  test('clears the last session’s status, except a halt', () => {
    const clock = createFakeClock(FRIDAY);
    const market = createMarket({ clock });
    market.apply([
      { ...mover, status: 'Open' },
      { ...mover, code: 'BBB', status: 'Halted' },
    ]);
    clock.set(MONDAY);
    market.flush();
    expect([market.get('AAA')?.status, market.get('BBB')?.status]).toEqual(['Pre Open', 'Halted']);
    clock.set(at('2026-11-23', 11));
    market.flush();
    expect([market.get('AAA')?.status, market.get('BBB')?.status]).toEqual(['Open', 'Halted']);
  });

  test('begins with a 52-week range that has yesterday in it, and keeps today out of it', () => {
    const { clock, market } = fridayMarket('consecutive', { yearRange: { high: 1.1, low: 0.5 } });
    market.apply([{ code: 'AAA', yearRange: { high: 1.2, low: 0.5 } }]);
    expect(market.get('AAA')?.yearRange).toEqual({ high: 1.1, low: 0.5 });
    clock.set(MONDAY);
    market.flush();
    expect(market.get('AAA')?.yearRange).toEqual({ high: 1.2, low: 0.5 });
  });

  test('does not start twice if the clock steps back over 07:00', () => {
    const { clock, market } = fridayMarket();
    clock.set(MONDAY + 1000);
    market.apply([{ code: 'AAA', match_price: 1.3, last: 1.16 }]);
    clock.set(MONDAY - 1000);
    market.flush();
    clock.set(MONDAY + 2000);
    market.flush();
    expect(market.get('AAA')).toMatchObject({ match_price: 1.3, last: 1.16, close: 1.15 });
  });
});

const old = { ...mover, quoteTime: at('2026-11-20', 16, 10) };

test('a quote from an earlier session sets the previous close and none of today’s figures', () => {
  const market = createMarket({ clock: createFakeClock(at('2026-11-23', 8)) });
  market.apply([{ ...old, match_price: 1.2 }]);
  expect(market.get('AAA')).toMatchObject({
    match_price: 1.2,
    close: 1.15,
    last: null,
    high: null,
    volume: null,
    marketCap: 5e8,
  });
  expect(market.get('AAA')?.change).toBeNull();
});
