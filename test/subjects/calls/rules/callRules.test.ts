import { describe, expect, test } from 'bun:test';
import {
  checkCall,
  checkRationale,
  cleanRationale,
  rationaleLength,
  type CallInput,
} from '#subjects/calls/rules/callRules.ts';
import { checkPocketed } from '#subjects/calls/rules/pocketed.ts';
import { ok } from '#lib/result.ts';
import { messageOf, refusalOf } from '#support/refusals.ts';

const symbols = new Set(['BHP', 'CBA']);
const good: CallInput = {
  symbol: 'BHP',
  callType: 'buy',
  isShort: false,
  entryPrice: 1,
  targetPrice: 1.5,
  stopLossType: 'HARD',
  stopLoss: 0.9,
};

const SHORT = { isShort: true, targetPrice: 0.5, stopLoss: 1.1 };

test.each<[string, object, field: keyof CallInput | null, message: string]>([
  ['an untrimmed lower-case symbol', { symbol: ' bhp ' }, null, ''],
  ['no symbol', { symbol: '  ' }, 'symbol', 'Symbol is required'],
  ['an unknown symbol', { symbol: 'ZZZ' }, 'symbol', 'Select a symbol from the live list'],
  ['a zero entry', { entryPrice: 0 }, 'entryPrice', 'Entry price must be positive'],
  ['a non-numeric entry', { entryPrice: Number.NaN }, 'entryPrice', 'Entry price must be positive'],
  ['an infinite entry', { entryPrice: Infinity }, 'entryPrice', 'Entry price must be positive'],
  ['seven decimals', { entryPrice: 0.0000001 }, 'entryPrice', 'Entry price may have at most 6 decimals'],
  ['a negative target', { targetPrice: -1 }, 'targetPrice', 'Target price must be positive'],
  [
    'a target at entry',
    { targetPrice: 1 },
    'targetPrice',
    'Target price must be higher than the entry price',
  ],
  ['a high price', { targetPrice: 1_000_001 }, 'targetPrice', 'Target price must be $1,000,000 or less'],
  ['no stop value', { stopLoss: null }, 'stopLoss', 'Stop loss value must be positive'],
  ['a zero stop', { stopLoss: 0 }, 'stopLoss', 'Stop loss value must be positive'],
  ['a hard stop at entry', { stopLoss: 1 }, 'stopLoss', 'Stop loss must differ from entry price'],
  ['a trailing stop as large as entry', { stopLossType: 'TRAILING_ABS', stopLoss: 1 }, null, ''],
  [
    'an absurd stop',
    { stopLossType: 'TRAILING_ABS', stopLoss: 1e7 },
    'stopLoss',
    'Stop loss value must be $1,000,000 or less',
  ],
  ['100 percent', { stopLossType: 'TRAILING_PCT', stopLoss: 100 }, null, ''],
  [
    'more than 100 percent',
    { stopLossType: 'TRAILING_PCT', stopLoss: 100.5 },
    'stopLoss',
    'Trailing stop percentage must be 100 or less',
  ],
  [
    'an unknown stop type',
    { stopLossType: 'SOFT' },
    'stopLossType',
    'The stop loss type must be one of NONE, HARD, TRAILING_ABS, TRAILING_PCT',
  ],
  [
    'a short target above entry',
    { ...SHORT, targetPrice: 1.1 },
    'targetPrice',
    'Target price must be lower than the entry price',
  ],
  [
    'a short target of less than a step',
    { ...SHORT, targetPrice: 0.0005 },
    'targetPrice',
    'Target price must be $0.001 or more',
  ],
  [
    'a short stop below entry',
    { ...SHORT, stopLoss: 0.9 },
    'stopLoss',
    'Stop loss must be higher than the entry price',
  ],
  ['a short side', SHORT, null, ''],
  ['an unknown type', { callType: 'sell' }, 'callType', 'The call type must be buy or bought'],
])('a call with %s', (_, change, field, message) => {
  const refused = refusalOf(checkCall({ ...good, ...change }, symbols));
  expect(refused).toEqual(field === null ? null : [field, message]);
});

test('only the first error is reported', () => {
  const wrong: CallInput = { ...good, symbol: '', entryPrice: null, targetPrice: null, stopLoss: null };
  const check = (call: CallInput, listed: Set<string>) => messageOf(checkCall(call, listed));
  expect(check(wrong, new Set())).toBe('Symbol is required');
  const named = { ...wrong, symbol: 'ZZZ' };
  expect(check(named, new Set())).toBe('Live symbol list unavailable. Try again shortly.');
  expect(check({ ...named, symbol: 'CBA' }, symbols)).toBe('Entry price must be positive');
});

test('closing needs a finite value within bounds', () => {
  for (const value of [null, Number.NaN, Number.NEGATIVE_INFINITY]) {
    expect(messageOf(checkPocketed(value))).toBe('Enter a valid pocketed value before closing');
  }
  for (const value of [10_000_001, -10_000_001]) {
    expect(refusalOf(checkPocketed(value))).toEqual([
      'pocketedValue',
      'Pocketed value must be between -$10,000,000 and $10,000,000',
    ]);
  }
  for (const value of [0, -250.5, 10_000_000]) expect(messageOf(checkPocketed(value))).toBeNull();
});

test('a call is stored with its symbol in upper case, and without a stop value if it has no stop', () => {
  expect(checkCall({ ...good, symbol: ' cba ', stopLossType: 'NONE' }, symbols)).toEqual(
    ok({ ...good, symbol: 'CBA', entryPrice: 1, targetPrice: 1.5, stopLossType: 'NONE', stopLoss: null }),
  );
});

describe('a rationale', () => {
  test('becomes one line of plain text', () => {
    expect(cleanRationale('  Copper\r\n\tis  short.\u0000 ')).toBe('Copper is short.');
    expect(cleanRationale('a\u202Eevil\u2066 b\u200B')).toBe('aevil b');
    expect(cleanRationale('👩‍🚀')).toBe('👩‍🚀');
    expect(cleanRationale('\uD800x')).toBe('\uFFFDx');
  });

  test('has at most 280 characters, whatever their byte length', () => {
    expect(rationaleLength('🦜'.repeat(280))).toBe(280);
    expect(checkRationale('🦜'.repeat(280)).ok).toBe(true);
    expect(checkRationale('🦜'.repeat(281))).toEqual({
      ok: false,
      error: { field: 'rationale', message: 'Rationale may have at most 280 characters' },
    });
    expect(checkRationale(`${' '.repeat(400)}why`)).toEqual({ ok: true, value: 'why' });
  });

  test('may be missing or empty, but not of another type', () => {
    for (const sent of [undefined, null, '', ' \n '])
      expect(checkRationale(sent)).toEqual({ ok: true, value: null });
    for (const sent of [1, {}, ['why']]) expect(checkRationale(sent).ok).toBe(false);
  });
});
