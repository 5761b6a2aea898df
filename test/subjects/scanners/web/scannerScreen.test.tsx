import { describe, expect, test } from 'bun:test';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ScannerKey } from '#market/scanners/rules/scanners.ts';
import { htfEntry, indicatorEntry } from '#market/scanners/rules/columnList.ts';
import { builtInCatalog } from '#market/indicators/rules/metainfo.ts';
import type { Stock } from '#market/rules/stock.ts';
import { BASE_COLUMNS, type Column, FIELD_COLUMNS } from '#market/scanners/rules/columns.ts';
import { aPreOpenStock, aStock } from '#support/aStock.ts';
import { layOutEachTest } from '#support/layout.ts';
import {
  SHOW_ALL,
  THREE_STOCKS,
  codes,
  grid,
  header,
  remember,
  row,
  screenOf,
  sortBy,
} from '#support/scannerScreen.tsx';
import { tintOf } from '#support/tints.ts';
import { preOpening } from '#support/preOpening.ts';

layOutEachTest();

describe('the content of each scanner', () => {
  const stocks = [
    aStock({ code: 'SML' }),
    aStock({ code: 'MID', open: 5, close: 5, last: 6 }),
    aStock({ code: 'BIG', open: 50, close: 50, last: 51, marketCap: 9e9 }),
    aStock({ code: 'DWN', change: -0.02, vwap: 0.6 }),
    aPreOpenStock({ code: 'PRE' }),
    aStock({ code: 'POOR', value: 4999 }),
  ];
  const expected: [ScannerKey, string, string[]][] = [
    ['intraDaySmall', 'Top Movers under $1', ['SML']],
    ['intraDayMidLarge', 'Top Movers above $1', ['MID']],
    ['intraDayLargeCap', 'Top Movers Large Cap', ['BIG']],
    ['preMarket', 'Live Pre-Open', ['PRE']],
    // By price, descending; a stock without one is last.
    ['custom', 'Custom Scanner', ['BIG', 'MID', 'DWN', 'SML', 'PRE']],
  ];
  for (const [scanner, title, shown] of expected) {
    test(title, () => {
      render(screenOf(scanner, stocks));
      expect(screen.getByRole('heading', { name: title })).toBeDefined();
      expect(codes(title)).toEqual(shown);
      expect(screen.getByText(shown.length === 1 ? '1 stock' : `${shown.length} stocks`)).toBeDefined();
      expect(screen.queryByRole('grid', { name: 'Pre-Open Snapshot' })).toBeNull();
    });
  }

  test('the snapshot table is next to the live one, only when it has rows', () => {
    render(screenOf('preMarket', [aStock({ code: 'OPN', preOpen: preOpening() })]));
    expect(codes('Pre-Open Snapshot')).toEqual(['OPN']);
    expect(screen.getByText('Last auction, 09:59')).toBeDefined();
    expect(codes('Live Pre-Open')).toEqual([]);
  });

  test('numbers have their decimals, sign and direction', () => {
    render(screenOf('intraDaySmall', [aStock({ code: 'AAA', relativeVolume: null })]));
    const texts = [...row('AAA').children].map((cell) => cell.textContent);
    expect(texts.slice(2)).toEqual([
      '+10.0%',
      '0.550',
      '+10',
      '0.520',
      '0.500',
      '0.500',
      '0.560',
      '0.490',
      '520,000',
      '–',
    ]);
    const classes = [...row('AAA').children].map((cell) => cell.className);
    expect(classes[2]).toContain('is-up');
    expect(classes[5]).toContain('is-up');
    expect(classes.at(-1)).toContain('is-missing');
  });
});

describe('sorting', () => {
  test('is first descending for numbers and ascending for text, with missing values last', async () => {
    remember('intraDaySmall', SHOW_ALL);
    render(screenOf('intraDaySmall', THREE_STOCKS));
    await sortBy('$ Traded');
    expect(header('$ Traded').getAttribute('aria-sort')).toBe('descending');
    expect(codes('Top Movers under $1')).toEqual(['AAA', 'BBB', 'CCC']);
    await sortBy('$ Traded');
    expect(codes('Top Movers under $1')).toEqual(['BBB', 'AAA', 'CCC']);
    await sortBy('Name');
    expect(header('Name').getAttribute('aria-sort')).toBe('ascending');
    expect(codes('Top Movers under $1')).toEqual(['AAA', 'BBB', 'CCC']);
    await sortBy('Name');
    expect(codes('Top Movers under $1')).toEqual(['CCC', 'BBB', 'AAA']);
  });

  test('is remembered per scanner', async () => {
    const first = render(screenOf('intraDaySmall', THREE_STOCKS));
    await sortBy('Change');
    await sortBy('Change');
    first.unmount();
    const second = render(screenOf('intraDaySmall', THREE_STOCKS));
    expect(header('Change').getAttribute('aria-sort')).toBe('ascending');
    second.rerender(screenOf('intraDayMidLarge', THREE_STOCKS));
    expect(header('Pips').getAttribute('aria-sort')).toBe('descending');
  });

  test('falls back if the remembered value is invalid or no longer shown', () => {
    localStorage.setItem('bellbird.scanner.custom', JSON.stringify({ sort: { id: 'vwap', desc: false } }));
    localStorage.setItem('bellbird.scanner.intraDaySmall', '{"sort":7,"filters":"x"');
    const view = render(screenOf('custom', THREE_STOCKS));
    expect(header('Price').getAttribute('aria-sort')).toBe('descending');
    view.rerender(screenOf('intraDaySmall', THREE_STOCKS));
    expect(header('Pips').getAttribute('aria-sort')).toBe('descending');
  });
});

describe('filters', () => {
  test('have an exclusive price group that a second click clears', async () => {
    const stocks = [
      aPreOpenStock({ code: 'LOW' }),
      aPreOpenStock({ code: 'HIGH', match_price: 2 }),
      aPreOpenStock({ code: 'HUGE', match_price: 0.9, marketCap: 2e9 }),
    ];
    render(screenOf('preMarket', stocks));
    const button = (name: string) => screen.getByRole('button', { name });
    expect(button('Under $1').getAttribute('aria-pressed')).toBe('true');
    expect(codes('Live Pre-Open')).toEqual(['HUGE', 'LOW']);
    await userEvent.click(button('$1 or over'));
    expect(button('Under $1').getAttribute('aria-pressed')).toBe('false');
    expect(codes('Live Pre-Open')).toEqual(['HIGH']);
    await userEvent.click(button('Large cap'));
    expect(codes('Live Pre-Open')).toEqual(['HUGE']);
    await userEvent.click(button('Large cap'));
    expect(codes('Live Pre-Open')).toEqual(['HIGH', 'HUGE', 'LOW']);
  });

  test('remember News Only but not the text, and have no price group for intraday scanners', async () => {
    const first = render(
      screenOf('intraDaySmall', [...THREE_STOCKS, aStock({ code: 'NWS', sensitiveAnnouncements: 1 })]),
    );
    expect(screen.queryByRole('button', { name: 'Under $1' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'News Only' }));
    expect(codes('Top Movers under $1')).toEqual(['NWS']);
    await userEvent.keyboard('/zzz');
    first.unmount();
    render(screenOf('intraDaySmall', THREE_STOCKS));
    expect(screen.getByRole('button', { name: 'News Only' }).getAttribute('aria-pressed')).toBe('true');
    expect(screen.getByRole('textbox', { name: 'Filter by code or name' })).toHaveProperty('value', '');
  });
});

describe('the four states', () => {
  test('loading draws skeleton rows', () => {
    render(screenOf('intraDaySmall', [], { meta: null, connection: 'connecting' }));
    expect(grid('Top Movers under $1').getAttribute('aria-busy')).toBe('true');
    expect(document.querySelectorAll('.table-row.is-skeleton').length).toBeGreaterThan(10);
    expect(screen.queryByText('No results yet')).toBeNull();
  });

  test('empty shows the date and what the filters hide', () => {
    render(screenOf('intraDaySmall', [aStock({ value: 10 })]));
    expect(screen.getByText('No results yet')).toBeDefined();
    expect(screen.getByText('Friday 20 November 2026')).toBeDefined();
    expect(screen.getByText('The filters hide 1 stock.')).toBeDefined();
  });

  test('failed shows what to do', async () => {
    let retries = 0;
    render(
      screenOf('intraDaySmall', [], {
        meta: null,
        connection: 'disconnected',
        onRetry: () => void (retries += 1),
      }),
    );
    expect(screen.getByRole('alert').textContent).toContain('The market data stream can’t be reached.');
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(retries).toBe(1);
  });
});

describe('saved columns', () => {
  const values = (rsi: number) => ({
    indicators: { D: { rsi_14: { now: rsi } } },
    htf: { '3M': { high: 2.345 } },
  });
  const layout = [
    { id: 'name', type: 'base' },
    indicatorEntry(builtInCatalog(), { family: 'rsi', params: { length: '14' }, tf: 'D', delay: 0 }),
    htfEntry({ period: '3M', field: 'high' }),
  ];

  const show = (scanner: ScannerKey, stocks: readonly Stock[], saved: unknown = layout) =>
    screenOf(scanner, stocks, { layout: saved });
  const cells = (code: string) => [...row(code).children].slice(2, 4).map((cell) => cell.textContent);
  const tint = (code: string) => tintOf(row(code).children[2] as Element);
  const headings = () =>
    [...document.querySelectorAll('.table-sort-label')].map((label) => label.textContent);

  test.each([
    ['preMarket', (code: string, rsi: number) => aPreOpenStock({ code, ...values(rsi) })],
    ['intraDaySmall', (code: string, rsi: number) => aStock({ code, ...values(rsi) })],
    ['custom', (code: string, rsi: number) => aStock({ code, ...values(rsi) })],
  ] as const)(
    '%s shows indicator and candle columns, sorts by them and flashes what moved',
    async (scanner, member) => {
      const view = render(show(scanner, [member('AAA', 30), member('BBB', 70.126)]));
      expect(headings().slice(0, 3)).toEqual(['Name', 'RSI(14) 1D', '3M high']);
      expect(cells('BBB')).toEqual(['70.13', '2.35']);
      const header = screen.getByRole('columnheader', { name: 'RSI(14) 1D' });
      await userEvent.click(within(header).getByRole('button'));
      expect(header.getAttribute('aria-sort')).toBe('descending');
      expect(row('BBB').getAttribute('aria-rowindex')).toBe('2');
      view.rerender(show(scanner, [member('AAA', 31), member('BBB', 70.126)]));
      expect(cells('AAA')[0]).toBe('31.00');
      expect(tint('AAA')).toBe('up');
      expect(tint('BBB')).toBeNull();
    },
  );
});

describe('the columns that flash', () => {
  /** The headings of the cells that flash when the stock in row AAA changes. */
  function flashing(before: Stock, after: Stock, moreColumns: readonly Column[] = []) {
    remember('intraDaySmall', SHOW_ALL);
    const show = (stock: Stock) => screenOf('intraDaySmall', [stock], { moreColumns });
    const view = render(show(before));
    view.rerender(show(after));
    const headings = [...document.querySelectorAll('[role=columnheader]')].map(
      (heading) => (heading.querySelector('.table-sort-label') ?? heading).textContent,
    );
    return [...row('AAA').children].flatMap((cell, index) => (tintOf(cell) ? [headings[index]] : []));
  }

  test('are prices, percentages and pips, not running totals, time ratios and market cap', () => {
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
    expect(flashing(before, after, all)).toEqual(['Change', 'Last', 'Pips', 'VWAP', 'High', 'Low']);
  });

  test('exclude a change beyond the displayed decimals', () => {
    const before = aStock({ code: 'AAA', vwap: 0.5201 });
    expect(flashing(before, { ...before, vwap: 0.5203 })).toEqual([]);
  });
});
