import { expect, test } from 'bun:test';
import { checkLiveSymbol, normaliseSymbol } from '../../../src/market/rules/liveSymbols.ts';
import { ok } from '../../../src/lib/result.ts';
import { refusalOf } from '../../support/refusals.ts';

const listed = new Set(['BHP']);

test('a symbol is compared and given back trimmed and in upper case', () => {
  expect(normaliseSymbol(' bhp ')).toBe('BHP');
  expect(checkLiveSymbol(' bhp ', listed)).toEqual(ok('BHP'));
});

test('an empty list is told before a symbol that it lacks, and both name the symbol', () => {
  const unavailable = 'Live symbol list unavailable. Try again shortly.';
  expect(refusalOf(checkLiveSymbol('ZZZ', new Set()))).toEqual(['symbol', unavailable]);
  expect(refusalOf(checkLiveSymbol('ZZZ', listed))).toEqual(['symbol', 'Select a symbol from the live list']);
});
