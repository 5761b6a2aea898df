import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { humanSize } from '#lib/wording.ts';
import {
  clampNumeric,
  isNumericText,
  notNumeric,
  numericText,
  parseNumeric,
  parseQuantity,
  stepNumeric,
  stepsOfKey,
} from '#lib/numericInput.ts';

test('arrows step by one, page keys by ten, other keys not at all', () => {
  expect(['ArrowDown', 'PageUp', 'Enter'].map(stepsOfKey)).toEqual([-1, 10, null]);
  expect(stepNumeric(1, 1, { step: 0.001 })).toBe(1.001);
  expect(stepNumeric(0.1, 10, { step: 0.001 })).toBe(0.11);
  expect(stepNumeric(null, 1, { step: 0.001, min: 2 })).toBe(2);
  expect(stepNumeric(0.004, -10, { step: 0.001, min: 0 })).toBe(0);
  expect(stepNumeric(95, 10, { step: 1, max: 100 })).toBe(100);
});

describe('pasted numbers', () => {
  test.each([
    ['$1.25', 1.25],
    ['A$1.25', 1.25],
    ['−1.25', -1.25],
    ['1,234.50', 1234.5],
    ['1\u00a0234.50\u00a0', 1234.5],
    ['1,250', 1250],
  ])('%j is %d', (text, value) => {
    expect(parseNumeric(text)).toBe(value);
    expect(isNumericText(text)).toBe(true);
  });

  test.each([
    '1,25',
    '0,025',
    '0,125',
    '1,2345',
    '12,34',
    '1,234,5',
    '1.234,50',
    '1,,234',
    ',5',
    '1 25',
    '1.2 5',
    '1.25 AUD',
    '(1.25)',
    '1.25-1.30',
    '1/2',
    '½',
    '１',
    'Infinity',
    '0x10',
    '9'.repeat(200),
  ])('%j is not a number', (text) => {
    expect(parseNumeric(text)).toBeNull();
    expect(isNumericText(text)).toBe(false);
  });

  test('a decimal comma gets its own message, and other texts are quoted', () => {
    expect(notNumeric('1,25')).toBe('“1,25” is not a number. Write decimals with a point: 1.25.');
    expect(notNumeric(' ten ')).toBe('“ten” is not a number. Write it like 1.25 or 1,234.50.');
    expect(notNumeric('x'.repeat(99))).toStartWith(`“${'x'.repeat(20)}…” is not a number.`);
  });
});

test('a value is the same after formatting and parsing', () => {
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

describe('a quantity', () => {
  test.each([
    ['100k', 100_000],
    ['1.1M', 1_100_000],
    ['2 B', 2e9],
    ['250\u00a0000', 250_000],
    ['-5 %', -5],
    ['−0.5', -0.5],
    ['0.1234567', 0.123457],
  ])('%s is parsed', (text, value) => {
    expect(parseQuantity(text)).toBe(value);
  });

  test.each(['', 'k', '1,5', '12,34', '1.2.3', '5x', '1e5', '9'.repeat(400), '2000000b'])(
    '%p is not a quantity',
    (text) => {
      expect(parseQuantity(text)).toBeNull();
    },
  );
});

test.each([
  [0, '0 B'],
  [9.96 * 1024, '10 KB'],
  [1023.7 * 1024, '1.0 MB'],
  [5000 * 1024 ** 4, '5000 TB'],
  [Number.NaN, '0 B'],
])('%d bytes are %s', (bytes, text) => expect(humanSize(bytes)).toBe(text));
