import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Stock } from '#market/rules/stock.ts';
import { OverviewTotals } from '#subjects/marketOverview/rules/totals.ts';
import { createAggregator, type OverviewRequest } from '#subjects/marketOverview/rules/aggregator.ts';
import { BUSIEST, overviewLists, LARGEST } from '#subjects/marketOverview/rules/lists.ts';
import { aNewsDay } from '#support/aNewsDay.ts';
import { aStock } from '#support/aStock.ts';

const CODES = ['AAA', 'BBB', 'CCC', 'DDD', 'EEE'];
const ASK: OverviewRequest = { securities: undefined, byMatchPrice: false, ranges: null, part: 'map' };

/** Any values of a source: figures may be null, and a stock may be halted, a fund or in another sector. */
const anyPrice = fc.option(fc.double({ min: 0.001, max: 500, noNaN: true }));
const anyStock = fc
  .record({
    code: fc.constantFrom(...CODES),
    status: fc.constantFrom('Open', 'Halted', 'Pre Open', 'Adjust'),
    securityType: fc.constantFrom('stock', 'fund'),
    sector: fc.constantFrom('Energy', 'Banks', null),
    last: anyPrice,
    close: anyPrice,
    high: anyPrice,
    low: anyPrice,
    change_percent: fc.option(fc.double({ min: -99, max: 900, noNaN: true })),
    indicativeChangePercent: fc.option(fc.double({ min: -99, max: 900, noNaN: true })),
    match_value: fc.option(fc.double({ min: 0, max: 1e9, noNaN: true })),
    volume: fc.option(fc.integer({ min: 0, max: 1e9 })),
    value: fc.option(fc.double({ min: 0, max: 1e9, noNaN: true })),
    marketCap: fc.option(fc.double({ min: 0, max: 4e11, noNaN: true })),
    relativeVolume: fc.option(fc.double({ min: 0, max: 40, noNaN: true })),
    yearRange: fc.option(fc.record({ high: anyPrice, low: anyPrice }), { nil: undefined }),
  })
  .map((stock) => aStock(stock as Partial<Stock>));

type Step = { puts: Stock[]; gone: string[]; isReset: boolean };
const anySteps = fc.array(
  fc.record<Step>({
    puts: fc.array(anyStock, { maxLength: 4 }),
    gone: fc.array(fc.constantFrom(...CODES), { maxLength: 2 }),
    isReset: fc.boolean(),
  }),
  { maxLength: 12 },
);
const anyAsk = fc.record<OverviewRequest>({
  securities: fc.constantFrom('shares', 'funds', undefined),
  byMatchPrice: fc.boolean(),
  ranges: fc.constantFrom(
    null,
    CODES.map((code) => [code, 5, 1] as const),
  ),
  part: fc.constantFrom('map', 'news', null),
});

function after(stocks: ReadonlyMap<string, Stock>, { puts, gone, isReset }: Step): Map<string, Stock> {
  const next = isReset ? new Map<string, Stock>() : new Map(stocks);
  for (const code of gone) next.delete(code);
  for (const stock of puts) next.set(stock.code, stock);
  return next;
}

describe('incremental updates', () => {
  test('equal a computation from scratch, after any changes, deletions, new sessions and snapshots', () => {
    fc.assert(
      fc.property(anySteps, anyAsk, (steps, ask) => {
        const aggregator = createAggregator(ask);
        let stocks: ReadonlyMap<string, Stock> = new Map();
        aggregator.follow(stocks, null);
        for (const step of steps) {
          stocks = after(stocks, step);
          const changed = step.isReset ? null : [...step.gone, ...step.puts.map(({ code }) => code)];
          const reported = aggregator.follow(stocks, changed);
          const fresh = createAggregator(ask).follow(stocks, null);
          expect({ ...reported, news: null }).toEqual({ ...fresh, news: null });
        }
      }),
      { numRuns: 300 },
    );
  });

  test('count each traded stock on at most one side', () => {
    fc.assert(
      fc.property(fc.array(anyStock, { maxLength: 8 }), fc.boolean(), (list, byMatchPrice) => {
        const book = new OverviewTotals(undefined, null, byMatchPrice);
        book.reset(new Map(list.map((stock) => [stock.code, stock])));
        const { stocks, traded, advancers, decliners, highs, lows } = book.totals();
        expect(advancers + decliners).toBeLessThanOrEqual(traded);
        expect(Math.max(highs, lows, traded)).toBeLessThanOrEqual(stocks);
        for (const sector of book.sectors()) expect(sector.stocks).toBeGreaterThan(0);
      }),
    );
  });
});

describe('the figures', () => {
  const totalsOf = (stocks: Partial<Stock>[], ranges: OverviewRequest['ranges'] = null) =>
    createAggregator({ ...ASK, ranges }).follow(
      new Map(stocks.map((stock, at) => [String(at), aStock({ code: String(at), ...stock })])),
      null,
    ).totals;

  test('count advancers and decliners among the stocks that traded today', () => {
    const totals = totalsOf([
      { last: 1.1, close: 1 },
      { last: 0.9, close: 1 },
      { last: 1, close: 1 },
      { last: 1.1, close: 1, volume: 0 },
      { last: null, close: 1 },
      { last: 1.1, close: null },
      { last: 1.1, close: 1, status: 'Halted' },
    ]);
    expect(totals).toMatchObject({ stocks: 7, traded: 5, advancers: 2, decliners: 1 });
  });

  test('count gaps before the open among the stocks with a match price, also in the sectors', () => {
    const gap = (code: string, percent: number | null, marketCap = 1e9) =>
      aStock({
        code,
        sector: 'Banks',
        status: 'Pre Open',
        last: null,
        change_percent: null,
        match_value: percent === null ? null : 1000,
        indicativeChangePercent: percent,
        marketCap,
      });
    const stocks = [gap('UP', 2, 3e9), gap('UP2', 1), gap('DN', -3), gap('FLT', 0), gap('NON', null, 9e9)];
    const { totals, map } = createAggregator({ ...ASK, byMatchPrice: true }).follow(
      new Map(stocks.map((stock) => [stock.code, stock])),
      null,
    );
    expect(totals).toMatchObject({ stocks: 5, traded: 4, advancers: 2, decliners: 1, value: 4000 });
    expect(map?.sectors[0]).toMatchObject({ advancers: 2, decliners: 1, change: 4 / 6 });
    expect(map?.largest['Banks']?.slice(0, 2)).toMatchObject([
      { code: 'NON', change: null },
      { code: 'UP', change: 2 },
    ]);
  });

  test('count a stock at or beyond the source’s 52-week range, otherwise beyond the stored one', () => {
    const source = { yearRange: { high: 2, low: 1 } };
    const kept = ['0', '1', '2', '3', '4'].map((code) => [code, 2, 1] as const);
    expect(
      totalsOf(
        [
          { ...source, high: 2, low: 1.5 },
          { ...source, high: 1.9, low: 1 },
          { high: 2, low: 1 },
          { high: 2.01, low: 0.99 },
          { high: 3, low: 1.5, last: null },
          { high: 3, low: 0.1 },
        ],
        kept,
      ),
    ).toMatchObject({ highs: 2, lows: 2, ranged: 5 });
  });

  test('weight a sector’s change by market cap of traded stocks, and skip stocks without a sector', () => {
    const aggregator = createAggregator(ASK);
    const stocks = [
      aStock({ code: 'BIG', sector: 'Banks', marketCap: 300e9, change_percent: 1 }),
      aStock({ code: 'SML', sector: 'Banks', marketCap: 100e9, change_percent: -3 }),
      aStock({ code: 'OFF', sector: 'Banks', marketCap: 600e9, last: null, change_percent: null }),
      aStock({ code: 'NON', sector: null }),
    ];
    const { map } = aggregator.follow(new Map(stocks.map((stock) => [stock.code, stock])), null);
    expect(map?.sectors).toHaveLength(1);
    expect(map?.sectors[0]).toMatchObject({ name: 'Banks', change: 0, marketCap: 1000e9, stocks: 3 });
    expect(map?.largest['Banks']?.map(({ code }) => code)).toEqual(['OFF', 'BIG', 'SML']);
  });

  test('list only the largest, equal ones by code', () => {
    const stocks = Array.from({ length: 60 }, (_one, at) =>
      aStock({
        code: `S${String(at).padStart(2, '0')}`,
        sector: 'Energy',
        marketCap: 1e6 * (at % 30) + 1,
        relativeVolume: 2 + (at % 30),
      }),
    );
    const { largest, busiest } = overviewLists(stocks, false);
    expect(largest['Energy']?.map(({ code }) => code).slice(0, 3)).toEqual(['S29', 'S59', 'S28']);
    expect(largest['Energy']).toHaveLength(LARGEST);
    expect(busiest).toHaveLength(BUSIEST);
    expect(busiest.slice(0, 2).map(({ code }) => code)).toEqual(['S29', 'S59']);
    expect(overviewLists([aStock({ relativeVolume: 2.99 })], false).busiest).toEqual([]);
  });
});

test('the announcements are sent in full first, then only for changed stocks', () => {
  const withNews = (code: string, headline: string): Stock =>
    aStock({
      code,
      news: {
        '2026-11-18': aNewsDay({
          announcements: {
            one: {
              headline,
              url: null,
              announcementTypes: [],
              isPriceSensitive: true,
              time: '2026-11-18T00:00:00Z',
            },
          },
        }),
      },
    });
  const aggregator = createAggregator({ ...ASK, part: 'news' });
  const bhp = withNews('BHP', 'Report');
  const first = aggregator.follow(new Map([['BHP', bhp]]), null);
  expect(first.news).toMatchObject({ codes: null, lines: [{ id: 'BHP one', headline: 'Report' }] });
  const moved = { ...bhp, last: 0.6 };
  expect(aggregator.follow(new Map([['BHP', moved]]), ['BHP']).news).toBeNull();
  const changed = aggregator.follow(new Map([['BHP', withNews('BHP', 'Correction')]]), ['BHP']);
  expect(changed.news).toMatchObject({ codes: ['BHP'], lines: [{ headline: 'Correction' }] });
  expect(aggregator.follow(new Map(), ['BHP']).news).toEqual({ codes: ['BHP'], lines: [] });
});
