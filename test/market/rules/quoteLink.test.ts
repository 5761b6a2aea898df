import { expect, test } from 'bun:test';
import {
  checkQuoteLink,
  isQuoteLink,
  QUOTE_LINKS,
  quoteLinkUrl,
} from '../../../src/market/rules/quoteLink.ts';
import { ok } from '../../../src/lib/result.ts';
import { refusalOf } from '../../support/refusals.ts';

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

test('a choice is checked by its name on the wire', () => {
  for (const { id } of QUOTE_LINKS) expect(checkQuoteLink(id)).toEqual(ok(id));
  const message =
    'That quote site is not known. Choose one of none, commsec, hotcopper, asx, google, tradingview.';
  for (const sent of ['bloomberg', '', null, 5]) {
    expect(refusalOf(checkQuoteLink(sent))).toEqual(['site', message]);
  }
});
