import { describe, expect, test } from 'bun:test';
import { humanSize } from '../../src/lib/humanSize.ts';

describe('bytes in words', () => {
  const cases: [number, string][] = [
    [0, '0 B'],
    [1, '1 B'],
    [9.4, '9 B'],
    [1023, '1023 B'],
    [1024, '1.0 KB'],
    [1536, '1.5 KB'],
    [9.94 * 1024, '9.9 KB'],
    [9.96 * 1024, '10 KB'],
    [10 * 1024, '10 KB'],
    [812.6 * 1024, '813 KB'],
    [1023.7 * 1024, '1.0 MB'],
    [1024 ** 2 - 1, '1.0 MB'],
    [130 * 1024 ** 2, '130 MB'],
    [4.25 * 1024 ** 3, '4.3 GB'],
    [2 * 1024 ** 4, '2.0 TB'],
    [5000 * 1024 ** 4, '5000 TB'],
    [-5, '0 B'],
    [Number.NaN, '0 B'],
    [Number.POSITIVE_INFINITY, '0 B'],
  ];
  for (const [bytes, text] of cases) test(`${bytes} is ${text}`, () => expect(humanSize(bytes)).toBe(text));
});
