import { expect, test } from 'bun:test';
import { isQuoteSite, QUOTE_SITES, quoteUrl } from '../../../src/domain/market/quoteLink.ts';

test('the choices and their order', () => {
  expect(QUOTE_SITES.map((option) => option.id)).toEqual([
    'none',
    'commsec',
    'hotcopper',
    'asx',
    'google',
    'tradingview',
  ]);
  expect(QUOTE_SITES[0]?.label).toBe('— No link —');
});

const expected: Record<string, string | null> = {
  none: null,
  commsec: 'https://www2.commsec.com.au/quotes/summary?stockCode=BHP&exchangeCode=ASX',
  hotcopper: 'https://hotcopper.com.au/asx/bhp/',
  asx: 'https://www.asx.com.au/markets/company/BHP',
  google: 'https://www.google.com/finance/quote/BHP:ASX',
  tradingview: 'https://www.tradingview.com/symbols/ASX-BHP/',
};
for (const { id } of QUOTE_SITES) {
  test(`the page of a listing at ${id}, whatever the case of the code`, () => {
    expect(quoteUrl(id, 'bHp')).toBe(expected[id] ?? null);
  });
}

test('what is not a site has no page', () => {
  expect(quoteUrl('bloomberg', 'BHP')).toBeNull();
  expect([isQuoteSite('asx'), isQuoteSite('ASX'), isQuoteSite(null), isQuoteSite('toString')]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test('a code can not break out of the address', () =>
  expect(quoteUrl('asx', 'A/../B?x')).toBe('https://www.asx.com.au/markets/company/A%2F..%2FB%3FX'));
