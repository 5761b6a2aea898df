import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  addAuctionPoint,
  type AuctionColumns,
  auctionIndexAt,
  auctionPointOf,
  emptyAuction,
  MAX_AUCTION_POINTS,
  nextSurplusSide,
  surplusFlips,
  thinnedIndexes,
} from '../../../src/market/auctions/rules/auction.ts';
import { aPreOpenStock, aStock } from '../../support/aStock.ts';

const surplus = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 50_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: -50_000, max: 0 }) },
  { weight: 1, arbitrary: fc.constant(null) },
);
const change = fc.record({
  step: fc.integer({ min: 1, max: 9000 }),
  price: fc.integer({ min: 1, max: 900 }).map((cents) => cents / 100),
  surplus,
});

const columnsOf = (changes: readonly { step: number; price: number; surplus: number | null }[]) => {
  const columns = emptyAuction();
  let time = 0;
  for (const one of changes) {
    time += one.step;
    columns.time.push(time);
    columns.price.push(one.price);
    columns.volume.push(time);
    columns.surplus.push(one.surplus);
  }
  return columns;
};

const flipsOf = ({ time, surplus: values }: AuctionColumns) =>
  surplusFlips(values).map(({ index, flip }) => [time[index], flip]);

const kept = (columns: AuctionColumns, indexes: readonly number[]): AuctionColumns => {
  const pick = <T>(values: readonly T[]) => indexes.map((index) => values[index] as T);
  return {
    time: pick(columns.time),
    price: pick(columns.price),
    volume: pick(columns.volume),
    surplus: pick(columns.surplus),
  };
};

describe('the side of a surplus', () => {
  test.each([
    ['a 0 between two signs', [5, 0, -5], [-1]],
    ['a 0 between the same sign', [5, 0, 5], []],
    ['a 0 at the beginning', [0, 5, -5], [-1]],
    ['what is not known between two signs', [5, null, -5], []],
    ['to and fro', [5, -5, 5], [-1, 1]],
    ['nothing', [], []],
  ])('%s', (_, values: (number | null)[], flips: number[]) => {
    expect(surplusFlips(values).map(({ flip }) => flip)).toEqual(flips as (1 | -1)[]);
  });

  test('the first known surplus is no flip', () => {
    expect(nextSurplusSide(null, -3)).toBe(-1);
    expect(surplusFlips([null, -3])).toEqual([]);
  });
});

describe('thinning', () => {
  test('keeps the first and the last change, every flip, and the extremes of the price', () => {
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 500 }), (changes) => {
        const columns = columnsOf(changes);
        const limit = 240;
        const indexes = thinnedIndexes(columns, limit);
        expect(indexes.length).toBeLessThanOrEqual(limit);
        expect(indexes).toEqual([...new Set(indexes)].sort((a, b) => a - b));
        expect([indexes[0], indexes.at(-1)]).toEqual([0, changes.length - 1]);
        const after = kept(columns, indexes);
        expect(Math.max(...(after.price as number[]))).toBe(Math.max(...(columns.price as number[])));
        expect(Math.min(...(after.price as number[]))).toBe(Math.min(...(columns.price as number[])));
        // More landmarks than half the limit is another matter, below.
        const unknown = changes.filter((one) => one.surplus === null).length;
        if (2 + surplusFlips(columns.surplus).length + 2 * unknown <= limit / 2)
          expect(flipsOf(after)).toEqual(flipsOf(columns));
      }),
      { numRuns: 60 },
    );
  });

  test('of a surplus that flips at every change it keeps both sides, and stays bounded', () => {
    const columns = columnsOf(
      Array.from({ length: 5000 }, (_, index) => ({ step: 10, price: 1, surplus: index % 2 ? 9 : -9 })),
    );
    const indexes = thinnedIndexes(columns, 270);
    expect(indexes.length).toBeLessThanOrEqual(270);
    expect(flipsOf(kept(columns, indexes)).length).toBeGreaterThan(60);
    expect([indexes[0], indexes.at(-1)]).toEqual([0, 4999]);
  });
});

describe('a change', () => {
  const at = (time: number, price: number | null = 1) => ({ time, price, volume: 5, surplus: 5 });

  test('that equals the last one adds nothing, one at its moment takes its place', () => {
    const columns = emptyAuction();
    expect(addAuctionPoint(columns, { time: 1, price: null, volume: null, surplus: null }).isNew).toBe(false);
    expect(addAuctionPoint(columns, at(1000)).isNew).toBe(true);
    expect(addAuctionPoint(columns, at(2000)).isNew).toBe(false);
    addAuctionPoint(columns, at(1000, 2));
    expect(columns).toEqual({ time: [1000], price: [2], volume: [5], surplus: [5] });
  });

  test('that takes back the change of its own moment leaves the series as it was', () => {
    const columns = emptyAuction();
    addAuctionPoint(columns, at(1000, 2));
    addAuctionPoint(columns, at(2000, 3));
    addAuctionPoint(columns, at(2000, 2));
    expect(columns.time).toEqual([1000]);
  });

  test('each 10 ms for three hours leaves a bounded series with its first and last moment', () => {
    const columns = emptyAuction();
    for (let index = 0; index < 100_000; index += 1) {
      addAuctionPoint(columns, {
        time: index * 10,
        price: 1 + (index % 7),
        volume: index,
        surplus: (index % 3) - 1,
      });
      if (columns.time.length > MAX_AUCTION_POINTS) throw new Error('The series grew past its bound.');
    }
    expect([columns.time[0], columns.time.at(-1)]).toEqual([0, 999_990]);
    expect(columns.time).toEqual([...columns.time].sort((a, b) => a - b));
  });

  test('after a clock that stepped back a little stands at the last moment, after a large step cuts what lies ahead', () => {
    const columns = emptyAuction();
    for (const time of [1_000_000, 1_030_000, 1_060_000]) addAuctionPoint(columns, at(time, time));
    addAuctionPoint(columns, at(1_059_000, 7));
    expect(columns.time).toEqual([1_000_000, 1_030_000, 1_060_000]);
    expect(columns.price.at(-1)).toBe(7);
    addAuctionPoint(columns, at(1_000_000, 8));
    expect(columns.time).toEqual([1_000_000]);
    expect(columns.price).toEqual([8]);
  });

  test('is of the opening auction alone, and not the end of it', () => {
    const stock = aPreOpenStock();
    expect(auctionPointOf(stock, 9, 'pre-open')).toEqual({
      ...{ time: 9, price: stock.match_price, volume: stock.match_vol, surplus: stock.buy_surplus },
    });
    expect(auctionPointOf(aPreOpenStock({ match_price: null }), 9, 'pre-open')?.price).toBeNull();
    expect(auctionPointOf(aPreOpenStock({ match_price: null }), 9, 'ospa')).toBeNull();
    expect(auctionPointOf(aStock(), 9, 'open')).toBeNull();
  });

  test('is found by its moment', () => {
    expect([5, 10, 15, 99].map((moment) => auctionIndexAt([10, 20], moment))).toEqual([-1, 0, 0, 1]);
    expect(auctionIndexAt([], 5)).toBe(-1);
  });
});
