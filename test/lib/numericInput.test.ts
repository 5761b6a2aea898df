import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  clampNumeric,
  isNumericText,
  mayBecomeNumeric,
  notNumeric,
  numericText,
  parseNumeric,
  stepNumeric,
  stepsOfKey,
  withoutExcess,
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
  for (const text of ['', '1', '1.', '.5', '0.123456', '-1.5', '-', '$', 'A$', '−.', ' '])
    expect({ text, is: isNumericText(text) }).toEqual({ text, is: true });
  for (const text of ['a', '1e5', '1.2.3', '5 %', '1.25x', '$$1', '--1'])
    expect({ text, is: isNumericText(text) }).toEqual({ text, is: false });
});

describe('pasted numbers', () => {
  test.each([
    ['1.25 ', 1.25],
    [' 1.25', 1.25],
    ['$1.25', 1.25],
    ['$ 1.25', 1.25],
    ['A$1.25', 1.25],
    ['AU$1.25', 1.25],
    ['-$1.25', -1.25],
    ['−1.25', -1.25],
    ['+3', 3],
    ['1,234.50', 1234.5],
    ['$1,234,567.5', 1_234_567.5],
    ['1 234.50', 1234.5],
    ['1\u00a0234.50\u00a0', 1234.5],
    ['1.25\n', 1.25],
    ['0.002', 0.002],
    ['.5', 0.5],
    ['5.', 5],
    ['1,250', 1250],
  ])('%j is %d', (text, value) => {
    expect(parseNumeric(text)).toBe(value);
    expect(isNumericText(text)).toBe(true);
  });

  test.each([
    ...['1,25', '0,025', '0,125', '1,2345', '12,34', '1,234,5', '1.234,50', '1,,234', ',5', '1 25', '1.2 5'],
    ...['1.25 AUD', '(1.25)', '1.25-1.30', '1/2', '½', '１', 'Infinity', '0x10', '9'.repeat(200)],
  ])('%j is no number', (text) => {
    expect(parseNumeric(text)).toBeNull();
    expect(isNumericText(text)).toBe(false);
  });

  test('a decimal comma is named as such, and other texts are quoted', () => {
    expect(notNumeric('1,25')).toBe('“1,25” is not a number. Write decimals with a point: 1.25.');
    expect(notNumeric(' ten ')).toBe('“ten” is not a number. Write it like 1.25 or 1,234.50.');
    expect(notNumeric('x'.repeat(99))).toStartWith(`“${'x'.repeat(20)}…” is not a number.`);
  });

  test('thousands that are being typed may become a number', () => {
    for (const text of ['1,', '1,2', '$1,25', '12,345,6']) expect(mayBecomeNumeric(text)).toBe(true);
    for (const text of ['0,2', '1,2x', ',2', '1,2.5', 'a']) expect(mayBecomeNumeric(text)).toBe(false);
  });

  test('decimals beyond the sixth are cut off', () =>
    expect(['1.2345678', '$1.25', '0.1234567 '].map(withoutExcess)).toEqual([
      '1.234567',
      '$1.25',
      '0.123456 ',
    ]));
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
