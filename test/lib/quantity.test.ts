import { describe, expect, test } from 'bun:test';
import { parseQuantity } from '../../src/lib/quantity.ts';

describe('a number to compare with', () => {
  test.each([
    ['100k', 100_000],
    ['100K', 100_000],
    ['1.5m', 1_500_000],
    ['1.1M', 1_100_000],
    ['2b', 2e9],
    ['2 B', 2e9],
    ['250,000', 250_000],
    ['1,250,000.5', 1_250_000.5],
    ['250 000', 250_000],
    ['250\u00a0000', 250_000],
    ['$3m', 3_000_000],
    ['-5 %', -5],
    ['−0.5', -0.5],
    ['+7', 7],
    ['.5', 0.5],
    ['5.', 5],
    ['0', 0],
    ['-0', 0],
    ['0.1234567', 0.123457],
  ])('%s is understood', (text, value) => {
    expect(parseQuantity(text)).toBe(value);
  });

  test.each([
    '',
    ' ',
    'abc',
    'k',
    '.',
    '-',
    '1,5',
    '12,34',
    '1,0000',
    '1.2.3',
    '1kk',
    '5x',
    '1e5',
    '0x10',
    'Infinity',
    'NaN',
    '9'.repeat(30),
    '9'.repeat(400),
    '2000000b',
  ])('%p is none', (text) => {
    expect(parseQuantity(text)).toBeNull();
  });
});
