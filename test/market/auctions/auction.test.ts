import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { createLog } from '#lib/log.ts';
import { AuctionMemory } from '#market/auctions/memory.ts';
import {
  type AuctionColumns,
  MAX_AUCTION_POINTS,
  addAuctionPoint,
  auctionPointOf,
  emptyAuction,
  surplusFlips,
  thinnedIndexes,
} from '#market/auctions/rules/auction.ts';
import { ObservedMarket } from '#market/observed.ts';
import { type AuctionResult, type PriceLevel, runAuction } from '#market/rules/auction.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { aPreOpenStock, aStock } from '#support/aStock.ts';
import { createHandSource } from '#support/handSource.ts';
import { openMemoryDb } from '#support/memoryDb.ts';
import { createFakeClock } from '#support/testApp.ts';
import { appOf } from '#support/appOf.ts';

const sum = (levels: readonly PriceLevel[], keep: (level: PriceLevel) => boolean): number =>
  levels.filter(keep).reduce((total, level) => total + level.volume, 0);

/** The four steps of the rule, trying every price against every order. */
const bruteForce = (
  bids: readonly PriceLevel[],
  asks: readonly PriceLevel[],
  reference: number | null,
): AuctionResult | null => {
  const crossed = bids.some((bid) => asks.some((ask) => bid.price >= ask.price));
  if (!crossed) return null;
  const at = (price: number) => {
    const buy = sum(bids, (bid) => bid.price >= price);
    const sell = sum(asks, (ask) => ask.price <= price);
    return { price, volume: Math.min(buy, sell), surplus: buy - sell };
  };
  const prices = [...new Set([...bids, ...asks].map((level) => level.price))].sort((a, b) => a - b);
  const all = prices.map(at);
  const most = Math.max(...all.map((one) => one.volume));
  const step1 = all.filter((one) => one.volume === most);
  const least = Math.min(...step1.map((one) => Math.abs(one.surplus)));
  const step2 = step1.filter((one) => Math.abs(one.surplus) === least);
  const lowest = step2[0] as AuctionResult;
  const highest = step2[step2.length - 1] as AuctionResult;
  if (step2.length === 1) return lowest;
  if (step2.every((one) => one.surplus > 0)) return highest;
  if (step2.every((one) => one.surplus < 0)) return lowest;
  if (reference === null) return lowest;
  const zero = least === 0;
  const floor = zero ? lowest : (step2.filter((one) => one.surplus > 0).pop() as AuctionResult);
  const ceiling = zero ? highest : (step2.filter((one) => one.surplus < 0)[0] as AuctionResult);
  return at(reference < floor.price ? floor.price : reference > ceiling.price ? ceiling.price : reference);
};

const side = (best: 'high' | 'low') =>
  fc
    .uniqueArray(
      fc.record({ price: fc.integer({ min: 1, max: 14 }), volume: fc.integer({ min: 1, max: 6 }) }),
      { selector: (level) => level.price, maxLength: 9 },
    )
    .map((levels) => levels.sort((a, b) => (best === 'high' ? b.price - a.price : a.price - b.price)));

const reference = fc.option(fc.integer({ min: 0, max: 32 }).map((half) => half / 2));

test('the single price auction agrees with trying every price for every book', () => {
  fc.assert(
    fc.property(side('high'), side('low'), reference, (bids, asks, last) => {
      expect(runAuction(bids, asks, last)).toEqual(bruteForce(bids, asks, last));
    }),
    { numRuns: 4000 },
  );
});

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

const flipsOf = (columns: AuctionColumns) =>
  surplusFlips(columns).map(({ index, flip }) => [columns.time[index], flip]);

const kept = (columns: AuctionColumns, indexes: readonly number[]): AuctionColumns => {
  const pick = <T>(values: readonly T[]) => indexes.map((index) => values[index] as T);
  return {
    time: pick(columns.time),
    price: pick(columns.price),
    volume: pick(columns.volume),
    surplus: pick(columns.surplus),
  };
};

test.each([
  ['a 0 between two signs', [5, 0, -5], [-1]],
  ['a 0 between the same sign', [5, 0, 5], []],
  ['a 0 at the beginning', [0, 5, -5], [-1]],
  ['an unknown value between two signs', [5, null, -5], []],
  ['back and forth', [5, -5, 5], [-1, 1]],
  ['nothing', [], []],
])('the side of a surplus %s', (_, values: (number | null)[], flips: number[]) => {
  const time = values.map((_value, index) => index);
  expect(surplusFlips({ surplus: values, time }).map(({ flip }) => flip)).toEqual(flips as (1 | -1)[]);
});

test('the closing auction does not continue the side of the opening one', () => {
  expect(surplusFlips({ surplus: [5, -5, 5], time: [0, 1, 6 * 3_600_000] })).toEqual([
    { index: 1, flip: -1 },
  ]);
});

test('thinning keeps the first and last change, every flip, and the price extremes', () => {
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
      // If landmarks are more than half the limit, some are dropped.
      const unknown = changes.filter((one) => one.surplus === null).length;
      if (2 + surplusFlips(columns).length + 2 * unknown <= limit / 2)
        expect(flipsOf(after)).toEqual(flipsOf(columns));
    }),
    { numRuns: 60 },
  );
});

describe('a change', () => {
  const at = (time: number, price: number | null = 1) => ({ time, price, volume: 5, surplus: 5 });

  test('adds nothing if it equals the last one, and replaces one at the same moment', () => {
    const columns = emptyAuction();
    expect(addAuctionPoint(columns, { time: 1, price: null, volume: null, surplus: null }).isNew).toBe(false);
    expect(addAuctionPoint(columns, at(1000)).isNew).toBe(true);
    expect(addAuctionPoint(columns, at(2000)).isNew).toBe(false);
    addAuctionPoint(columns, at(1000, 2));
    expect(columns).toEqual({ time: [1000], price: [2], volume: [5], surplus: [5] });
  });

  test('every 10 ms for three hours leaves a limited series with its first and last moment', () => {
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

  test('is put at the last moment after a small step back of the clock, and cuts later ones after a large step', () => {
    const columns = emptyAuction();
    for (const time of [1_000_000, 1_030_000, 1_060_000]) addAuctionPoint(columns, at(time, time));
    addAuctionPoint(columns, at(1_059_000, 7));
    expect(columns.time).toEqual([1_000_000, 1_030_000, 1_060_000]);
    expect(columns.price.at(-1)).toBe(7);
    addAuctionPoint(columns, at(1_000_000, 8));
    expect(columns.time).toEqual([1_000_000]);
    expect(columns.price).toEqual([8]);
  });

  test('belongs only to an opening or closing auction, without its end', () => {
    const stock = aPreOpenStock();
    expect(auctionPointOf(stock, 9, 'pre-open')).toEqual({
      time: 9,
      price: stock.match_price,
      volume: stock.match_vol,
      surplus: stock.buy_surplus,
    });
    expect(auctionPointOf(aPreOpenStock({ match_price: null }), 9, 'pre-open')?.price).toBeNull();
    expect(auctionPointOf(aPreOpenStock({ match_price: null }), 9, 'ospa')).toBeNull();
    expect(auctionPointOf(aStock(), 9, 'open')).toBeNull();
    const closing = aStock({ status: 'CSPA', match_price: 2 });
    expect(auctionPointOf(closing, 9, 'pre-cspa')?.price).toBe(2);
    expect(auctionPointOf({ ...closing, match_price: null }, 9, 'cspa')).toBeNull();
  });
});

describe('the flip mark of a surplus', () => {
  const DAY = '2026-11-19';
  const START = fromSydney(DAY, 9, 40);

  function setUp(db = openMemoryDb(), now = START) {
    const clock = createFakeClock(now);
    const log = createLog(() => undefined);
    const market = new ObservedMarket({ clock }, log);
    const memory = new AuctionMemory(appOf({ db, log, market, source: createHandSource(clock) }));
    memory.start();
    const tick = () => {
      const changes = market.flush();
      memory.onChanges(changes);
      return changes;
    };
    /** Applies the surplus, then a tick. @returns the change set sent */
    const surplus = (buy_surplus: number | null) => {
      market.apply([{ code: 'AAA', match_price: 1, match_vol: 9, buy_surplus }]);
      return tick()?.upsert['AAA'];
    };
    const flip = () => market.get('AAA')?.surplusFlip;
    return { db, clock, memory, tick, surplus, flip };
  }

  test('marks a stock for 60 s after a flip, and its end is sent too', () => {
    const { clock, surplus, tick, flip, memory } = setUp();
    expect(surplus(500)).not.toHaveProperty('surplusFlip');
    clock.advance(5000);
    expect(surplus(-20)).toEqual({ buy_surplus: -20, surplusFlip: -1 });
    clock.advance(59_000);
    expect(tick()).toBeNull();
    expect(surplus(-30)).toEqual({ buy_surplus: -30 });
    clock.advance(1000);
    expect(tick()?.upsert).toEqual({ AAA: { surplusFlip: null } });
    expect(flip()).toBeUndefined();
    expect(tick()).toBeNull();
    memory.stop();
  });

  test.each([
    ['lasts as long across a restart', 10_000, true],
    ['includes a side that changed while the server was off', 40_000, false],
  ])('the mark %s, and the flip stays known', (_, flippedAt, isBefore) => {
    const first = setUp();
    first.surplus(500);
    first.clock.advance(10_000);
    if (isBefore) first.surplus(-5);
    first.memory.stop();
    const second = setUp(first.db, START + 40_000);
    second.surplus(-5);
    expect(second.flip()).toBe(-1);
    second.clock.advance(flippedAt + 60_000 - 40_000 - 1);
    second.tick();
    expect(second.flip()).toBe(-1);
    second.clock.advance(1);
    second.tick();
    expect(second.flip()).toBeUndefined();
    second.memory.stop();
    const third = setUp(first.db, START + 600_000);
    third.surplus(-9);
    expect(third.memory.service.flips()).toEqual([{ code: 'AAA', side: -1, time: START + flippedAt }]);
    third.surplus(null);
    expect(third.memory.service.flips()).toEqual([]);
    third.memory.stop();
  });
});
