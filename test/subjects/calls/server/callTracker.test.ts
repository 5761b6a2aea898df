import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { CheckedCall } from '#subjects/calls/rules/callRules.ts';
import type { OwnCall } from '#subjects/calls/rules/types.ts';
import { startTracking, type TrackedCall } from '#subjects/calls/rules/tracker.ts';
import { type CallsBench, createCallsBench } from '#support/callsBench.ts';
import { naiveReplay } from '#support/naiveReplay.ts';

const buy: CheckedCall = {
  symbol: 'BHP',
  callType: 'buy',
  isShort: false,
  entryPrice: 1,
  targetPrice: 1.5,
  stopLossType: 'HARD',
  stopLoss: 0.9,
};

const only = (bench: CallsBench): OwnCall => {
  const [call] = bench.calls.mine(bench.user);
  if (!call) throw new Error('There is no call.');
  return call;
};

const at = (time: number): string => new Date(time).toISOString();

describe('following prices', () => {
  test('ignores trades from before the submission', () => {
    const bench = createCallsBench();
    bench.trade('BHP', 0.95, 1.7, 1.1);
    bench.quote({ code: 'BHP', last: 0.9, volume: 9000 });
    bench.quote({ code: 'BHP', last: 1.1, volume: 9100 });
    bench.calls.submit(bench.user, buy);
    bench.tick();
    bench.trade('BHP', 1.12);
    expect(only(bench)).toMatchObject({ status: 'pending' });
  });

  test('ignores quotes before the open, and starts the new day at its first trade', () => {
    const bench = createCallsBench();
    bench.trade('BHP', 0.95, 1.1);
    bench.calls.submit(bench.user, buy);
    bench.now += 86_400_000;
    bench.quote({ code: 'BHP', status: 'Pre Open', close: 1.1, last: 0.99, match_price: 0.97 });
    bench.tick();
    expect(only(bench).status).toBe('pending');
    bench.quote({ code: 'BHP', status: 'Open', open: 0.97, high: 0.99, low: 0.97, last: 0.98, volume: 50 });
    bench.tick();
    expect(only(bench)).toMatchObject({ status: 'open', fillPrice: 0.97, highestSinceFill: 0.99 });
  });

  test.each([1.25, 11.5, 60, 150])('reaches no target on a consolidation of %p to one', (ratio) => {
    const bench = createCallsBench();
    bench.calls.submit(bench.user, { ...buy, callType: 'bought' });
    bench.now += 86_400_000;
    const price = 1.1 * ratio;
    const prices = { close: price, open: price, high: price, low: price, last: price };
    bench.quote({ code: 'BHP', ...prices, volume: 40 });
    bench.trade('BHP', price * 1.001, price * 1.002, price * 1.003, price * 1.004);
    expect(only(bench)).toMatchObject({ targetReached: null });
    expect(only(bench).trackingPaused).toContain('consolidated');
  });

  test('gives no verified result for a call that ends before the first trade after a consolidation', () => {
    for (const closesFirst of [true, false]) {
      const bench = createCallsBench();
      const { publicId } = bench.calls.submit(bench.user, { ...buy, callType: 'bought' });
      bench.now += 75_600_000;
      bench.quote({
        code: 'BHP',
        status: 'Pre Open',
        last: null,
        open: null,
        high: null,
        low: null,
        volume: null,
      });
      if (closesFirst) bench.calls.end(bench.user, publicId, { kind: 'close', pocketedValue: 100 });
      bench.now += 60_000;
      bench.quote({ code: 'BHP', close: 16.5 });
      bench.now += 60_000;
      if (!closesFirst) bench.calls.end(bench.user, publicId, { kind: 'close', pocketedValue: 100 });
      bench.now += 10_800_000;
      bench.quote({ code: 'BHP', status: 'Open', open: 16.5, high: 16.5, low: 16.5, last: 16.5, volume: 40 });
      bench.tick();
      expect(only(bench)).toMatchObject({ status: 'closed', verified: null });
    }
  });

  test('does not treat an overnight jump as a split if the source’s days are independent', () => {
    const bench = createCallsBench({ days: 'independent' });
    bench.calls.submit(bench.user, { ...buy, callType: 'bought' });
    bench.now += 86_400_000;
    bench.quote({ code: 'BHP', close: 0.11, open: 0.11, high: 0.12, low: 0.11, last: 0.11, volume: 40 });
    bench.tick();
    expect(only(bench)).toMatchObject({ trackingPaused: null, stopReached: { price: 0.11 } });
  });
});

describe('a restart', () => {
  test('finds trades during the downtime in the day’s range', () => {
    const bench = createCallsBench();
    bench.calls.submit(bench.user, buy);
    bench.quote({ code: 'BHP', last: 0.96, volume: 2000 });
    bench.quote({ code: 'BHP', last: 1.2, volume: 3000 });
    bench.market.flush();
    bench.restart();
    bench.trade('BHP', 1.19);
    expect(only(bench)).toMatchObject({ status: 'open', fillPrice: 0.96 });
  });

  test('retries a write that the database refused', () => {
    const bench = createCallsBench();
    bench.calls.submit(bench.user, buy);
    bench.db.$client.run(
      'CREATE TRIGGER no BEFORE UPDATE ON calls BEGIN SELECT RAISE(FAIL, "disk is full"); END',
    );
    expect(() => bench.trade('BHP', 0.999)).toThrow('disk is full');
    bench.db.$client.run('DROP TRIGGER no');
    bench.now += 61_000;
    bench.trade('BHP', 1.05);
    bench.restart();
    expect(only(bench)).toMatchObject({ status: 'open', fillPrice: 0.999 });
  });
});

// No two of them differ by more than 40 %, which other trades would have to confirm.
const price = fc.integer({ min: 88, max: 123 }).map((cents) => cents / 100);
const step = fc.record({ last: price, restart: fc.boolean(), later: fc.boolean() });
const input = fc
  .record({
    callType: fc.constantFrom('buy' as const, 'bought' as const),
    side: fc.constantFrom({ isShort: false, targetPrice: 1.2 }, { isShort: true, targetPrice: 0.9 }),
    stop: fc.constantFrom(
      { stopLossType: 'NONE' as const, stopLoss: null },
      { stopLossType: 'HARD' as const, stopLoss: 0.1 },
      { stopLossType: 'TRAILING_ABS' as const, stopLoss: 0.2 },
      { stopLossType: 'TRAILING_PCT' as const, stopLoss: 15 },
    ),
  })
  .map(({ side, stop, callType }) => ({
    ...buy,
    callType,
    ...side,
    ...stop,
    ...(stop.stopLossType === 'HARD' ? { stopLoss: side.isShort ? 1.1 : 0.9 } : {}),
  }));

/** Results that a restart can find again are written within this time. */
const WAITS_MS = 10 * 60_000;

/** The stored state after prices with restarts, and the result of a naive replay of the same trades. */
const bothWays = (
  posted: typeof buy,
  steps: readonly { last: number; restart: boolean; later: boolean }[],
) => {
  const bench = createCallsBench();
  bench.calls.submit(bench.user, posted);
  const call: TrackedCall = { ...posted, submittedAt: bench.now, priceAtSubmission: 1.1 };
  const path = steps.map(({ last, restart, later }) => {
    if (later) bench.now += WAITS_MS;
    bench.trade('BHP', last);
    if (restart) bench.restart();
    return { time: bench.now, last };
  });
  bench.calls.flush();
  const stored = only(bench);
  return { stored, naive: path.length === 0 ? startTracking(call) : naiveReplay(call, path) };
};

const reached = (time: number | null, price: number | null) =>
  time === null || price === null ? null : { at: at(time), price };

test('the stored result equals a replay of all trades, for any trades and kills', () => {
  fc.assert(
    fc.property(input, fc.array(step, { minLength: 1, maxLength: 14 }), (some, steps) => {
      const { stored, naive } = bothWays(
        some,
        steps.map((one) => ({ ...one, later: true })),
      );
      expect(stored.filledAt).toBe(naive.filledAt === null ? null : at(naive.filledAt));
      expect(stored.targetReached).toEqual(reached(naive.targetAt, naive.targetPrice));
      expect(stored.stopReached).toEqual(reached(naive.stopAt, naive.stopPrice));
      expect(stored.highestSinceFill).toBe(naive.highest);
    }),
    { numRuns: 60 },
  );
});

test('after a kill before the slow writes, fills, targets and stops are exact, trailing ones too', () => {
  fc.assert(
    fc.property(input, fc.array(step, { minLength: 1, maxLength: 14 }), (some, steps) => {
      const { stored, naive } = bothWays(some, steps);
      expect(stored.filledAt).toBe(naive.filledAt === null ? null : at(naive.filledAt));
      expect(stored.fillPrice).toBe(naive.fillPrice);
      expect(stored.targetReached?.price ?? null).toBe(naive.targetPrice);
      expect(stored.stopReached?.price ?? null).toBe(naive.stopPrice);
      if (some.stopLossType.startsWith('TRAILING') && naive.stopAt === null)
        expect(stored.highestSinceFill).toBe(naive.highest);
    }),
    {
      numRuns: 60,
      // A short call's high before the kill, and its low after it.
      examples: [
        [
          { ...buy, isShort: true, targetPrice: 0.9, stopLossType: 'TRAILING_ABS', stopLoss: 0.2 },
          [0.89, 1.01, 1.11, 0.88].map((last) => ({ last, restart: last === 1.11, later: false })),
        ],
      ],
    },
  );
});
