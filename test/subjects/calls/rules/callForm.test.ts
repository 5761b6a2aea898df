import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  EMPTY_CALL_FORM,
  inputLimits,
  pickSymbol,
  setEntry,
  setStop,
  setStopType,
  setTarget,
  STOP_HELP_TEXTS,
  STOP_PLACEHOLDERS,
  STOP_TYPE_OPTIONS,
} from '../../../../src/subjects/calls/rules/callForm.ts';
import { checkCall } from '../../../../src/subjects/calls/rules/callRules.ts';
import { type CallInput, STOP_LOSS_TYPES } from '../../../../src/subjects/calls/rules/types.ts';
import { messageOf } from '../../../support/refusals.ts';

const priced: CallInput = {
  ...EMPTY_CALL_FORM,
  symbol: 'BHP',
  entryPrice: 1,
  targetPrice: 1.2,
  stopLoss: 0.9,
};

test('the dialog opens empty, bought, with a hard stop', () => {
  expect(EMPTY_CALL_FORM).toEqual({
    symbol: '',
    callType: 'bought',
    entryPrice: null,
    targetPrice: null,
    stopLossType: 'HARD',
    stopLoss: null,
  });
});

describe('picking a symbol', () => {
  test('fills the prices from the live price', () => {
    const form = pickSymbol(EMPTY_CALL_FORM, 'BHP', 45.2);
    expect(form).toMatchObject({ symbol: 'BHP', entryPrice: 45.2, targetPrice: 45.201, stopLoss: 45.199 });
  });
  test('a hard stop does not go below zero', () => {
    expect(pickSymbol(EMPTY_CALL_FORM, 'X', 0.0005).stopLoss).toBe(0);
  });
  test('no stop stays without a value', () => {
    const form = pickSymbol({ ...EMPTY_CALL_FORM, stopLossType: 'NONE', stopLoss: 3 }, 'BHP', 2);
    expect(form.stopLoss).toBeNull();
  });
  test('a trailing percentage is kept', () => {
    const form = pickSymbol({ ...EMPTY_CALL_FORM, stopLossType: 'TRAILING_PCT', stopLoss: 5 }, 'BHP', 2);
    expect(form.stopLoss).toBe(5);
  });
  test('without a live price only the symbol is set', () => {
    expect(pickSymbol(EMPTY_CALL_FORM, 'NEW', null)).toEqual({ ...EMPTY_CALL_FORM, symbol: 'NEW' });
  });
});

describe('editing prices', () => {
  test('raising entry lifts the target', () => {
    expect(setEntry(priced, 1.5)).toMatchObject({ entryPrice: 1.5, targetPrice: 1.501 });
  });
  test('a target high enough is left alone', () => {
    expect(setEntry(priced, 1.1).targetPrice).toBe(1.2);
  });
  test('lowering entry pulls a hard stop below it', () => {
    expect(setEntry(priced, 0.5)).toMatchObject({ entryPrice: 0.5, stopLoss: 0.499 });
  });
  test('clearing entry clears nothing else', () => {
    expect(setEntry(priced, null)).toEqual({ ...priced, entryPrice: null });
  });
  test('a target below entry is lifted', () => expect(setTarget(priced, 0.2).targetPrice).toBe(1.001));
  test('hard and trailing amounts stay between 0 and a tick below entry', () => {
    expect(setStop(priced, 7).stopLoss).toBe(0.999);
    expect(setStop(priced, -7).stopLoss).toBe(0);
    expect(setStop({ ...priced, stopLossType: 'TRAILING_ABS' }, 7).stopLoss).toBe(0.999);
  });
  test('a percentage is a whole number from 1 to 100', () => {
    const form: CallInput = { ...priced, stopLossType: 'TRAILING_PCT' };
    expect([0, 4.4, 4.5, 250].map((value) => setStop(form, value).stopLoss)).toEqual([1, 4, 5, 100]);
  });
});

describe('changing the stop type', () => {
  test('none and the trailing types start without a value', () => {
    for (const type of ['NONE', 'TRAILING_ABS', 'TRAILING_PCT'] as const) {
      expect(setStopType(priced, type, 3)).toMatchObject({ stopLossType: type, stopLoss: null });
    }
  });
  test('a hard stop is prefilled from the live price', () => {
    expect(setStopType({ ...priced, stopLossType: 'NONE', entryPrice: 3 }, 'HARD', 3).stopLoss).toBe(2.999);
    expect(setStopType(priced, 'HARD', null).stopLoss).toBeNull();
  });
});

test('limits of the inputs', () => {
  expect(inputLimits(priced)).toEqual({
    entry: { step: 0.001, min: 0 },
    target: { step: 0.001, min: 1.001 },
    stop: { step: 0.001, min: 0, max: 0.999 },
  });
  expect(inputLimits({ ...priced, stopLossType: 'TRAILING_PCT' }).stop).toEqual({
    step: 1,
    min: 1,
    max: 100,
  });
});

test('whatever is typed, a complete form with a usable stop can be submitted', () => {
  const price = fc.double({ min: 0.002, max: 5000, noNaN: true });
  const edits = fc.array(
    fc.oneof(
      fc.tuple(fc.constant('entry' as const), price),
      fc.tuple(fc.constant('target' as const), price),
      fc.tuple(fc.constant('stop' as const), price),
      fc.tuple(fc.constantFrom(...STOP_LOSS_TYPES), price),
    ),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(price, edits, (live, steps) => {
      let form = pickSymbol(EMPTY_CALL_FORM, 'BHP', live);
      for (const [what, value] of steps) {
        if (what === 'entry') form = setEntry(form, value);
        else if (what === 'target') form = setTarget(form, value);
        else if (what === 'stop') form = setStop(form, value);
        else form = setStopType(form, what, live);
      }
      const message = messageOf(checkCall(form, new Set(['BHP'])));
      const hasStop = form.stopLossType === 'NONE' || (form.stopLoss ?? 0) > 0;
      expect(message).toBe(hasStop ? null : 'Stop loss value must be positive');
    }),
  );
});

test('every stop type has its texts', () => {
  expect(STOP_TYPE_OPTIONS.map((option) => option.label)).toEqual([
    'No stop loss',
    'Hard stop (price)',
    'Trailing stop (value)',
    'Trailing stop (%)',
  ]);
  expect(STOP_PLACEHOLDERS.TRAILING_PCT).toBe('Trailing percent (e.g. 5)');
  expect(STOP_HELP_TEXTS.NONE).toBe('No stop loss will be applied.');
});
