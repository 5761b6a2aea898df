import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { diffPatch, withoutNulls } from '#lib/mergePatch.ts';
import { type Stock, emptyStock } from '#market/rules/stock.ts';
import { applyDelta, type Delta, readStocks, type Snapshot, type StockPatch } from '#market/rules/stream.ts';

const price = fc.option(fc.constantFrom(0.001, 0.5, 1, 2.25), { nil: null });

const stockOf = (code: string): fc.Arbitrary<Stock> =>
  fc
    .record(
      {
        last: price,
        close: price,
        match_price: price,
        status: fc.constantFrom('Open' as const, 'Pre Open' as const),
        preOpen: fc.record({
          snapshot: fc.record({
            capturedAt: fc.constantFrom('2026-11-20T23:00:00.000Z', '2026-11-21T23:00:00.000Z'),
            indicativeChangePercent: price,
            match_price: price,
            match_vol: price,
            match_value: price,
            buy_surplus: price,
          }),
        }),
        indicators: fc.constantFrom({ D: { RSI: { now: 1 } } }, { D: { RSI: { now: 2 } }, W: {} }),
      },
      { requiredKeys: ['last', 'close', 'match_price', 'status'] },
    )
    .map((fields) => ({ ...emptyStock(code), ...fields }) as Stock);

const codes = ['AAA', 'BBB', 'CCC', 'DDD'];
const marketOf = fc
  .tuple(...codes.map((code) => fc.option(stockOf(code), { nil: null })))
  .map((stocks) => new Map(stocks.filter((stock) => stock !== null).map((stock) => [stock.code, stock])));

function difference(before: ReadonlyMap<string, Stock>, after: ReadonlyMap<string, Stock>): Delta {
  const upsert: Delta['stocks']['upsert'] = {};
  for (const [code, stock] of after) {
    const patch = diffPatch(before.get(code), stock);
    if (patch !== undefined) upsert[code] = patch as StockPatch;
  }
  const removed = [...before.keys()].filter((code) => !after.has(code));
  return {
    stocks: { upsert, delete: removed },
    meta: { stockCount: 0 },
    fx: { upsert: {}, delete: [], lastUpdated: null },
  };
}

test('applying the difference gives the recomputed market, through JSON, and keeps unchanged parts', () => {
  fc.assert(
    fc.property(marketOf, marketOf, (before, after) => {
      const delta = JSON.parse(JSON.stringify(difference(before, after))) as Delta;
      const result = applyDelta(before, delta);
      expect(new Map([...result].sort())).toEqual(new Map([...after].sort()));
      for (const [code, stock] of before) {
        if (!(code in delta.stocks.upsert) && after.has(code)) expect(result.get(code)).toBe(stock);
      }
      if (Object.keys(delta.stocks.upsert).length + delta.stocks.delete.length === 0) {
        expect(result).toBe(before);
      }
    }),
  );
});

test('readStocks completes records whose members were left out', () => {
  fc.assert(
    fc.property(marketOf, (market) => {
      const wire = Object.fromEntries(
        [...market].map(([code, stock]) => [code, withoutNulls(stock) as StockPatch]),
      );
      expect(new Map(readStocks(JSON.parse(JSON.stringify(wire)) as Snapshot['stocks']))).toEqual(
        new Map(market),
      );
    }),
  );
});
