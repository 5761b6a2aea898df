import { afterEach, beforeEach, expect, test } from 'bun:test';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { htfEntry, indicatorEntry } from '../../../../src/subjects/scanners/rules/columnEntry.ts';
import { builtInCatalog } from '../../../../src/market/indicators/rules/builtInCatalog.ts';
import { SCANNER_KEYS, type ScannerKey } from '../../../../src/subjects/scanners/rules/scanners.ts';
import type { Stock } from '../../../../src/market/rules/stock.ts';
import { ScannerScreen } from '../../../../src/subjects/scanners/web/ScannerScreen.tsx';
import { aPreOpenStock, aStock } from '../../../support/aStock.ts';
import { giveLayout } from '../../../support/layout.ts';
import { aMeta } from '../../../support/market.ts';
import { marketOf } from '../../../support/scannerScreen.tsx';
import { tintOf } from '../../../support/tints.ts';

let takeLayout: () => void;
beforeEach(() => {
  takeLayout = giveLayout();
});
afterEach(() => takeLayout());

const values = (rsi: number) => ({
  indicators: { D: { rsi_14: { now: rsi } } },
  htf: { '3M': { high: 2.345 } },
});
const members: Record<ScannerKey, (code: string, rsi: number) => Stock> = {
  preMarket: (code, rsi) => aPreOpenStock({ code, ...values(rsi) }),
  intraDaySmall: (code, rsi) => aStock({ code, ...values(rsi) }),
  intraDayMidLarge: (code, rsi) => aStock({ code, open: 2, ...values(rsi) }),
  intraDayLargeCap: (code, rsi) => aStock({ code, marketCap: 9e9, ...values(rsi) }),
  custom: (code, rsi) => aStock({ code, ...values(rsi) }),
};
const layout = [
  { id: 'name', type: 'base' },
  indicatorEntry(builtInCatalog(), { family: 'rsi', params: { length: '14' }, tf: 'D', delay: 0 }),
  htfEntry({ period: '3M', field: 'high' }),
];

const screenOf = (scanner: ScannerKey, stocks: readonly Stock[], saved: unknown = layout) => (
  <ScannerScreen
    scanner={scanner}
    stocks={marketOf(stocks)}
    meta={aMeta()}
    connection="live"
    quoteLink="none"
    layout={saved}
    onConfigure={() => {}}
    onPopOut={null}
    onRetry={() => {}}
  />
);
const row = (code: string) => document.querySelector<HTMLElement>(`tr[data-id="${code}"]`);
const cells = (code: string) => [...(row(code)?.children ?? [])].slice(2, 4).map((cell) => cell.textContent);
const tint = (code: string) => tintOf(row(code)?.children[2] as Element);
const headings = () => [...document.querySelectorAll('.table-sort-label')].map((label) => label.textContent);

for (const scanner of SCANNER_KEYS) {
  test(`${scanner} shows indicator and candle columns, sorts by them and flashes what moved`, async () => {
    const member = members[scanner];
    const view = render(screenOf(scanner, [member('AAA', 30), member('BBB', 70.126)]));
    expect(headings().slice(0, 3)).toEqual(['Name', 'RSI(14) 1D', '3M high']);
    expect(cells('BBB')).toEqual(['70.13', '2.35']);
    const header = screen.getByRole('columnheader', { name: 'RSI(14) 1D' });
    await userEvent.click(within(header).getByRole('button'));
    expect(header.getAttribute('aria-sort')).toBe('descending');
    expect(row('BBB')?.getAttribute('aria-rowindex')).toBe('2');
    view.rerender(screenOf(scanner, [member('AAA', 31), member('BBB', 70.126)]));
    expect(cells('AAA')[0]).toBe('31.00');
    expect(tint('AAA')).toBe('up');
    expect(tint('BBB')).toBeNull();
  });
}

test('a saved change shows at once', () => {
  const stocks = [members.custom('AAA', 30)];
  const view = render(screenOf('custom', stocks, null));
  expect(headings()).toEqual(['Name', 'Price', 'Volume', 'Value']);
  view.rerender(screenOf('custom', stocks, [...layout, { id: 'value', type: 'base', enabled: false }]));
  expect(headings()).toEqual(['Name', 'RSI(14) 1D', '3M high', 'Price', 'Volume']);
});

test('a hidden ranking column leaves the table sorted by the first number', () => {
  const stocks = [members.intraDayLargeCap('AAA', 30), members.intraDayLargeCap('BBB', 70)];
  render(
    screenOf('intraDayLargeCap', stocks, [...layout, { id: 'change_percent', type: 'base', enabled: false }]),
  );
  expect(screen.getByRole('columnheader', { name: 'RSI(14) 1D' }).getAttribute('aria-sort')).toBe(
    'descending',
  );
  expect(row('BBB')?.getAttribute('aria-rowindex')).toBe('2');
});

test('a stock without the value shows a dash', () => {
  render(screenOf('custom', [aStock({ code: 'AAA' })]));
  expect(cells('AAA')).toEqual(['–', '–']);
});
