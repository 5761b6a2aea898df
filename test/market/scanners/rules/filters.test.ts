import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { PriceRanges } from '#market/rules/breadth.ts';
import {
  checkScanFilters,
  countFilters,
  filtersOfScan,
  filtersText,
  filterValue,
  isSameFilters,
  keptFilters,
  OPEN_FILTERS,
  passesFilters,
  type ScanFilters,
  scanLines,
  type ScannerFilters,
  sliderMax,
  toggleNews,
  USUAL_FILTERS,
} from '#market/scanners/rules/filters.ts';
import { aPreOpenStock, aStock } from '#support/aStock.ts';
import { emptyStock } from '#market/rules/stock.ts';
import { checkScanName, MAX_SCAN_NAME_LENGTH } from '#subjects/conditions/rules/savedScan.ts';
import { ok } from '#lib/result.ts';
import { refusalOf } from '#support/refusals.ts';
import { aNewsDay } from '#support/aNewsDay.ts';

const TODAY = '2026-11-19';
const OPEN: ScannerFilters = { priceGroup: null, newsOnly: false, minValue: 0, text: '' };

test('the exclusive group splits pre-open stocks at a dollar by match price or, without one, by previous close', () => {
  const groupsOf = (change: Parameters<typeof aPreOpenStock>[0]) =>
    (['underOne', 'oneOrOver', 'largeCap'] as const).filter((priceGroup) =>
      passesFilters(aPreOpenStock(change), { ...OPEN, priceGroup }, TODAY),
    );
  expect(groupsOf({ match_price: 0.999, close: 2 })).toEqual(['underOne']);
  expect(groupsOf({ match_price: 1, close: 0.5 })).toEqual(['oneOrOver']);
  expect(groupsOf({ match_price: null, close: 0.5 })).toEqual(['underOne']);
  expect(groupsOf({ match_price: null, close: null })).toEqual([]);
  expect(groupsOf({ match_price: 40, marketCap: 1e9 })).toEqual(['oneOrOver', 'largeCap']);
});

describe('the minimum value', () => {
  test('applies to match value in the pre-open and to traded value otherwise', () => {
    expect(filterValue(aPreOpenStock({ match_value: 7, value: 9 }))).toBe(7);
    expect(filterValue(aStock({ match_value: 7, value: 9 }))).toBe(9);
  });

  test('lets an unknown value pass only at 0', () => {
    const unknown = aStock({ value: null });
    expect(passesFilters(unknown, OPEN, TODAY)).toBe(true);
    expect(passesFilters(unknown, { ...OPEN, minValue: 1 }, TODAY)).toBe(false);
    expect(passesFilters(aStock({ value: 5000 }), { ...OPEN, minValue: 5000 }, TODAY)).toBe(true);
  });
});

describe('Price sensitive only', () => {
  const item = { headline: 'Trading Update', url: null, announcementTypes: [], time: '2026-11-18T23:10:00Z' };
  const withNews = (date: string, isPriceSensitive: boolean) =>
    aStock({ news: { [date]: aNewsDay({ announcements: { one: { ...item, isPriceSensitive } } }) } });

  test('keeps stocks with a price-sensitive announcement today, listed or counted', () => {
    const passes = (stock: ReturnType<typeof aStock>) =>
      passesFilters(stock, { ...OPEN, sensitiveOnly: true }, TODAY);
    expect(passes(withNews(TODAY, true))).toBe(true);
    expect(passes(aStock({ sensitiveAnnouncements: 1 }))).toBe(true);
    expect(passes(withNews(TODAY, false))).toBe(false);
    expect(passes(withNews('2026-11-18', true))).toBe(false);
    expect(passes(aStock())).toBe(false);
  });

  test('replaces News Only, which it implies, and vice versa', () => {
    const news = toggleNews(OPEN, 'newsOnly');
    const sensitive = toggleNews(news, 'sensitiveOnly');
    expect([news.newsOnly, news.sensitiveOnly]).toEqual([true, undefined]);
    expect([sensitive.newsOnly, sensitive.sensitiveOnly]).toEqual([false, true]);
    expect(toggleNews(sensitive, 'newsOnly')).toEqual(news);
    expect(toggleNews(sensitive, 'sensitiveOnly')).toEqual(OPEN);
    expect([OPEN, news, sensitive].map(countFilters)).toEqual([0, 1, 1]);
  });
});

test('All, Shares and Funds tell funds from everything else', () => {
  const types = ['stock', 'cdi', 'other', 'fund'] as const;
  const passing = (securities: ScannerFilters['securities']) =>
    types.filter((securityType) => passesFilters(aStock({ securityType }), { ...OPEN, securities }, TODAY));
  expect(passing(undefined)).toEqual([...types]);
  expect(passing('shares')).toEqual(['stock', 'cdi', 'other']);
  expect(passing('funds')).toEqual(['fund']);
});

describe("the slider's end", () => {
  const cases: [string, (number | null)[], number][] = [
    ['nothing known', [], 50_000],
    ['a little more', [50_001], 100_000],
    ['the average of the known', [100_000, null, 300_000], 250_000],
  ];
  for (const [name, values, expected] of cases) {
    test(name, () => expect(sliderMax(values)).toBe(expected));
  }

  test('is a round number, at least the average and at most 1.5 / 0.5 of it above the minimum', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1e12, noNaN: true }), { minLength: 1 }), (values) => {
        const max = sliderMax(values);
        const average = values.reduce((sum, value) => sum + value, 0) / values.length;
        expect(max).toBeGreaterThanOrEqual(Math.max(50_000, average * (1 - 1e-12)));
        if (max > 50_000) expect(max).toBeLessThanOrEqual(average * 2.0001);
        const digits = Number(max.toExponential(6).split('e')[0]);
        expect([1, 1.5, 2.5, 5]).toContain(digits);
      }),
    );
  });
});

describe('the filters of the market overview', () => {
  const passes = (
    stock: Parameters<typeof aStock>[0],
    change: Partial<ScannerFilters>,
    ranges?: PriceRanges,
  ) => passesFilters(aStock(stock), { ...OPEN, ...change }, '2026-11-20', ranges);

  test('keep one sector or one side of the market', () => {
    expect(passes({ sector: 'Banks' }, { sector: 'Banks' })).toBe(true);
    expect(passes({ sector: null }, { sector: 'Banks' })).toBe(false);
    expect(passes({ last: 2, close: 1 }, { side: 'advancers' })).toBe(true);
    expect(passes({ last: 2, close: 1 }, { side: 'decliners' })).toBe(false);
    expect(passes({ relativeVolume: 3 }, { side: 'unusualVolume' })).toBe(true);
    expect(passes({ relativeVolume: null }, { side: 'unusualVolume' })).toBe(false);
  });

  test('find new highs and lows by the source’s range or, without one, by the stored bars', () => {
    const kept = new Map([['ABC', { high: 1, low: 0.5 }]]);
    expect(passes({ high: 1.1 }, { side: 'newHighs' })).toBe(false);
    expect(passes({ high: 1.1 }, { side: 'newHighs' }, kept)).toBe(true);
    expect(passes({ high: 1.1, yearRange: { high: 2, low: 1 } }, { side: 'newHighs' }, kept)).toBe(false);
    expect(passes({ low: 0.4 }, { side: 'newLows' }, kept)).toBe(true);
  });
});

const MINING = { id: 4, name: 'Mining' };
const EVERY: ScanFilters = {
  minValue: 50_000,
  priceGroup: 'oneOrOver',
  gaps: 'down',
  sensitiveOnly: true,
  securities: 'shares',
  text: 'gold',
  lists: [MINING],
};
const checked = (sent: unknown, scanner: 'preMarket' | 'intraDaySmall' = 'preMarket') =>
  checkScanFilters(scanner, sent, [MINING]);

describe('the filters of an alert on a scanner', () => {
  test('match those of the filter bar, with the same result', () => {
    const onScreen = { ...OPEN_FILTERS, minValue: 9000, text: ' gold ', newsOnly: true, lists: [4] };
    const kept = keptFilters(onScreen, [MINING]);
    expect(kept).toEqual({ minValue: 9000, newsOnly: true, text: 'gold', lists: [MINING] });
    const ofTrades = { minValue: 20_000, sensitiveOnly: true, securities: 'shares' } as const;
    expect(keptFilters({ ...OPEN_FILTERS, ...ofTrades }, [])).toEqual(ofTrades);
    const stock = { ...emptyStock('AAX'), name: 'Gold Mines', value: 10_000, sensitiveAnnouncements: 1 };
    expect(passesFilters(stock, filtersOfScan(kept), '2026-11-27')).toBe(true);
    for (const other of [{ name: 'Iron' }, { value: 8000 }, { sensitiveAnnouncements: 0 }]) {
      expect(passesFilters({ ...stock, ...other }, filtersOfScan(kept), '2026-11-27')).toBe(false);
    }
  });

  test('are described in words, each of them', () => {
    expect(scanLines('preMarket', EVERY)).toEqual([
      'In the pre-open, with a gap down',
      'Price of $1 or over',
      'Shares only, no funds',
      'With price-sensitive news today',
      'Code starts with, or name contains, “gold”',
      'On my list “Mining”',
      'At least $50,000 match value',
    ]);
    expect(filtersText('intraDaySmall', USUAL_FILTERS)).toBeNull();
    expect(filtersText('intraDaySmall', { minValue: 0, newsOnly: true })).toBe('with news today, any value');
  });

  test('are validated: reading is idempotent, and default filters are null', () => {
    expect(checked(EVERY)).toEqual({ ok: true, value: EVERY });
    expect(checked({ ...EVERY, lists: [4] })).toEqual({ ok: true, value: EVERY });
    expect(checked(USUAL_FILTERS)).toEqual({ ok: true, value: null });
    expect(checked(undefined)).toEqual({ ok: true, value: null });
    expect(isSameFilters(EVERY, { ...EVERY, lists: [{ id: 4, name: 'Ore' }] })).toBe(true);
    for (const wrong of [
      { minValue: -1 },
      { minValue: Number.NaN },
      { priceGroup: 'cheap' },
      { gaps: 'up' },
      { securities: 'bonds' },
      { text: 'x'.repeat(81) },
      { newsOnly: 'yes' },
      { lists: [5] },
      { lists: [] },
      'all',
    ]) {
      expect(checked(wrong).ok).toBe(false);
    }
    expect(checked({ priceGroup: 'underOne' }, 'intraDaySmall').ok).toBe(false);
    expect(checked({ gaps: 'down' }, 'intraDaySmall').ok).toBe(false);
  });
});

test('a scan needs a name, which is trimmed and limited in length', () => {
  expect(checkScanName(' Gappers ')).toEqual(ok('Gappers'));
  expect(refusalOf(checkScanName('  '))).toEqual(['name', 'Enter a name for the scan.']);
  expect(checkScanName('x'.repeat(MAX_SCAN_NAME_LENGTH)).ok).toBe(true);
  const tooLong = 'The name may have at most 60 characters.';
  expect(refusalOf(checkScanName('x'.repeat(MAX_SCAN_NAME_LENGTH + 1)))).toEqual(['name', tooLong]);
});
