import { describe, expect, test } from 'bun:test';
import { checkCall, isLive } from '../../../../src/subjects/calls/rules/callRules.ts';
import { checkPocketed } from '../../../../src/subjects/calls/rules/pocketed.ts';
import type { CallInput } from '../../../../src/subjects/calls/rules/types.ts';
import { ok } from '../../../../src/lib/result.ts';
import { messageOf, refusalOf } from '../../../support/refusals.ts';

const symbols = new Set(['BHP', 'CBA']);
const good: CallInput = {
  symbol: 'BHP',
  callType: 'buy',
  entryPrice: 1,
  targetPrice: 1.5,
  stopLossType: 'HARD',
  stopLoss: 0.9,
};

describe('checkCall', () => {
  type Case = [name: string, change: object, message: string | null, field?: keyof CallInput];
  const cases: Case[] = [
    ['a good call', {}, null],
    ['an untrimmed lower-case symbol', { symbol: ' bhp ' }, null],
    ['no symbol', { symbol: '  ' }, 'Symbol is required', 'symbol'],
    ['an unknown symbol', { symbol: 'ZZZ' }, 'Select a symbol from the live list', 'symbol'],
    ['no entry', { entryPrice: null }, 'Entry price must be positive', 'entryPrice'],
    ['a zero entry', { entryPrice: 0 }, 'Entry price must be positive', 'entryPrice'],
    ['an entry that is no number', { entryPrice: Number.NaN }, 'Entry price must be positive', 'entryPrice'],
    [
      'an endless entry',
      { entryPrice: Number.POSITIVE_INFINITY },
      'Entry price must be positive',
      'entryPrice',
    ],
    ['a negative target', { targetPrice: -1 }, 'Target price must be positive', 'targetPrice'],
    [
      'a target at entry',
      { targetPrice: 1 },
      'Target price must be higher than the entry price',
      'targetPrice',
    ],
    ['no stop value', { stopLoss: null }, 'Stop loss value must be positive', 'stopLoss'],
    ['a zero stop', { stopLoss: 0 }, 'Stop loss value must be positive', 'stopLoss'],
    ['a hard stop at entry', { stopLoss: 1 }, 'Stop loss must differ from entry price', 'stopLoss'],
    ['a trailing stop as large as entry', { stopLossType: 'TRAILING_ABS', stopLoss: 1 }, null],
    [
      'more than 100 percent',
      { stopLossType: 'TRAILING_PCT', stopLoss: 100.5 },
      'Trailing stop percentage must be 100 or less',
      'stopLoss',
    ],
    ['100 percent', { stopLossType: 'TRAILING_PCT', stopLoss: 100 }, null],
    ['no stop at all', { stopLossType: 'NONE', stopLoss: null }, null],
    [
      'a price beyond reason',
      { targetPrice: 1_000_001 },
      'Target price must be $1,000,000 or less',
      'targetPrice',
    ],
    [
      'an absurd stop',
      { stopLossType: 'TRAILING_ABS', stopLoss: 1e7 },
      'Stop loss value must be $1,000,000 or less',
      'stopLoss',
    ],
    ['seven decimals', { entryPrice: 0.0000001 }, 'Entry price may have at most 6 decimals', 'entryPrice'],
    [
      'a stop type that there is not',
      { stopLossType: 'SOFT' },
      'The stop loss type is one of NONE, HARD, TRAILING_ABS, TRAILING_PCT',
      'stopLossType',
    ],
    ['a type that there is not', { callType: 'sell' }, 'The type of a call is buy or bought', 'callType'],
  ];
  for (const [name, change, message, field = null] of cases) {
    test(name, () =>
      expect(refusalOf(checkCall({ ...good, ...change }, symbols))).toEqual(
        message === null ? null : [field, message],
      ),
    );
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
    const check = (call: CallInput, listed: Set<string>) => messageOf(checkCall(call, listed));
    expect(check(wrong, new Set())).toBe('Symbol is required');
    const named = { ...wrong, symbol: 'ZZZ' };
    expect(check(named, new Set())).toBe('Live symbol list unavailable. Try again shortly.');
    expect(check(named, symbols)).toBe('Select a symbol from the live list');
    const listed = { ...named, symbol: 'CBA' };
    expect(check(listed, symbols)).toBe('Entry price must be positive');
    expect(check({ ...listed, entryPrice: 2 }, symbols)).toBe('Target price must be positive');
    const low = { ...listed, entryPrice: 2, targetPrice: 1 };
    expect(check(low, symbols)).toBe('Target price must be higher than the entry price');
    expect(check({ ...low, targetPrice: 3 }, symbols)).toBe('Stop loss value must be positive');
  });
});

test('closing needs a finite value within bounds', () => {
  const closeError = (value: number | null) => messageOf(checkPocketed(value));
  expect(closeError(null)).toBe('Enter a valid pocketed value before closing');
  expect(closeError(Number.NaN)).toBe('Enter a valid pocketed value before closing');
  expect(closeError(Number.NEGATIVE_INFINITY)).toBe('Enter a valid pocketed value before closing');
  expect(closeError(0)).toBeNull();
  expect(closeError(-250.5)).toBeNull();
  expect(closeError(10_000_001)).toBe('Pocketed value must be between -$10,000,000 and $10,000,000');
  expect(refusalOf(checkPocketed(null))?.[0]).toBe('pocketedValue');
  expect(refusalOf(checkPocketed(-10_000_001))?.[0]).toBe('pocketedValue');
});

test('a call is stored with its symbol in upper case and no stop value without a stop', () => {
  expect(checkCall({ ...good, symbol: ' cba ', stopLossType: 'NONE' }, symbols)).toEqual(
    ok({ ...good, symbol: 'CBA', entryPrice: 1, targetPrice: 1.5, stopLossType: 'NONE', stopLoss: null }),
  );
});

test('only pending and open calls are live', () => {
  expect((['pending', 'open', 'closed', 'cancelled'] as const).filter(isLive)).toEqual(['pending', 'open']);
});
