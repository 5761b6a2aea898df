import { describe, expect, test } from 'bun:test';
import { closeError, isLive, submitError, toStorable } from '../../../src/domain/calls/callRules.ts';
import type { CallInput } from '../../../src/domain/calls/types.ts';

const symbols = new Set(['BHP', 'CBA']);
const good: CallInput = {
  symbol: 'BHP',
  callType: 'buy',
  entryPrice: 1,
  targetPrice: 1.5,
  stopLossType: 'HARD',
  stopLoss: 0.9,
};

describe('submitError', () => {
  const cases: [string, Partial<CallInput>, string | null][] = [
    ['a good call', {}, null],
    ['an untrimmed lower-case symbol', { symbol: ' bhp ' }, null],
    ['no symbol', { symbol: '  ' }, 'Symbol is required'],
    ['an unknown symbol', { symbol: 'ZZZ' }, 'Select a symbol from the live list'],
    ['no entry', { entryPrice: null }, 'Entry price must be positive'],
    ['a zero entry', { entryPrice: 0 }, 'Entry price must be positive'],
    ['an entry that is no number', { entryPrice: Number.NaN }, 'Entry price must be positive'],
    ['an endless entry', { entryPrice: Number.POSITIVE_INFINITY }, 'Entry price must be positive'],
    ['a negative target', { targetPrice: -1 }, 'Target price must be positive'],
    ['a target at entry', { targetPrice: 1 }, 'Target price must be higher than the entry price'],
    ['no stop value', { stopLoss: null }, 'Stop loss value must be positive'],
    ['a zero stop', { stopLoss: 0 }, 'Stop loss value must be positive'],
    ['a hard stop at entry', { stopLoss: 1 }, 'Stop loss must differ from entry price'],
    ['a trailing stop as large as entry', { stopLossType: 'TRAILING_ABS', stopLoss: 1 }, null],
    [
      'more than 100 percent',
      { stopLossType: 'TRAILING_PCT', stopLoss: 100.5 },
      'Trailing stop percentage must be 100 or less',
    ],
    ['100 percent', { stopLossType: 'TRAILING_PCT', stopLoss: 100 }, null],
    ['no stop at all', { stopLossType: 'NONE', stopLoss: null }, null],
    ['a price beyond reason', { targetPrice: 1_000_001 }, 'Target price must be $1,000,000 or less'],
    ['seven decimals', { entryPrice: 0.0000001 }, 'Entry price may have at most 6 decimals'],
  ];
  for (const [name, change, message] of cases) {
    test(name, () => expect(submitError({ ...good, ...change }, symbols)).toBe(message));
  }

  test('tells the first fault only, in the order of the specification', () => {
    const wrong: CallInput = {
      symbol: '',
      callType: 'buy',
      entryPrice: null,
      targetPrice: null,
      stopLossType: 'TRAILING_PCT',
      stopLoss: null,
    };
    expect(submitError(wrong, new Set())).toBe('Symbol is required');
    const named = { ...wrong, symbol: 'ZZZ' };
    expect(submitError(named, new Set())).toBe('Live symbol list unavailable. Try again shortly.');
    expect(submitError(named, symbols)).toBe('Select a symbol from the live list');
    const listed = { ...named, symbol: 'CBA' };
    expect(submitError(listed, symbols)).toBe('Entry price must be positive');
    expect(submitError({ ...listed, entryPrice: 2 }, symbols)).toBe('Target price must be positive');
    const low = { ...listed, entryPrice: 2, targetPrice: 1 };
    expect(submitError(low, symbols)).toBe('Target price must be higher than the entry price');
    expect(submitError({ ...low, targetPrice: 3 }, symbols)).toBe('Stop loss value must be positive');
  });
});

test('closing needs a finite value within bounds', () => {
  expect(closeError(null)).toBe('Enter a valid pocketed value before closing');
  expect(closeError(Number.NaN)).toBe('Enter a valid pocketed value before closing');
  expect(closeError(Number.NEGATIVE_INFINITY)).toBe('Enter a valid pocketed value before closing');
  expect(closeError(0)).toBeNull();
  expect(closeError(-250.5)).toBeNull();
  expect(closeError(10_000_001)).toBe('Pocketed value must be between -$10,000,000 and $10,000,000');
});

test('a call is stored with its symbol in upper case and no stop value without a stop', () => {
  expect(toStorable({ ...good, symbol: ' cba ', stopLossType: 'NONE' })).toEqual({
    ...good,
    symbol: 'CBA',
    entryPrice: 1,
    targetPrice: 1.5,
    stopLossType: 'NONE',
    stopLoss: null,
  });
});

test('only pending and open calls are live', () => {
  expect((['pending', 'open', 'closed', 'cancelled'] as const).filter(isLive)).toEqual(['pending', 'open']);
});
