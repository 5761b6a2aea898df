import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  EMPTY_CALL_FORM,
  type FormNotes,
  levelsOf,
  notesOn,
  pickSymbol,
  setEntry,
  setSide,
  setStop,
  setStopType,
  setTarget,
  typedLevel,
} from '#subjects/calls/rules/callForm.ts';
import { checkCall, type CallInput } from '#subjects/calls/rules/callRules.ts';
import { STOP_LOSS_TYPES } from '#subjects/calls/answers/call.ts';
import { messageOf } from '#support/refusals.ts';
import { summariseCall } from '#subjects/calls/rules/callSummary.ts';

const priced: CallInput = {
  ...EMPTY_CALL_FORM,
  symbol: 'BHP',
  entryPrice: 1,
  targetPrice: 1.2,
  stopLoss: 0.9,
};
const short: CallInput = { ...priced, isShort: true, targetPrice: 0.8, stopLoss: 1.1 };
const trailing: CallInput = { ...priced, stopLossType: 'TRAILING_PCT', stopLoss: 5 };

test.each<[string, CallInput, Partial<CallInput>]>([
  [
    'a picked symbol fills the prices from the live price',
    pickSymbol(EMPTY_CALL_FORM, 'BHP', 45.2),
    { symbol: 'BHP', entryPrice: 45.2, targetPrice: 45.201, stopLoss: 45.199 },
  ],
  ['a hard stop does not go below zero', pickSymbol(EMPTY_CALL_FORM, 'X', 0.0005), { stopLoss: 0 }],
  [
    'no stop stays without a value',
    pickSymbol({ ...EMPTY_CALL_FORM, stopLossType: 'NONE', stopLoss: 3 }, 'BHP', 2),
    { stopLoss: null },
  ],
  [
    'a symbol picked for a short call fills the mirrored prices',
    pickSymbol({ ...EMPTY_CALL_FORM, isShort: true }, 'BHP', 45.2),
    { entryPrice: 45.2, targetPrice: 45.199, stopLoss: 45.201 },
  ],
  ['lowering a short entry lowers the target', setEntry(short, 0.5), { targetPrice: 0.499, stopLoss: 1.1 }],
  ['raising a short entry lifts a hard stop above it', setEntry(short, 2), { stopLoss: 2.001 }],
  ['a short target stays below entry', setTarget(short, 3), { targetPrice: 0.999 }],
  ['another side mirrors target and stop', setSide(priced, true), { targetPrice: 0.8, stopLoss: 1.1 }],
  [
    'a mirrored target stays above zero',
    setSide({ ...priced, targetPrice: 5 }, true),
    { targetPrice: 0.001 },
  ],
  ['a trailing percentage is kept', pickSymbol(trailing, 'BHP', 2), { stopLoss: 5 }],
  [
    'without a live price only the symbol is set',
    pickSymbol(priced, 'NEW', null),
    { ...priced, symbol: 'NEW' },
  ],
  ['raising entry lifts the target', setEntry(priced, 1.5), { entryPrice: 1.5, targetPrice: 1.501 }],
  ['lowering entry pulls a hard stop below it', setEntry(priced, 0.5), { entryPrice: 0.5, stopLoss: 0.499 }],
  ['a target below entry is lifted', setTarget(priced, 0.2), { targetPrice: 1.001 }],
  ['a hard stop stays a tick below entry', setStop(priced, 7), { stopLoss: 0.999 }],
  ['a stop is not negative', setStop(priced, -7), { stopLoss: 0 }],
  ['a percentage is at least 1', setStop(trailing, 0), { stopLoss: 1 }],
  ['a percentage is a whole number', setStop(trailing, 4.5), { stopLoss: 5 }],
  ['a percentage is at most 100', setStop(trailing, 250), { stopLoss: 100 }],
  ['a trailing stop starts without a value', setStopType(priced, 'TRAILING_PCT', 3), { stopLoss: null }],
  [
    'a hard stop is prefilled from the live price',
    setStopType({ ...priced, stopLossType: 'NONE', entryPrice: 3 }, 'HARD', 3),
    { stopLoss: 2.999 },
  ],
])('%s', (_, form, expected) => expect(form).toMatchObject(expected));

test('for any input, a complete form with a usable stop can be submitted', () => {
  const price = fc.double({ min: 0.002, max: 5000, noNaN: true });
  const edits = fc.array(
    fc.oneof(
      fc.tuple(fc.constant('entry' as const), price),
      fc.tuple(fc.constant('target' as const), price),
      fc.tuple(fc.constant('stop' as const), price),
      fc.tuple(fc.constant('side' as const), price),
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
        else if (what === 'side') form = setSide(form, !form.isShort);
        else form = setStopType(form, what, live);
      }
      const message = messageOf(checkCall(form, new Set(['BHP'])));
      const hasStop = form.stopLossType === 'NONE' || (form.stopLoss ?? 0) > 0;
      expect(message).toBe(hasStop ? null : 'Stop loss value must be positive');
    }),
  );
});

describe('automatic changes of the form', () => {
  const FORM: CallInput = {
    ...EMPTY_CALL_FORM,
    symbol: 'BHP',
    entryPrice: 55.24,
    targetPrice: 60,
    stopLoss: 50,
  };
  const texts = (notes: FormNotes): Record<string, string> =>
    Object.fromEntries(Object.entries(notes).map(([field, { text }]) => [field, text]));
  const after = (change: Partial<CallInput>, form: CallInput, from: CallInput = FORM) =>
    texts(notesOn({}, { ...from, ...change }, form));

  test('name the fields that a new entry price moved', () => {
    expect(after({ entryPrice: 70 }, setEntry(FORM, 70))).toEqual({
      targetPrice: 'Target raised to 70.001: it must be above the entry 70',
    });
    expect(after({ entryPrice: 40 }, setEntry(FORM, 40))).toEqual({
      stopLoss: 'Stop lowered to 39.999: it must be below the entry 40',
    });
    const empty = { ...FORM, targetPrice: null };
    expect(after({ entryPrice: 70 }, setEntry(empty, 70), empty)).toEqual({
      targetPrice: 'Target set to 70.001: just above the entry 70',
    });
  });

  test('show that a stop was lowered, rounded, raised or cleared', () => {
    const stop = (type: CallInput['stopLossType'], value: number) => {
      const form = { ...FORM, stopLossType: type, stopLoss: null };
      return after({ stopLoss: value }, setStop(form, value), form)['stopLoss'];
    };
    expect(stop('HARD', 60)).toBe('Stop lowered to 55.239: it must be below the entry 55.24');
    expect(stop('TRAILING_ABS', 60)).toBe(
      'Trailing value lowered to 55.239: it must be below the entry 55.24',
    );
    expect(stop('TRAILING_PCT', 7.6)).toBe('Percent rounded to 8: it must be a whole number');
    expect(stop('TRAILING_PCT', 200)).toBe('Percent lowered to 100: it goes from 1 to 100');
    expect(stop('TRAILING_PCT', 0)).toBe('Percent raised to 1: it goes from 1 to 100');
    const sold = { ...FORM, isShort: true, targetPrice: 50, stopLoss: 60 };
    expect(after({ entryPrice: 70 }, setEntry(sold, 70), sold)).toEqual({
      stopLoss: 'Stop raised to 70.001: it must be above the entry 70',
    });
    expect(after({ entryPrice: 40 }, setEntry(sold, 40), sold)).toEqual({
      targetPrice: 'Target lowered to 39.999: it must be below the entry 40',
    });
    const typed = (type: CallInput['stopLossType'], live: number | null) =>
      after({ stopLossType: type }, setStopType(FORM, type, live))['stopLoss'];
    expect(typed('NONE', 55)).toBe('Stop cleared');
    expect(typed('TRAILING_PCT', 55)).toBe('Stop cleared: a trailing stop needs its own value');
    expect(typed('HARD', 55)).toBe('Stop set to 54.999: just below the last price');
  });
});

describe('a call in words', () => {
  const BHP: CallInput = {
    symbol: 'bhp ',
    callType: 'bought',
    isShort: false,
    entryPrice: 55.24,
    targetPrice: 55.241,
    stopLossType: 'HARD',
    stopLoss: 55.239,
  };
  const line = (change: Partial<CallInput>): string | undefined =>
    summariseCall({ ...BHP, ...change })
      ?.map(({ text }) => text)
      .join(', ');
  const marked = (change: Partial<CallInput>): (boolean | undefined)[] => {
    const parts = summariseCall({ ...BHP, ...change });
    return [parts?.[1]?.isClose, parts?.[2]?.isClose];
  };

  test('includes all fields, with percentages and price steps', () => {
    expect(line({})).toBe(
      'Buy BHP at 55.24, target 55.241 (+0.002%, less than one price step), ' +
        'stop 55.239 (−0.002%, less than one price step), already filled',
    );
    expect(line({ callType: 'buy', targetPrice: 60, stopLoss: 55.23 })).toBe(
      'Buy BHP at 55.24, target 60 (+8.6%, 476 price steps), stop 55.23 (−0.018%, one price step), not filled yet',
    );
    const sold = { isShort: true, targetPrice: 50, stopLossType: 'TRAILING_PCT', stopLoss: 5 } as const;
    expect(line({ ...sold, entryPrice: 100 })).toBe(
      'Short BHP at 100, target 50 (−50.0%, 5000 price steps), ' +
        'stop trailing 5% above the low, 105 at first (+5.0%, 500 price steps), already filled',
    );
    expect(line({ entryPrice: null })).toBeUndefined();
  });

  test('has words for each type of stop', () => {
    const stop = (change: Partial<CallInput>) => summariseCall({ ...BHP, ...change })?.[2]?.text;
    expect(stop({ stopLossType: 'NONE', stopLoss: null })).toBe('no stop');
    expect(stop({ stopLoss: null })).toBe('stop not given yet');
    expect(stop({ stopLossType: 'TRAILING_ABS', stopLoss: 0.24 })).toBe(
      'stop trailing 0.24 below the high, 55 at first (−0.43%, 24 price steps)',
    );
    expect(stop({ stopLossType: 'TRAILING_PCT', stopLoss: 5, entryPrice: 100 })).toBe(
      'stop trailing 5% below the high, 95 at first (−5.0%, 500 price steps)',
    );
    expect(stop({ stopLossType: 'TRAILING_PCT', stopLoss: 100 })).toBe('stop 100');
  });

  test('marks a level within two price steps, using the exchange’s steps on both sides of a band', () => {
    expect(marked({})).toEqual([true, true]);
    expect(marked({ targetPrice: 55.26, stopLoss: 55.21 })).toEqual([true, false]);
    expect(marked({ targetPrice: 55.261, stopLoss: 55.22 })).toEqual([false, true]);
    // Two cents are two steps at two dollars, and four below.
    expect(marked({ entryPrice: 2, targetPrice: 2.02, stopLoss: 1.98 })).toEqual([true, false]);
    expect(marked({ entryPrice: 2, targetPrice: 2.03, stopLoss: 1.99 })).toEqual([false, true]);
    expect(marked({ entryPrice: 0.05, targetPrice: 0.053, stopLoss: 0.048 })).toEqual([false, true]);
  });

  test('marks a trailing stop by its first level', () => {
    expect(marked({ stopLossType: 'TRAILING_ABS', stopLoss: 0.02 })[1]).toBe(true);
    expect(marked({ stopLossType: 'TRAILING_ABS', stopLoss: 0.03 })[1]).toBe(false);
  });
});

test('lines in a chart are at the prices of the form, and moving one types its price', () => {
  expect(levelsOf(trailing)).toEqual({ entry: 1, target: 1.2, stop: 0.95 });
  expect(typedLevel(trailing, 'stop', 0.9012)).toBe(10);
  expect(typedLevel({ ...trailing, isShort: true }, 'stop', 1.1)).toBe(10);
  expect(typedLevel(priced, 'target', 1.23456)).toBe(1.235);
  expect(typedLevel(setStopType(priced, 'NONE', 1), 'stop', 0.9)).toBeNull();
});
