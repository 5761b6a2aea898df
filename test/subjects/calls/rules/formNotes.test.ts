import { expect, test } from 'bun:test';
import {
  EMPTY_CALL_FORM,
  pickSymbol,
  setEntry,
  setStop,
  setStopType,
  setTarget,
} from '../../../../src/subjects/calls/rules/callForm.ts';
import { type FormNotes, notesOn } from '../../../../src/subjects/calls/rules/formNotes.ts';
import type { CallInput } from '../../../../src/subjects/calls/rules/types.ts';

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

test('a target below the entry is said to be raised', () => {
  expect(after({ targetPrice: 50 }, setTarget(FORM, 50))).toEqual({
    targetPrice: 'Target raised to 55.241: it must be above the entry 55.24',
  });
  expect(after({ targetPrice: 61 }, setTarget(FORM, 61))).toEqual({});
});

test('an entry that moves the others says so beside them', () => {
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

test('a stop is said to be lowered, rounded, raised or cleared', () => {
  const stop = (type: CallInput['stopLossType'], value: number) => {
    const form = { ...FORM, stopLossType: type, stopLoss: null };
    return after({ stopLoss: value }, setStop(form, value), form)['stopLoss'];
  };
  expect(stop('HARD', 60)).toBe('Stop lowered to 55.239: it must be below the entry 55.24');
  expect(stop('TRAILING_ABS', 60)).toBe('Trailing value lowered to 55.239: it must be below the entry 55.24');
  expect(stop('TRAILING_PCT', 7.6)).toBe('Percent rounded to 8: it must be a whole number');
  expect(stop('TRAILING_PCT', 200)).toBe('Percent lowered to 100: it goes from 1 to 100');
  expect(stop('TRAILING_PCT', 0)).toBe('Percent raised to 1: it goes from 1 to 100');
  const typed = (type: CallInput['stopLossType'], live: number | null) =>
    after({ stopLossType: type }, setStopType(FORM, type, live))['stopLoss'];
  expect(typed('NONE', 55)).toBe('Stop cleared');
  expect(typed('TRAILING_PCT', 55)).toBe('Stop cleared: a trailing stop needs its own value');
  expect(typed('HARD', 55)).toBe('Stop set to 54.999: just below the last price');
});

test('a picked symbol says each price that it fills', () => {
  expect(after({ symbol: 'CBA' }, pickSymbol(FORM, 'CBA', 170))).toEqual({
    entryPrice: 'Entry set to 170: the last price of CBA',
    targetPrice: 'Target raised to 170.001: it must be above the entry 170',
    stopLoss: 'Stop set to 169.999: just below the entry 170',
  });
  expect(after({ symbol: 'CBA' }, pickSymbol(EMPTY_CALL_FORM, 'CBA', 170), EMPTY_CALL_FORM)).toEqual({
    entryPrice: 'Entry set to 170: the last price of CBA',
    targetPrice: 'Target set to 170.001: just above the entry 170',
    stopLoss: 'Stop set to 169.999: just below the entry 170',
  });
});

test('a note stays while the field holds what it says, and goes with the next value', () => {
  const raised = setTarget(FORM, 50);
  const notes = notesOn({}, { ...FORM, targetPrice: 50 }, raised);
  expect(notesOn(notes, { ...raised, callType: 'buy' }, { ...raised, callType: 'buy' })).toEqual(notes);
  expect(notesOn(notes, { ...raised, targetPrice: 58 }, setTarget(raised, 58))).toEqual({});
});
