import { describe, expect, test } from 'bun:test';
import {
  startTracking,
  type TrackedCall,
  type TrackState,
} from '../../../../src/subjects/calls/rules/tracker.ts';
import {
  implausibleReason,
  submissionPrice,
  verifiedEntry,
  verifiedExit,
  verifiedResult,
} from '../../../../src/subjects/calls/rules/verifiedResult.ts';

const start = Date.UTC(2026, 10, 2);
const day = 86_400_000;
const bought: TrackedCall = {
  callType: 'bought',
  entryPrice: 2,
  targetPrice: 2.5,
  stopLossType: 'NONE',
  stopLoss: null,
  submittedAt: start,
  priceAtSubmission: 2,
};
const filled = (change: Partial<TrackState>): TrackState => ({
  ...startTracking(bought),
  entryTradeAt: start + 1,
  entryTradePrice: 2,
  ...change,
});

describe('verifiedResult', () => {
  test('percent from entry to the closing price, best, worst and days', () => {
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
  test('the closing price itself is part of the path', () => {
    expect(verifiedResult(bought, filled({}), { time: start, price: 1 })).toMatchObject({
      worstPercent: -50,
    });
  });
  test('the dearer of the claim and the first trade after the submission counts', () => {
    expect(verifiedEntry({ ...bought, entryPrice: 1 }, filled({}))).toBe(2);
    expect(verifiedEntry({ ...bought, entryPrice: 2.2 }, filled({}))).toBe(2.2);
    expect(verifiedEntry(bought, startTracking(bought))).toBeNull();
  });
  test('the cheaper of the last price and the first trade after the end counts', () => {
    expect([verifiedExit(2, 1.8), verifiedExit(1.8, 2), verifiedExit(null, 2)]).toEqual([1.8, 1.8, 2]);
    expect(verifiedExit(2, null)).toBeNull();
  });
  test('nothing is verified without a fill or a price', () => {
    const pending = { ...bought, callType: 'buy' as const };
    expect(verifiedResult(pending, startTracking(pending), { time: start, price: 2 })).toBeNull();
    expect(verifiedResult(bought, filled({}), { time: start, price: null })).toBeNull();
    expect(verifiedResult(bought, startTracking(bought), { time: start, price: 2 })).toBeNull();
  });
});

describe('implausibleReason', () => {
  const at = (price: number | null) => ({ time: start + day, price });
  const pending = { ...bought, callType: 'buy' as const };

  test('nothing pocketed is always possible', () => {
    expect(implausibleReason(0, pending, startTracking(pending), at(2))).toBeNull();
  });
  test('a call that never filled can give nothing', () => {
    expect(implausibleReason(5, pending, startTracking(pending), at(2))).toContain('never filled');
  });
  test('a gain needs a price above entry', () => {
    expect(implausibleReason(50, bought, filled({ worst: 1.5 }), at(2))).toContain('never traded above');
    expect(implausibleReason(50, bought, filled({ best: 2.01 }), at(1.8))).toBeNull();
    expect(implausibleReason(50, bought, filled({}), at(2.01))).toBeNull();
  });
  test('a fill below entry makes a gain possible up to entry', () => {
    const state = { ...startTracking(pending), filledAt: start, fillPrice: 1.9, best: 1.95, worst: 1.9 };
    expect(implausibleReason(20, pending, state, at(1.95))).toBeNull();
  });
  test('a loss needs a price below entry', () => {
    expect(implausibleReason(-50, bought, filled({ best: 3 }), at(2))).toContain('never traded below');
    expect(implausibleReason(-50, bought, filled({ worst: 1.99 }), at(2.5))).toBeNull();
  });
  test('a value that needs a fortune is looked at', () => {
    expect(implausibleReason(4900, bought, filled({ best: 2.01 }), at(2))).toBeNull();
    expect(implausibleReason(6000, bought, filled({ best: 2.01 }), at(2))).toContain('$1,2');
  });
  test('a path without prices proves nothing', () => {
    const unseen = { ...bought, priceAtSubmission: null };
    expect(implausibleReason(5, unseen, startTracking(unseen), at(null))).toContain('No price');
  });
});

test('before the open a dearer match price is what a reader can pay', () => {
  const stock = { status: 'Pre Open', last: 2, match_price: 2.4, close: 2 };
  expect(submissionPrice(stock)).toBe(2.4);
  expect(submissionPrice({ ...stock, match_price: 1.8 })).toBe(2);
  expect(submissionPrice({ ...stock, status: 'Open' })).toBe(2);
  expect(submissionPrice({ ...stock, last: null, match_price: null })).toBe(2);
});
