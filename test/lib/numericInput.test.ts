import { expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  clampNumeric,
  isNumericText,
  numericText,
  parseNumeric,
  stepNumeric,
  stepsOfKey,
} from '../../src/lib/numericInput.ts';

test('arrows step by one, page keys by ten, others not at all', () => {
  expect(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Enter'].map(stepsOfKey)).toEqual([
    1,
    -1,
    10,
    -10,
    null,
  ]);
  expect(stepNumeric(1, 1, { step: 0.001 })).toBe(1.001);
  expect(stepNumeric(0.1, 10, { step: 0.001 })).toBe(0.11);
  expect(stepNumeric(5, 1, {})).toBe(6);
  expect(stepNumeric(null, 1, { step: 0.001, min: 2 })).toBe(2);
  expect(stepNumeric(0.004, -10, { step: 0.001, min: 0 })).toBe(0);
  expect(stepNumeric(95, 10, { step: 1, max: 100 })).toBe(100);
});

test('clamping and six decimals', () => {
  expect(clampNumeric(1.23456789, {})).toBe(1.234568);
  expect(clampNumeric(-0.0000001, {})).toBe(0);
  expect(Object.is(clampNumeric(-0.0000001, {}), 0)).toBe(true);
  expect(clampNumeric(5, { min: 6, max: 4 })).toBe(6);
});

test('what may stand in the box while typing', () => {
  for (const text of ['', '1', '1.', '.5', '0.123456']) expect(isNumericText(text, { min: 0 })).toBe(true);
  for (const text of ['-1', '1.2345678', 'a', '1e5', '1.2.3'])
    expect(isNumericText(text, { min: 0 })).toBe(false);
  expect(isNumericText('-1.5', {})).toBe(true);
  expect(isNumericText('-', {})).toBe(true);
});

test('unfinished text is no number', () => {
  expect(['', '-', '.', ' 1.50 ', '−2', '1,200.5', 'x1'].map(parseNumeric)).toEqual([
    null,
    null,
    null,
    1.5,
    -2,
    1200.5,
    null,
  ]);
});

test('a value survives being shown and read again', () => {
  fc.assert(
    fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), (value) => {
      const shown = clampNumeric(value, {});
      expect(parseNumeric(numericText(shown))).toBe(shown);
    }),
  );
  expect(numericText(0.000001)).toBe('0.000001');
  expect(numericText(100)).toBe('100');
  expect(numericText(null)).toBe('');
});
