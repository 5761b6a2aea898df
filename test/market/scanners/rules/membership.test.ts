import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { defaultFilters, OPEN_FILTERS, type ScannerFilters } from '#market/scanners/rules/filters.ts';
import {
  belongsTo,
  type RowOptions,
  rowsFor,
  snapshotRow,
  snapshotRowsFor,
} from '#market/scanners/rules/membership.ts';
import type { Stock, StockStatus } from '#market/rules/stock.ts';
import { SCANNER_KEYS, type ScannerKey } from '#market/scanners/rules/scanners.ts';
import { aPreOpenStock, aStock } from '#support/aStock.ts';
import { scannerTables, type ScannerTablesInput } from '#subjects/scanners/rules/scannerTables.ts';
import { preOpening } from '#support/preOpening.ts';

const TODAY = '2026-11-19';
const OPEN: ScannerFilters = { priceGroup: null, newsOnly: false, minValue: 0, text: '' };
const options = (change: Partial<RowOptions> = {}): RowOptions => ({
  filters: OPEN,
  ignoreStatus: false,
  today: TODAY,
  ...change,
});

describe('membership', () => {
  const [small, mid, large] = ['intraDaySmall', 'intraDayMidLarge', 'intraDayLargeCap'] as const;
  test.each<[string, Partial<Stock>, ScannerKey[]]>([
    ['opened under $1 and up', {}, [small]],
    ['opened at exactly $1', { open: 1 }, [mid]],
    ['opened just under $1', { open: 0.995 }, [small]],
    ['not opened yet', { open: null }, []],
    ['unchanged', { change: 0 }, [small]],
    ['down, close below VWAP', { change: -0.01, vwap: 0.52 }, []],
    ['down, close above VWAP', { change: -0.01, vwap: 0.49 }, [small]],
    ['down, no VWAP', { change: -0.01, vwap: null }, []],
    ['change unknown, close above VWAP', { change: null, vwap: 0.4 }, [small]],
    ['large at exactly 1e9', { marketCap: 1e9 }, [large]],
    ['just below 1e9', { marketCap: 1e9 - 1 }, [small]],
    ['large only by category', { marketCap: null, marketCapCategory: 'large' }, [large]],
    ['market cap unknown', { marketCap: null }, [small]],
    ['large and falling', { marketCap: 2e9, change: -1, vwap: 1 }, []],
  ])('%s', (_, change, expected) => {
    const stock = aStock(change);
    expect(SCANNER_KEYS.filter((key) => belongsTo(key, stock, false))).toEqual([...expected, 'custom']);
    expect(belongsTo('preMarket', stock, true)).toBe(false);
  });

  test('only active statuses trade, unless the status is ignored', () => {
    const active: StockStatus[] = ['Open', 'CSPA', 'Post Close', 'Post Trading', 'Adjust'];
    const passive: StockStatus[] = ['Pre Open', 'Halted', 'Suspended'];
    const belongs = (status: StockStatus, ignore: boolean) =>
      belongsTo('intraDaySmall', aStock({ status }), ignore) &&
      belongsTo('intraDayLargeCap', aStock({ status, marketCap: 5e9 }), ignore);
    expect(active.map((status) => belongs(status, false))).toEqual(active.map(() => true));
    expect(passive.map((status) => belongs(status, false))).toEqual(passive.map(() => false));
    expect(passive.map((status) => belongs(status, true))).toEqual(passive.map(() => true));
  });

  test('the pre-market list requires Pre Open and a gap above zero', () => {
    const gaps = [8, 0.01, 0, -2, null];
    expect(
      gaps.map((gap) => belongsTo('preMarket', aPreOpenStock({ indicativeChangePercent: gap }), false)),
    ).toEqual([true, true, false, false, false]);
    expect(belongsTo('preMarket', aPreOpenStock({ status: 'Open' }), true)).toBe(false);
  });

  test('a stock never belongs to two intraday scanners', () => {
    const stock = fc.record({
      open: fc.option(fc.double({ min: 0.001, max: 100, noNaN: true })),
      change: fc.option(fc.double({ min: -5, max: 5, noNaN: true })),
      close: fc.option(fc.double({ min: 0.001, max: 100, noNaN: true })),
      vwap: fc.option(fc.double({ min: 0.001, max: 100, noNaN: true })),
      marketCap: fc.option(fc.double({ min: 0, max: 1e11, noNaN: true })),
    });
    fc.assert(
      fc.property(stock, fc.boolean(), (change, ignoreStatus) => {
        const one = aStock(change);
        const keys = [small, mid, large].filter((key) => belongsTo(key, one, ignoreStatus));
        expect(keys.length).toBeLessThanOrEqual(1);
      }),
    );
  });
});

test('rows are the stocks themselves, so unchanged rows keep identity', () => {
  const stocks = [
    aStock({ code: 'AAA' }),
    aStock({ code: 'BBB', change: -1, vwap: 9 }),
    aStock({ code: 'CCC' }),
  ];
  const rows = rowsFor('intraDaySmall', stocks, options());
  expect(rows.map(({ code }) => code)).toEqual(['AAA', 'CCC']);
  expect(rows[0]).toBe(stocks[0] as Stock);
});

describe('the pre-open snapshot', () => {
  const preOpen = preOpening({ buy_surplus: -300 });
  const opened = aStock({ code: 'SNP', preOpen, match_value: null });

  test('sets the status and flags snapshot rows', () => {
    expect(snapshotRow(opened)).toEqual({
      ...opened,
      status: 'Pre Open',
      indicativeChangePercent: 7,
      match_price: 0.6,
      match_vol: 100_000,
      match_value: 60_000,
      buy_surplus: -300,
      actualStatus: 'Open',
      preopenCached: true,
      snapshotCapturedAt: preOpen.snapshot.capturedAt,
    });
  });

  test('leaves out stocks in pre-open, without snapshot or without a gap, and filters by match value', () => {
    const flat = { ...opened, code: 'FLT', preOpen: preOpening({ indicativeChangePercent: 0 }) };
    const small = { ...opened, code: 'SML', preOpen: preOpening({ match_value: 4000 }) };
    const live = aPreOpenStock({ code: 'LIV', preOpen });
    const rows = snapshotRowsFor(
      [opened, flat, small, live, aStock()],
      options({ filters: defaultFilters(true) }),
    );
    expect(rows.map(({ code }) => code)).toEqual(['SNP']);
  });
});

test('the gaps-down choice shows negative gaps that the default list leaves out, and no unknown gap', () => {
  const stocks = [-4, -0.1, 0, 3, null].map((gap, index) =>
    aPreOpenStock({ code: `G${index}`, indicativeChangePercent: gap }),
  );
  const codes = (gaps: ScannerFilters['gaps']) =>
    rowsFor('preMarket', stocks, options({ filters: { ...OPEN, gaps } })).map(({ code }) => code);
  expect(codes(undefined)).toEqual(['G3']);
  expect(codes('down')).toEqual(['G0', 'G1']);
});

describe('the tables of a scanner', () => {
  const TODAY = '2026-11-20';
  const preOpen = preOpening({ match_value: 50 });
  const market: readonly Stock[] = [
    aStock({ code: 'AAA' }),
    aStock({ code: 'BBB', value: 100 }),
    aStock({ code: 'CCC', open: 2, last: 3 }),
    aStock({ code: 'DDD', marketCap: 5e9 }),
    aPreOpenStock({ code: 'EEE' }),
    aPreOpenStock({ code: 'FFF', match_price: 4, match_value: 40_000 }),
    aStock({ code: 'GGG', value: 90_000, preOpen }),
    aStock({ code: 'HHH', preOpen: preOpening({ indicativeChangePercent: -1 }) }),
  ];
  const stocks = new Map(market.map((stock) => [stock.code, stock]));
  const codes = (rows: readonly { code: string }[]): string[] => rows.map(({ code }) => code);
  const tables = (change: Partial<ScannerTablesInput>) =>
    scannerTables({
      scanner: 'custom',
      stocks,
      filters: OPEN_FILTERS,
      matches: null,
      ignoreStatus: false,
      today: TODAY,
      ...change,
    });

  test('count filtered stocks, in the snapshot table only while it is empty', () => {
    const minValue = (value: number) => ({ ...OPEN_FILTERS, minValue: value });
    expect(tables({ scanner: 'intraDaySmall', filters: minValue(5000) }).hidden).toBe(1);
    expect(tables({ scanner: 'preMarket', filters: minValue(40) })).toMatchObject({ hidden: 0 });
    expect(tables({ scanner: 'preMarket', filters: minValue(5e4) })).toMatchObject({
      snapshotRows: [],
      hidden: 2,
    });
  });

  test('contain the stocks that pass a scan, and count nothing else', () => {
    const found = tables({
      matches: new Set(['BBB', 'CCC']),
      filters: { ...OPEN_FILTERS, minValue: 5000 },
    });
    expect(codes(found.rows)).toEqual(['CCC']);
    expect(found.hidden).toBe(1);
  });
});
