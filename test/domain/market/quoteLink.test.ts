import { expect, test } from 'bun:test';
import { isQuoteLink, QUOTE_LINKS, quoteLinkUrl } from '../../../src/domain/market/quoteLink.ts';

test('the choices and their order', () => {
  expect(QUOTE_LINKS.map((option) => option.id)).toEqual([
    'none',
    'commsec',
    'hotcopper',
    'asx',
    'google',
    'tradingview',
  ]);
  expect(QUOTE_LINKS[0]?.label).toBe('— No link —');
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
  test(`the page of a listing at ${id}, whatever the case of the code`, () => {
    expect(quoteLinkUrl(id, 'bHp')).toBe(expected[id] ?? null);
  });
}

test('what is not a site has no page', () => {
  expect(quoteLinkUrl('bloomberg', 'BHP')).toBeNull();
  expect([isQuoteLink('asx'), isQuoteLink('ASX'), isQuoteLink(null), isQuoteLink('toString')]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test('a code can not break out of the address', () =>
  expect(quoteLinkUrl('asx', 'A/../B?x')).toBe('https://www.asx.com.au/markets/company/A%2F..%2FB%3FX'));
