import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { addDays } from '../../../src/market/rules/sydneyTime.ts';
import { isTradingDay } from '../../../src/market/rules/tradingDay.ts';
import { Exchange } from '../../../src/sources/quotes/simulator/exchange.ts';
import { advance, announce, at, type Seen } from '../../support/simulatedDays.ts';

// The machine may be busy with other things.
setDefaultTimeout(60_000);

/** A week of trading days, looked at every half hour. */
const week = (seed: number) => {
  const exchange = new Exchange({ seed });
  const seen: Seen = new Map();
  const halted = new Map<string, { date: string; time: string; volume: number }[]>();
  let checked = 0;
  for (let date = '2026-11-16'; date <= '2026-11-20'; date = addDays(date, 1)) {
    if (!isTradingDay(date)) continue;
    for (let minutes = 7 * 60; minutes <= 18 * 60; minutes += 30) {
      const time = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
      advance(exchange, seen, at(date, time));
      for (const stock of seen.values()) {
        if (stock.status !== 'Halted') continue;
        const list = halted.get(stock.code) ?? [];
        const last = list.at(-1);
        // A halted listing stands still: nothing trades and nothing is indicated.
        if (last?.date === date) {
          expect(stock.volume ?? 0).toBe(last.volume);
          checked += 1;
        }
        if (minutes > 10 * 60 && last?.date === date) expect(stock.match_price ?? null).toBeNull();
        halted.set(stock.code, [...list, { date, time, volume: stock.volume ?? 0 }]);
      }
    }
    announce(exchange, seen, at(date, '18:00'));
  }
  return { exchange, seen, halted, checked };
};

describe('trading halts', () => {
  const { seen, halted, checked } = week(1);

  test('come and go', () => {
    expect(halted.size).toBeGreaterThan(8);
    expect(checked).toBeGreaterThan(20);
    const resumed = [...halted.keys()].filter((code) => seen.get(code)?.status !== 'Halted');
    expect(resumed.length).toBeGreaterThan(4);
    for (const code of resumed) expect(seen.get(code)?.close).toBeGreaterThan(0);
  });

  test('are announced with a price-sensitive Trading Halt', () => {
    const headlines = [...halted.keys()].map((code) =>
      Object.values(seen.get(code)?.news ?? {}).flatMap((day) => Object.values(day.announcements ?? {})),
    );
    const announced = headlines.flat().filter((one) => one.headline === 'Trading Halt');
    expect(announced.length).toBeGreaterThan(0);
    for (const one of announced) expect(one.isPriceSensitive).toBe(true);
  });

  test('a few companies are suspended for good and never trade', () => {
    const suspended = [...seen.values()].filter((stock) => stock.status === 'Suspended');
    expect(suspended.length).toBeGreaterThan(5);
    for (const stock of suspended)
      expect(stock).toMatchObject({ last: null, volume: 0, match_price: null, relativeVolume: null });
  });
});
