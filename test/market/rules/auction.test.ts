import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type AuctionResult, type PriceLevel, runAuction } from '../../../src/market/rules/auction.ts';

const sum = (levels: readonly PriceLevel[], keep: (level: PriceLevel) => boolean): number =>
  levels.filter(keep).reduce((total, level) => total + level.volume, 0);

/** The four steps word by word, every price tried against every order. */
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

describe('the single price auction', () => {
  test('agrees with trying every price on every book', () => {
    fc.assert(
      fc.property(side('high'), side('low'), reference, (bids, asks, last) => {
        expect(runAuction(bids, asks, last)).toEqual(bruteForce(bids, asks, last));
      }),
      { numRuns: 4000 },
    );
  });

  test('is null when nothing crosses or a side is empty', () => {
    expect(runAuction([{ price: 1, volume: 5 }], [{ price: 1.005, volume: 5 }], 1)).toBeNull();
    expect(runAuction([], [{ price: 1, volume: 5 }], 1)).toBeNull();
    expect(runAuction([{ price: 1, volume: 5 }], [], 1)).toBeNull();
  });

  test('step 1 takes the price where most trades', () => {
    const bids = [
      { price: 1.02, volume: 100 },
      { price: 1.01, volume: 300 },
      { price: 1, volume: 50 },
    ];
    const asks = [
      { price: 1, volume: 150 },
      { price: 1.01, volume: 200 },
    ];
    expect(runAuction(bids, asks, 0.5)).toEqual({ price: 1.01, volume: 350, surplus: 50 });
  });

  test('step 3: buyers left over give the highest price, sellers the lowest', () => {
    expect(runAuction([{ price: 5, volume: 10 }], [{ price: 3, volume: 4 }], 3)).toEqual({
      price: 5,
      volume: 4,
      surplus: 6,
    });
    expect(runAuction([{ price: 5, volume: 4 }], [{ price: 3, volume: 10 }], 5)).toEqual({
      price: 3,
      volume: 4,
      surplus: -6,
    });
  });

  test('step 4: without pressure the last price decides, held inside the equal prices', () => {
    const book = [[{ price: 5, volume: 4 }], [{ price: 3, volume: 4 }]] as const;
    expect(runAuction(...book, 4)).toEqual({ price: 4, volume: 4, surplus: 0 });
    expect(runAuction(...book, 9)?.price).toBe(5);
    expect(runAuction(...book, 1)?.price).toBe(3);
    expect(runAuction(...book, null)?.price).toBe(3);
  });
});
