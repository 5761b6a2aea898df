import { expect, test } from 'bun:test';
import { runAuction } from '../../../src/market/rules/auction.ts';
import { fromSydney } from '../../../src/market/rules/sydneyTime.ts';
import { Exchange } from '../../../src/sources/quotes/simulator/exchange.ts';
import { createListings } from '../../../src/sources/quotes/simulator/listings.ts';

const DAY = '2026-11-18';

test('the simulator tells of its auctions what its own order books say at each moment', () => {
  const exchange = new Exchange({ seed: 4, listings: createListings().slice(0, 60) });
  const closes = new Map<string, number | null>();
  const moments = [
    [8, 0],
    [9, 30],
    [9, 58],
  ].map(([hour = 0, minute = 0]) => fromSydney(DAY, hour, minute));
  let compared = 0;
  let crossed = 0;
  for (const now of moments) {
    for (const { code, close } of exchange.advanceTo(now)) if (close !== undefined) closes.set(code, close);
    for (const { code } of exchange.listings) {
      const told = exchange.opening(code);
      expect(told.map(({ time }) => time)).toEqual(told.map(({ time }) => time).sort((a, b) => a - b));
      const last = told.at(-1);
      const book = exchange.orderBook(code);
      const match = book && runAuction(book.bids, book.asks, closes.get(code) ?? null);
      expect([last?.price ?? null, last?.volume ?? null, last?.surplus ?? null]).toEqual([
        match?.price ?? null,
        match?.volume ?? null,
        match?.surplus ?? null,
      ]);
      compared += 1;
      if (match) crossed += 1;
    }
  }
  expect(compared).toBe(180);
  expect(crossed).toBeGreaterThan(60);
  expect(exchange.opening('NOSUCH')).toEqual([]);
});
