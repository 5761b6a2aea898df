import { afterEach, beforeEach, expect, test } from 'bun:test';
import { cleanup, render } from '@testing-library/react';
import type { Stock } from '../../../../src/market/rules/stock.ts';
import { BASE_COLUMNS, type Column, FIELD_COLUMNS } from '../../../../src/subjects/scanners/rules/columns.ts';
import { operandColumn } from '../../../../src/subjects/scanners/rules/operandColumn.ts';
import type { ScannerKey } from '../../../../src/subjects/scanners/rules/scanners.ts';
import { aPreOpenStock, aStock } from '../../../support/aStock.ts';
import { giveLayout } from '../../../support/layout.ts';
import { remember, row, screenOf, SHOW_ALL } from '../../../support/scannerScreen.tsx';
import { tintOf } from '../../../support/tints.ts';

let takeLayout: () => void;
beforeEach(() => {
  takeLayout = giveLayout();
});
afterEach(() => {
  cleanup();
  takeLayout();
});

/** The headings of the cells of the row AAA that flash when its stock becomes another. */
function flashing(scanner: ScannerKey, before: Stock, after: Stock, moreColumns: readonly Column[] = []) {
  remember(scanner, SHOW_ALL);
  const show = (stock: Stock) => screenOf(scanner, [stock], { moreColumns });
  const view = render(show(before));
  view.rerender(show(after));
  const headings = [...document.querySelectorAll('[role=columnheader]')].map(
    (heading) => (heading.querySelector('.table-sort-label') ?? heading).textContent,
  );
  return [...row('AAA').children].flatMap((cell, index) => (tintOf(cell) ? [headings[index]] : []));
}

test('prices, percents and pips flash; totals that only rise, ratios of the clock and market cap do not', () => {
  const before = aStock({ code: 'AAA', relativeVolume: 2, marketCap: 5e7, volume: 1000, value: 520 });
  const after = aStock({
    ...before,
    last: 0.56,
    change: 0.06,
    change_percent: 12,
    vwap: 0.53,
    high: 0.57,
    low: 0.48,
    relativeVolume: 1.9,
    marketCap: 5.1e7,
    volume: 2000,
    value: 1080,
  });
  const all = ['marketCap', 'volume'].map((id) => {
    const column = [...BASE_COLUMNS.intraDaySmall, ...FIELD_COLUMNS].find((one) => one.id === id);
    if (!column) throw new Error(`There is no column ${id}.`);
    return column;
  });
  expect(flashing('intraDaySmall', before, after, all)).toEqual([
    'Change',
    'Last',
    'Pips',
    'VWAP',
    'High',
    'Low',
  ]);
});

test('what the auction would trade and leave over flashes', () => {
  const before = aPreOpenStock({ code: 'AAA', relativeVolume: 2, marketCap: 5e7 });
  const after = aPreOpenStock({
    ...before,
    indicativeChangePercent: (before.indicativeChangePercent ?? 0) + 1,
    match_price: (before.match_price ?? 0) + 0.01,
    match_vol: (before.match_vol ?? 0) + 1000,
    match_value: (before.match_value ?? 0) + 1000,
    buy_surplus: (before.buy_surplus ?? 0) - 1000,
    relativeVolume: 1.9,
    marketCap: 5.1e7,
  });
  expect(flashing('preMarket', before, after)).toEqual([
    'Gap %',
    'Match',
    'Match Volume',
    'Match Value',
    'Buy Surplus Vol',
  ]);
});

test('fields of a scan flash as everywhere; indicators do, but for those of volume', () => {
  const indicator = (family: string, key: string) =>
    operandColumn(key, family, { type: 'indicator', family, params: {}, tf: 'D', key, valueKey: 'now' });
  const values = (now: number) => ({
    indicators: { D: { rsi_14: { now }, volume: { now }, relative: { now } } },
    high: now,
    volume: now,
  });
  const columns = [
    operandColumn('high', 'High', { type: 'field', key: 'high' }),
    operandColumn('volume', 'Volume', { type: 'field', key: 'volume' }),
    indicator('rsi', 'rsi_14'),
    indicator('volume', 'volume'),
    indicator('relative_volume_10d_calc', 'relative'),
  ];
  const before = aStock({ code: 'AAA', ...values(40) });
  expect(flashing('custom', before, aStock({ code: 'AAA', ...values(60) }), columns)).toEqual([
    'High',
    'rsi',
  ]);
});

test('a change beyond the decimals that are shown does not flash', () => {
  const before = aStock({ code: 'AAA', vwap: 0.5201 });
  expect(flashing('intraDaySmall', before, { ...before, vwap: 0.5203 })).toEqual([]);
});
