import { describe, expect, test } from 'bun:test';
import { matchSymbols, searchSymbols } from '../../../src/market/rules/symbolSearch.ts';

const STOCKS = new Map(
  Object.entries({
    BHP: 'BHP Group',
    BOQ: 'Bank of Queensland',
    CBA: 'Commonwealth Bank of Australia',
    COM: 'Computershare Metals',
    BAN: 'Bannerman Energy',
    NAB: 'National Australia Bank',
  }).map(([code, name]) => [code, { name }]),
);
const search = (typed: string, limit?: number) => searchSymbols(typed, STOCKS, limit);

describe('codes come first', () => {
  test('by prefix from two characters, as by code alone', () => {
    expect(search('b')).toEqual([]);
    for (const typed of ['ba', 'co', 'cb', 'BO', 'zz']) {
      expect(search(typed)).toEqual(matchSymbols(typed, STOCKS.keys()));
    }
  });
  test('before companies that are called so, each once', () => {
    expect(search('ban')).toEqual(['BAN', 'BOQ', 'CBA', 'NAB']);
    expect(search('com')).toEqual(['COM', 'CBA']);
    expect(search(' bhp ')).toEqual(['BHP']);
  });
  test('and leave the rest of the limit to names', () => {
    expect(search('ban', 2)).toEqual(['BAN', 'BOQ']);
    expect(search('ban', 1)).toEqual(['BAN']);
  });
});

describe('a name answers', () => {
  test('to beginnings of its words, in any order', () => {
    expect(search('queens')).toEqual(['BOQ']);
    expect(search('bank common')).toEqual(['CBA']);
    expect(search('aust bank')).toEqual(['CBA', 'NAB']);
  });
  test('to nothing within a word', () => {
    expect(search('wealth')).toEqual([]);
  });
});
