import { describe, expect, test } from 'bun:test';
import type { Stock } from '../../../../src/market/rules/stock.ts';
import { OPEN_FILTERS } from '../../../../src/subjects/scanners/rules/filters.ts';
import {
  scannerTables,
  type ScannerTablesInput,
} from '../../../../src/subjects/scanners/rules/scannerTables.ts';
import { aPreOpenStock, aStock } from '../../../support/aStock.ts';

const TODAY = '2026-11-20';
const snapshot = {
  capturedAt: '2026-11-19T22:59:00.000Z',
  indicativeChangePercent: 4,
  match_price: 0.5,
  match_vol: 100,
  match_value: 50,
  buy_surplus: 0,
};
const market: readonly Stock[] = [
  aStock({ code: 'AAA' }),
  aStock({ code: 'BBB', value: 100 }),
  aStock({ code: 'CCC', open: 2, last: 3 }),
  aStock({ code: 'DDD', marketCap: 5e9 }),
  aPreOpenStock({ code: 'EEE' }),
  aPreOpenStock({ code: 'FFF', match_price: 4, match_value: 40_000 }),
  aStock({ code: 'GGG', value: 90_000, preOpen: { snapshot } }),
  aStock({ code: 'HHH', preOpen: { snapshot: { ...snapshot, indicativeChangePercent: -1 } } }),
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

describe('the tables of a scanner', () => {
  test('count what the filters hide; stocks of the snapshot table only while it is empty', () => {
    const minValue = (value: number) => ({ ...OPEN_FILTERS, minValue: value });
    expect(tables({ scanner: 'intraDaySmall', filters: minValue(5000) }).hidden).toBe(1);
    expect(tables({ scanner: 'preMarket', filters: minValue(40) })).toMatchObject({ hidden: 0 });
    expect(tables({ scanner: 'preMarket', filters: minValue(5e4) })).toMatchObject({
      snapshotRows: [],
      hidden: 2,
    });
  });

  test('hold what a scan lets through, and nothing else counts', () => {
    const found = tables({ matches: new Set(['BBB', 'CCC']), filters: { ...OPEN_FILTERS, minValue: 5000 } });
    expect(codes(found.rows)).toEqual(['CCC']);
    expect(found.hidden).toBe(1);
  });
});
