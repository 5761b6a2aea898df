import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { ok } from '#lib/result.ts';
import { checkLiveSymbol, matchSymbols, searchSymbols } from '#market/rules/liveSymbols.ts';
import { pips, priceAtStep, priceStep, roundToStep, stepIndex } from '#market/rules/priceStep.ts';
import { QUOTE_LINKS, checkQuoteLink, quoteLinkUrl } from '#market/rules/quoteSite.ts';
import { refusalOf } from '#support/refusals.ts';

const listed = new Set(['BHP']);

test('an empty list is reported before a symbol it lacks, and both messages name the symbol', () => {
  const unavailable = 'Live symbol list unavailable. Try again shortly.';
  expect(refusalOf(checkLiveSymbol('ZZZ', new Set()))).toEqual(['symbol', unavailable]);
  expect(refusalOf(checkLiveSymbol('ZZZ', listed))).toEqual(['symbol', 'Select a symbol from the live list']);
});

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
const search = (typed: string) => searchSymbols(typed, STOCKS);

describe('codes in a search', () => {
  test('match by prefix from two characters, as without names', () => {
    expect(search('b')).toEqual([]);
    for (const typed of ['ba', 'co', 'cb', 'BO', 'zz']) {
      expect(search(typed)).toEqual(matchSymbols(typed, STOCKS.keys()));
    }
  });
  test('come before companies with that name, each once', () => {
    expect(search('ban')).toEqual(['BAN', 'BOQ', 'CBA', 'NAB']);
    expect(search('com')).toEqual(['COM', 'CBA']);
    expect(search(' bhp ')).toEqual(['BHP']);
  });
});

test('a name matches the beginnings of its words, in any order', () => {
  expect(search('queens')).toEqual(['BOQ']);
  expect(search('bank common')).toEqual(['CBA']);
  expect(search('aust bank')).toEqual(['CBA', 'NAB']);
});

const expected: Record<string, string | null> = {
  none: null,
  commsec: 'https://www2.commsec.com.au/quotes/summary?stockCode=BHP&exchangeCode=ASX',
  hotcopper: 'https://hotcopper.com.au/asx/bhp/',
  asx: 'https://www.asx.com.au/markets/company/BHP',
  google: 'https://www.google.com/finance/quote/BHP:ASX',
  tradingview: 'https://www.tradingview.com/symbols/ASX-BHP/',
};
for (const { id } of QUOTE_LINKS) {
  test(`the page of a listing at ${id}, in any case of the code`, () => {
    expect(quoteLinkUrl(id, 'bHp')).toBe(expected[id] ?? null);
  });
}

test('a code is escaped in the address', () =>
  expect(quoteLinkUrl('asx', 'A/../B?x')).toBe('https://www.asx.com.au/markets/company/A%2F..%2FB%3FX'));

test('a choice is validated by its API name', () => {
  for (const { id } of QUOTE_LINKS) expect(checkQuoteLink(id)).toEqual(ok(id));
  const message = 'Unknown quote site. Choose one of none, commsec, hotcopper, asx, google, tradingview.';
  for (const sent of ['bloomberg', '', null, 5]) {
    expect(refusalOf(checkQuoteLink(sent))).toEqual(['site', message]);
  }
});

describe('price steps', () => {
  test('ignore binary rounding at a band’s edge', () => {
    expect(priceStep(0.3 - 0.2)).toBe(0.005);
    expect(priceStep(0.1 * 3 + 1.7)).toBe(0.01);
    expect(roundToStep(0.1 + 0.2)).toBe(0.3);
  });

  test('are whole, rising, and unchanged by rounding', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60_000 }), (index) => {
        const price = priceAtStep(index);
        expect(stepIndex(price)).toBe(index);
        expect(roundToStep(price)).toBe(price);
        expect(priceAtStep(index + 1)).toBeGreaterThan(price);
        expect(Math.round((priceAtStep(index + 1) - price) * 1e6) / 1e6).toBe(priceStep(price));
      }),
    );
  });

  test('round a price by at most half a step', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 500, noNaN: true }), (price) => {
        expect(Math.abs(roundToStep(price) - price)).toBeLessThanOrEqual(priceStep(price) / 2 + 1e-6);
      }),
    );
  });
});

describe('pips', () => {
  test('are null for an invalid price', () => {
    for (const bad of [null, undefined, 0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(pips(bad, 1)).toBeNull();
      expect(pips(1, bad)).toBeNull();
    }
  });

  test('count the steps walked one by one, in either direction', () => {
    const step = fc.integer({ min: 1, max: 900 });
    fc.assert(
      fc.property(step, step, (from, to) => {
        let walked = 0;
        let price = priceAtStep(Math.min(from, to));
        while (price < priceAtStep(Math.max(from, to)) - 1e-9) {
          price = Math.round((price + priceStep(price)) * 1000) / 1000;
          walked += 1;
        }
        const forward = pips(priceAtStep(from), priceAtStep(to));
        expect(forward).toBe(to >= from ? walked : -walked);
        expect(Object.is(forward, -0)).toBe(false);
      }),
    );
  });
});
