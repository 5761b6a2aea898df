import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  advance,
  eventsBetween,
  type PriceUpdate,
  startTracking,
  stopLevelOf,
  type TrackedCall,
  type TrackState,
} from '#subjects/calls/rules/tracker.ts';
import { STOP_LOSS_TYPES } from '#subjects/calls/answers/call.ts';
import { mirroredPath, naiveReplay, otherSide, withPrices } from '#support/naiveReplay.ts';
import { type Quote, tradedBetween } from '#subjects/calls/rules/pricePath.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { startWatch, trustedPrice, type Watch, watchQuote } from '#subjects/calls/rules/watch.ts';
import {
  implausibleReason,
  submissionPrice,
  verifiedEntry,
  verifiedExit,
  verifiedResult,
} from '#subjects/calls/rules/verifiedResult.ts';

const start = Date.UTC(2026, 10, 2);
const buy: TrackedCall = {
  callType: 'buy',
  isShort: false,
  entryPrice: 1,
  targetPrice: 1.5,
  stopLossType: 'NONE',
  stopLoss: null,
  submittedAt: start,
  priceAtSubmission: 1.1,
};

const run = (call: TrackedCall, path: readonly PriceUpdate[]) =>
  path.reduce((state, reading) => advance(call, state, reading), startTracking(call));

test('a trailing stop has no level before the fill', () => {
  expect(stopLevelOf({ ...buy, stopLossType: 'TRAILING_ABS', stopLoss: 0.1 }, null)).toBeNull();
  expect(stopLevelOf({ ...buy, stopLossType: 'HARD', stopLoss: 0.8 }, null)).toBe(0.8);
});

test('lists the events that must be written immediately', () => {
  const before = startTracking(buy);
  const after = run(
    { ...buy, stopLossType: 'HARD', stopLoss: 0.5 },
    [0.999, 2, 0.4].map((last) => ({ time: start + 1000, last })),
  );
  expect(eventsBetween(before, after)).toEqual(['filled', 'target', 'stop']);
  expect(eventsBetween(after, after)).toEqual([]);
});

const tick = fc.integer({ min: 1, max: 2500 }).map((thousandths) => thousandths / 1000);
const reading = fc.record({ open: tick, high: tick, low: tick, last: tick }, { requiredKeys: [] });
const path = fc
  .array(reading, { maxLength: 40 })
  .map((readings) => readings.map((prices, index) => ({ ...prices, time: start + (index + 1) * 1000 })));
const call: fc.Arbitrary<TrackedCall> = fc.record({
  callType: fc.constantFrom('buy' as const, 'bought' as const),
  isShort: fc.boolean(),
  entryPrice: tick,
  targetPrice: tick,
  stopLossType: fc.constantFrom(...STOP_LOSS_TYPES),
  stopLoss: fc.oneof(tick, fc.integer({ min: 1, max: 100 })),
  submittedAt: fc.constant(start),
  priceAtSubmission: fc.option(tick),
});

test('the tracker agrees with a naive replay of all prices', () => {
  fc.assert(
    fc.property(call, path, (some, readings) => {
      expect(run(some, readings)).toEqual(naiveReplay(some, readings));
    }),
    { numRuns: 1500 },
  );
});

test('a short call on a mirrored path does what the long call does', () => {
  const mirror = (price: number): number => Math.round((2.6 - price) * 1e6) / 1e6;
  // The trail of a percentage is not symmetric.
  const long = call.map((some) => ({
    ...some,
    isShort: false,
    entryPrice: 1.3,
    stopLossType: some.stopLossType === 'TRAILING_PCT' ? ('NONE' as const) : some.stopLossType,
  }));
  fc.assert(
    fc.property(long, path, tick, tick, (some, readings, lastKnown, exitTrade) => {
      const short = otherSide(some, mirror);
      const [state, mirrored] = [run(some, readings), run(short, mirroredPath(readings, mirror))];
      expect(mirrored).toEqual(withPrices(state, mirror));
      const price = verifiedExit(some, lastKnown, exitTrade);
      const shortPrice = verifiedExit(short, mirror(lastKnown), mirror(exitTrade));
      const result = verifiedResult(some, state, { time: start, price });
      const other = verifiedResult(short, mirrored, { time: start, price: shortPrice });
      for (const member of ['percent', 'bestPercent', 'worstPercent'] as const) {
        // Percents of different entries compare as dollars.
        const dollars = (one: typeof result) => one && (one[member] * one.entryPrice) / 100;
        expect(dollars(other) ?? 0).toBeCloseTo(dollars(result) ?? 0, 5);
        expect(other?.[member] ?? 0).toBeLessThanOrEqual(100);
      }
    }),
    { numRuns: 1000 },
  );
});

test('a restart in the middle changes nothing', () => {
  fc.assert(
    fc.property(call, path, fc.nat(40), (some, readings, cut) => {
      const first = readings
        .slice(0, cut)
        .reduce((state, one) => advance(some, state, one), startTracking(some));
      const stored: typeof first = JSON.parse(JSON.stringify(first));
      const resumed = readings.slice(cut).reduce((state, one) => advance(some, state, one), stored);
      expect(resumed).toEqual(run(some, readings));
    }),
  );
});

describe('the trades between two quotes', () => {
  const quote: Quote = { date: '2026-11-20', open: 1, high: 1.2, low: 0.9, last: 1.1, volume: 500, close: 1 };

  describe('within a session', () => {
    const cases: [string, Partial<Quote>, ReturnType<typeof tradedBetween>][] = [
      ['nothing changed', {}, null],
      ['only the previous close changed', { close: 1.3 }, null],
      ['a new last', { last: 1.05, volume: 600 }, { last: 1.05 }],
      ['another trade at the same price', { volume: 600 }, { last: 1.1 }],
      ['a high between two polls', { high: 1.4, volume: 600 }, { last: 1.1, high: 1.4 }],
      ['a low between two polls', { low: 0.8 }, { low: 0.8 }],
      ['a high with an unknown volume', { high: 1.4, volume: null }, { high: 1.4 }],
      ['a corrected range with the same last', { high: 1.1, volume: 400 }, null],
      ['a corrected range with another last', { high: 1.1, volume: 400, last: 1.05 }, { last: 1.05 }],
      ['a cleared range', { open: null, high: null, low: null, last: null, volume: null }, null],
    ];
    for (const [name, change, traded] of cases) {
      test(name, () => expect(tradedBetween(quote, { ...quote, ...change })).toEqual(traded));
    }
    test('the first trade of the day includes the open', () => {
      const empty: Quote = { ...quote, open: null, high: null, low: null, last: null, volume: null };
      expect(tradedBetween(empty, quote)).toEqual({ open: 1, high: 1.2, low: 0.9, last: 1.1 });
    });
  });

  describe('overnight', () => {
    const next = { ...quote, date: '2026-11-23' };
    test('yesterday’s quote with its volume cleared is not a trade', () => {
      expect(tradedBetween(quote, { ...next, volume: null })).toBeNull();
      expect(tradedBetween(quote, { ...next, volume: 0 })).toBeNull();
    });
    test('a new day counts with its whole range', () => {
      const opened = { ...next, open: 1.3, high: 1.35, low: 1.28, last: 1.3, volume: 40, close: 1.1 };
      expect(tradedBetween(quote, opened)).toEqual({ open: 1.3, high: 1.35, low: 1.28, last: 1.3 });
    });
    test('a range left from yesterday counts only with its last price', () => {
      const partial = { ...next, last: 1.15, volume: 40 };
      expect(tradedBetween(quote, partial)).toEqual({ last: 1.15 });
    });
  });

  test('more frequent polls never show a price outside the range of one poll at the end', () => {
    const trade = fc.integer({ min: 1, max: 400 }).map((cents) => cents / 100);
    fc.assert(
      fc.property(fc.array(trade, { minLength: 1, maxLength: 30 }), fc.nat(29), (trades, cut) => {
        const at = (count: number): Quote => {
          const done = trades.slice(0, count);
          if (done.length === 0)
            return { ...quote, open: null, high: null, low: null, last: null, volume: null };
          return {
            ...quote,
            open: done[0] ?? null,
            high: Math.max(...done),
            low: Math.min(...done),
            last: done.at(-1) ?? null,
            volume: done.length,
          };
        };
        const middle = Math.min(cut, trades.length);
        const parts = [tradedBetween(at(0), at(middle)), tradedBetween(at(middle), at(trades.length))];
        const prices = parts.flatMap((part) => Object.values(part ?? {}));
        expect(Math.max(...prices)).toBe(Math.max(...trades));
        expect(Math.min(...prices)).toBe(Math.min(...trades));
      }),
    );
  });
});

describe('trusted trades', () => {
  const start = Date.UTC(2026, 10, 20, 0);
  const quote: Quote = { date: '2026-11-20', open: 1, high: 1, low: 1, last: 1, volume: 100, close: 1 };
  const feed = { days: 'consecutive' as const, delayMs: 0 };
  const first = startWatch({ quote, time: start, takenAt: start });

  /** A quote this many seconds later. */
  const see = (watch: Watch, seconds: number, change: Partial<Quote>, traits = feed) => {
    const time = start + seconds * 1000;
    return watchQuote(watch, { quote: { ...watch.quote, ...change }, time, takenAt: time }, traits);
  };

  /** Trades at these prices, 90 s apart. @returns the reported trades of each, and the final watch */
  function trade(...prices: number[]) {
    let watch = first;
    const steps = prices.map((last, index) => {
      const { high, low, volume } = watch.quote;
      const range = { high: Math.max(high ?? last, last), low: Math.min(low ?? last, last) };
      const observed = see(watch, (index + 1) * 90, { last, ...range, volume: (volume ?? 0) + 10 });
      watch = observed.watch;
      return observed.trades.map((update) => update.last);
    });
    return { steps, watch };
  }

  describe('a session with the previous day’s figures', () => {
    const parcel: Quote = { ...quote, open: 0.003, high: 0.003, low: 0.003, last: 0.003, volume: 5000 };
    const monday = startWatch({ quote: parcel, time: start, takenAt: start });
    const time = fromSydney('2026-11-23', 11, 1);
    const next = (statedAt: number | null) =>
      watchQuote(monday, { quote: { ...parcel, date: '2026-11-23' }, time, takenAt: time, statedAt }, feed);

    test('counts as traded if the quote was made on its date', () => {
      const { trades, watch } = next(fromSydney('2026-11-23', 11, 0));
      expect(trades).toEqual([
        {
          open: 0.003,
          high: 0.003,
          low: 0.003,
          last: 0.003,
          time,
          since: fromSydney('2026-11-23', 9, 59),
        },
      ]);
      expect(watch.quote.date).toBe('2026-11-23');
    });
    test.each([
      ['no time', null],
      ['a time of the day before', start],
      ['a time before the open', fromSydney('2026-11-23', 8, 0)],
    ])('does not count as traded with %s', (_, statedAt) => {
      expect(next(statedAt).trades).toEqual([]);
      expect(next(statedAt).watch.quote.date).toBe('2026-11-20');
    });
  });

  describe('a step of more than 40 %', () => {
    test('that the next trade reverses is a bad print and not reported', () => {
      const { steps, watch } = trade(1.1, 5, 1.1, 1.2);
      expect(steps).toEqual([[1.1], [], [1.1], [1.2]]);
      expect(trustedPrice(watch)).toBe(1.2);
    });
    test('that three trades confirm is then reported, each trade with its own time', () => {
      const { steps, watch } = trade(1.1, 1.6, 1.7, 1.65, 1.6, 1.5);
      expect(steps).toEqual([[1.1], [], [], [], [1.6, 1.7, 1.65, 1.6], [1.5]]);
      expect(watch.doubt).toBeNull();
    });
    test('does not include exactly 40 %', () => expect(trade(1.1, 1.54).steps).toEqual([[1.1], [1.54]]));
    test('reversed between two quotes of one minute is removed from the range', () => {
      const { trades } = see(first, 2, { high: 5, last: 1.05, volume: 130 });
      expect(trades).toMatchObject([{ last: 1.05 }]);
      expect(trades[0]?.high).toBeUndefined();
    });
    test('after a longer time is trusted as part of the range, which has more than one trade', () => {
      const { trades } = see(first, 4000, { high: 5, last: 1.05, volume: 1300 });
      expect(trades).toMatchObject([{ high: 5, last: 1.05 }]);
    });
  });

  test('a quote older than the last one is ignored, and its trades are not reported later', () => {
    const { watch } = see(first, 60, { last: 1.1, high: 1.1, volume: 110 });
    const older = watchQuote(
      watch,
      {
        quote: { ...watch.quote, last: 1.3, high: 1.3, volume: 120 },
        time: start + 1000,
        takenAt: start + 61_000,
      },
      feed,
    );
    expect(older.trades).toEqual([]);
    const after = see(older.watch, 90, { last: 1.15, volume: 130 });
    expect(after.trades).toMatchObject([{ last: 1.15 }]);
    expect(after.trades[0]?.high).toBeUndefined();
  });
});

const day = 86_400_000;
const bought: TrackedCall = {
  ...buy,
  callType: 'bought',
  entryPrice: 2,
  targetPrice: 2.5,
  priceAtSubmission: 2,
};
const filled = (change: Partial<TrackState>): TrackState => ({
  ...startTracking(bought),
  entryTradeAt: start + 1,
  entryTradePrice: 2,
  ...change,
});

describe('verifiedResult', () => {
  test('is the percentage from entry to the closing price, with best, worst and days', () => {
    const state = filled({ best: 2.4, worst: 1.9 });
    expect(verifiedResult(bought, state, { time: start + 2.25 * day, price: 2.2 })).toEqual({
      percent: 10,
      bestPercent: 20,
      worstPercent: -5,
      daysOpen: 2.3,
      entryPrice: 2,
      exitPrice: 2.2,
    });
  });
  test('includes the closing price in the price history', () => {
    expect(verifiedResult(bought, filled({}), { time: start, price: 1 })).toMatchObject({
      worstPercent: -50,
    });
  });
  test('starts at the higher of the claim and the first trade after the submission', () => {
    expect(verifiedEntry({ ...bought, entryPrice: 1 }, filled({}))).toBe(2);
    expect(verifiedEntry({ ...bought, entryPrice: 2.2 }, filled({}))).toBe(2.2);
    expect(verifiedEntry(bought, startTracking(bought))).toBeNull();
  });
  test('ends at the lower of the last price and the first trade after the end', () => {
    expect([verifiedExit(buy, 2, 1.8), verifiedExit(buy, 1.8, 2), verifiedExit(buy, null, 2)]).toEqual([
      1.8, 1.8, 2,
    ]);
    expect(verifiedExit(buy, 2, null)).toBeNull();
  });
  test('is null without a fill or a price', () => {
    const pending = { ...bought, callType: 'buy' as const };
    expect(verifiedResult(pending, startTracking(pending), { time: start, price: 2 })).toBeNull();
    expect(verifiedResult(bought, filled({}), { time: start, price: null })).toBeNull();
    expect(verifiedResult(bought, startTracking(bought), { time: start, price: 2 })).toBeNull();
  });
});

describe('implausibleReason', () => {
  const at = (price: number | null) => ({ time: start + day, price });
  const pending = { ...bought, callType: 'buy' as const };

  test('refuses any value of a call that never filled', () => {
    expect(implausibleReason(5, pending, startTracking(pending), at(2))).toContain('never filled');
  });
  test('requires a price above entry for a gain', () => {
    expect(implausibleReason(50, bought, filled({ worst: 1.5 }), at(2))).toContain('never traded above');
    expect(implausibleReason(50, bought, filled({ best: 2.01 }), at(1.8))).toBeNull();
    expect(implausibleReason(50, bought, filled({}), at(2.01))).toBeNull();
  });
  test('requires a price below entry for a loss', () => {
    expect(implausibleReason(-50, bought, filled({ best: 3 }), at(2))).toContain('never traded below');
    expect(implausibleReason(-50, bought, filled({ worst: 1.99 }), at(2.5))).toBeNull();
  });
  test('requires the reverse for a short call', () => {
    const short = { ...bought, isShort: true };
    expect(implausibleReason(50, short, filled({ worst: 2.5 }), at(2))).toContain('never traded below');
    expect(implausibleReason(50, short, filled({ best: 1.99 }), at(2.5))).toBeNull();
    expect(implausibleReason(-50, short, filled({ best: 1 }), at(2))).toContain('never traded above');
  });
  test('questions a value that requires a very large position', () => {
    expect(implausibleReason(4900, bought, filled({ best: 2.01 }), at(2))).toBeNull();
    expect(implausibleReason(6000, bought, filled({ best: 2.01 }), at(2))).toContain('$1,2');
  });
});

test('before the open a higher match price is the price available to readers', () => {
  const stock = { status: 'Pre Open', last: 2, match_price: 2.4, close: 2 };
  expect(submissionPrice(buy, stock)).toBe(2.4);
  expect(submissionPrice(buy, { ...stock, match_price: 1.8 })).toBe(2);
  expect(submissionPrice({ isShort: true }, { ...stock, match_price: 1.8 })).toBe(1.8);
  expect(submissionPrice(buy, { ...stock, status: 'Open' })).toBe(2);
  expect(submissionPrice(buy, { ...stock, last: null, match_price: null })).toBe(2);
});
