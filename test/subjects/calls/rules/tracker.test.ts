import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  advance,
  eventsBetween,
  type PriceUpdate,
  startTracking,
  stopLevelOf,
  type TrackedCall,
} from '../../../../src/subjects/calls/rules/tracker.ts';
import { STOP_LOSS_TYPES } from '../../../../src/subjects/calls/rules/types.ts';
import { naiveReplay } from '../../../support/naiveReplay.ts';

const start = Date.UTC(2026, 10, 2);
const buy: TrackedCall = {
  callType: 'buy',
  entryPrice: 1,
  targetPrice: 1.5,
  stopLossType: 'NONE',
  stopLoss: null,
  submittedAt: start,
  priceAtSubmission: 1.1,
};

const run = (call: TrackedCall, path: readonly PriceUpdate[]) =>
  path.reduce((state, look) => advance(call, state, look), startTracking(call));

const lasts = (...prices: number[]): PriceUpdate[] =>
  prices.map((last, index) => ({ time: start + (index + 1) * 1000, last }));

describe('filling', () => {
  test('a pending call fills with the first trade below its entry, and not with one at it', () => {
    expect(run(buy, lasts(1.05, 1.001, 1)).filledAt).toBeNull();
    expect(run(buy, lasts(1.05, 1, 0.999, 0.9))).toMatchObject({
      filledAt: start + 3000,
      fillPrice: 0.999,
      worst: 0.9,
    });
  });
  test('a gap through entry fills at the price that was traded', () => {
    expect(run(buy, lasts(1.05, 0.93))).toMatchObject({ fillPrice: 0.93, highest: 0.93, best: 0.93 });
  });
  test('a low that last never showed fills too', () => {
    expect(run(buy, [{ time: start + 1, high: 1.1, low: 0.99, last: 1.08 }])).toMatchObject({
      fillPrice: 0.99,
      highest: 1.08,
    });
  });
  test('a high before the fill counts for nothing', () => {
    expect(run(buy, [{ time: start + 1, high: 1.6, low: 0.999, last: 1.02 }])).toMatchObject({
      targetAt: null,
      best: 1.02,
    });
  });
  test('a bought call is filled when it is submitted', () => {
    expect(startTracking({ ...buy, callType: 'bought' })).toMatchObject({
      filledAt: start,
      fillPrice: 1,
      highest: 1.1,
      best: 1.1,
      worst: 1.1,
    });
  });
});

describe('target and stop', () => {
  test('each is recorded once, with the price that was traded', () => {
    const state = run({ ...buy, stopLossType: 'HARD', stopLoss: 0.9 }, lasts(0.999, 1.62, 1.7, 0.8, 0.7));
    expect(state).toMatchObject({
      targetAt: start + 2000,
      targetPrice: 1.62,
      stopAt: start + 4000,
      stopPrice: 0.8,
      stopLevel: 0.9,
    });
  });
  test('a trailing amount follows the highest price since the fill', () => {
    const call: TrackedCall = { ...buy, stopLossType: 'TRAILING_ABS', stopLoss: 0.1 };
    expect(run(call, lasts(1.4, 0.999, 1.2, 1.11)).stopAt).toBeNull();
    expect(run(call, lasts(1.4, 0.999, 1.2, 1.1))).toMatchObject({ stopPrice: 1.1, stopLevel: 1.1 });
  });
  test('a trailing percentage follows it as well', () => {
    const call: TrackedCall = { ...buy, stopLossType: 'TRAILING_PCT', stopLoss: 10 };
    expect(run(call, lasts(0.999, 1.2, 1.09)).stopAt).toBeNull();
    expect(run(call, lasts(0.999, 1.2, 1.09, 1.02))).toMatchObject({ stopPrice: 1.02, stopLevel: 1.08 });
  });
  test('the low of the look in which the high rises meets the lifted stop', () => {
    const call: TrackedCall = { ...buy, stopLossType: 'TRAILING_ABS', stopLoss: 0.1 };
    const look = { time: start + 2000, high: 1.3, low: 1.15, last: 1.28 };
    expect(run(call, [...lasts(0.999), look])).toMatchObject({ stopPrice: 1.15, stopLevel: 1.2 });
  });
  test('a trailing stop has no level before the fill', () => {
    expect(stopLevelOf({ ...buy, stopLossType: 'TRAILING_ABS', stopLoss: 0.1 }, null)).toBeNull();
    expect(stopLevelOf({ ...buy, stopLossType: 'HARD', stopLoss: 0.8 }, null)).toBe(0.8);
  });
});

test('events name what must be written at once', () => {
  const before = startTracking(buy);
  const after = run({ ...buy, stopLossType: 'HARD', stopLoss: 0.5 }, lasts(0.999, 2, 0.4));
  expect(eventsBetween(before, after)).toEqual(['filled', 'target', 'stop']);
  expect(eventsBetween(after, after)).toEqual([]);
});

const tick = fc.integer({ min: 1, max: 2500 }).map((thousandths) => thousandths / 1000);
const look = fc.record({ open: tick, high: tick, low: tick, last: tick }, { requiredKeys: [] });
const path = fc
  .array(look, { maxLength: 40 })
  .map((looks) => looks.map((prices, index) => ({ ...prices, time: start + (index + 1) * 1000 })));
const call: fc.Arbitrary<TrackedCall> = fc.record({
  callType: fc.constantFrom('buy' as const, 'bought' as const),
  entryPrice: tick,
  targetPrice: tick,
  stopLossType: fc.constantFrom(...STOP_LOSS_TYPES),
  stopLoss: fc.oneof(tick, fc.integer({ min: 1, max: 100 })),
  submittedAt: fc.constant(start),
  priceAtSubmission: fc.option(tick),
});

test('the tracker agrees with a naive replay of the whole path', () => {
  fc.assert(
    fc.property(call, path, (some, looks) => {
      expect(run(some, looks)).toEqual(naiveReplay(some, looks));
    }),
    { numRuns: 1500 },
  );
});

test('a restart in the middle changes nothing', () => {
  fc.assert(
    fc.property(call, path, fc.nat(40), (some, looks, cut) => {
      const first = looks
        .slice(0, cut)
        .reduce((state, one) => advance(some, state, one), startTracking(some));
      const stored: typeof first = JSON.parse(JSON.stringify(first));
      const resumed = looks.slice(cut).reduce((state, one) => advance(some, state, one), stored);
      expect(resumed).toEqual(run(some, looks));
    }),
  );
});

test('a look that changes nothing gives the same object back', () => {
  fc.assert(
    fc.property(call, path, (some, looks) => {
      const state = run(some, looks);
      const flat = state.worst === null ? { time: start } : { time: start, last: state.worst };
      const again = advance(some, state, flat);
      if (eventsBetween(state, again).length === 0) expect(again).toBe(state);
    }),
  );
});
