import { describe, expect, test } from 'bun:test';
import { csvOf, harmless, tsvOf } from '../../src/texts/delimited.ts';

const table = {
  headings: ['Code', '+DI (14)', 'Last'],
  rows: [
    ['BHP', 'say "no", please', -1.5],
    ['=1+1', 'two\nlines', 0.1 + 0.2],
    ['CBA', null, Number.NaN],
  ],
};

describe('a table as CSV', () => {
  test('quotes what needs it, keeps numbers and ends each line as RFC 4180 says', () => {
    expect(csvOf(table)).toBe(
      '\uFEFFCode,\'+DI (14),Last\r\nBHP,"say ""no"", please",-1.5\r\n\'=1+1,"two\nlines",0.3\r\nCBA,,\r\n',
    );
  });

  test.each([
    '=A1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\tx',
    '\rx',
    '＝A1',
    ' =A1',
    '\n=A1',
    '\0=A1',
    '\v+1',
    '\f@A1',
    '\u00a0=A1',
    '\u200b=A1',
    ' \t\n -1',
  ])('makes %j harmless', (text) => {
    expect(harmless(text)).toBe(`'${text}`);
  });

  test('leaves other texts as they are', () => {
    expect(['', 'BHP', "'", '−1', 'a=b', ' a', '\na = b'].map(harmless)).toEqual([
      '',
      'BHP',
      "'",
      '−1',
      'a=b',
      ' a',
      '\na = b',
    ]);
  });
});

test('a table for the clipboard has one line a row, whatever stands in a cell', () => {
  expect(tsvOf(table)).toBe(
    'Code\t\'+DI (14)\tLast\nBHP\t"say ""no"", please"\t-1.5\n\'=1+1\ttwo lines\t0.3\nCBA\t\t',
  );
});
