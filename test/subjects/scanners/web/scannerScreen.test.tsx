import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ScannerKey } from '../../../../src/subjects/scanners/rules/scanners.ts';
import { aPreOpenStock, aStock } from '../../../support/aStock.ts';
import { findings } from '../../../support/axe.ts';
import { giveLayout } from '../../../support/layout.ts';
import {
  codes,
  grid,
  header,
  PATIENT,
  remember,
  row,
  screenOf,
  SHOW_ALL,
  sortBy,
  THREE_STOCKS,
} from '../../../support/scannerScreen.tsx';
import { runningFlash, tintedCells, tintOf } from '../../../support/tints.ts';

let takeLayout: () => void;
beforeEach(() => {
  takeLayout = giveLayout();
});
afterEach(() => takeLayout());

describe('what each scanner shows', () => {
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
    // By price, descending; a stock without one comes last.
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

  test('the snapshot table stands beside the live one, only when it has rows', () => {
    const snapshot = {
      capturedAt: '2026-11-19T22:59:00.000Z',
      indicativeChangePercent: 7,
      match_price: 0.6,
      match_vol: 100_000,
      match_value: 60_000,
      buy_surplus: 0,
    };
    render(screenOf('preMarket', [aStock({ code: 'OPN', preOpen: { snapshot } })]));
    expect(codes('Pre-Open Snapshot')).toEqual(['OPN']);
    expect(screen.getByText('Last indicative auction, 09:59')).toBeDefined();
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
  test('starts with the metric, descending', () => {
    remember('intraDaySmall', SHOW_ALL);
    render(screenOf('intraDaySmall', THREE_STOCKS));
    expect(header('Pips').getAttribute('aria-sort')).toBe('descending');
    expect(codes('Top Movers under $1')).toEqual(['BBB', 'CCC', 'AAA']);
  });

  test('the first click is descending for numbers and ascending for text; missing values stay last', async () => {
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

  test('is remembered, each scanner for itself', async () => {
    const first = render(screenOf('intraDaySmall', THREE_STOCKS));
    await sortBy('Change');
    await sortBy('Change');
    first.unmount();
    const second = render(screenOf('intraDaySmall', THREE_STOCKS));
    expect(header('Change').getAttribute('aria-sort')).toBe('ascending');
    second.rerender(screenOf('intraDayMidLarge', THREE_STOCKS));
    expect(header('Pips').getAttribute('aria-sort')).toBe('descending');
  });

  test('falls back when what was remembered is no longer shown or makes no sense', () => {
    localStorage.setItem('bellbird.scanner.custom', JSON.stringify({ sort: { id: 'vwap', desc: false } }));
    localStorage.setItem('bellbird.scanner.intraDaySmall', '{"sort":7,"filters":"x"');
    const view = render(screenOf('custom', THREE_STOCKS));
    expect(header('Price').getAttribute('aria-sort')).toBe('descending');
    view.rerender(screenOf('intraDaySmall', THREE_STOCKS));
    expect(header('Pips').getAttribute('aria-sort')).toBe('descending');
  });
});

describe('holding still', () => {
  const moved = [
    aStock({ code: 'AAA', last: 0.9, change: 0.4, change_percent: 80 }),
    ...THREE_STOCKS.slice(1, 2),
    aStock({ code: 'NEW', last: 0.99 }),
  ];

  test('values move and rows do not while a row is open', async () => {
    const view = render(screenOf('intraDaySmall', THREE_STOCKS.slice(0, 2)));
    await userEvent.click(within(row('AAA')).getByRole('button', { name: 'News for AAA' }));
    view.rerender(screenOf('intraDaySmall', moved));
    expect(codes('Top Movers under $1')).toEqual(['BBB', 'AAA']);
    expect(row('AAA').textContent).toContain('+80.0%');
    expect(document.querySelector('.table-frame')?.hasAttribute('data-held')).toBe(true);
    expect(screen.getByRole('article', { name: 'News for AAA' })).toBeDefined();
  });

  test('a stock that leaves the scanner stays in its place, marked, while the rows are used', async () => {
    const view = render(screenOf('intraDaySmall', THREE_STOCKS.slice(0, 2)));
    await userEvent.hover(row('AAA'));
    view.rerender(screenOf('intraDaySmall', [aStock({ code: 'AAA', status: 'Halted' }), ...moved.slice(1)]));
    expect(codes('Top Movers under $1')).toEqual(['BBB', 'AAA']);
    expect(row('AAA').hasAttribute('data-left')).toBe(true);
    await userEvent.unhover(document.querySelector('tbody') as Element);
    expect(row('AAA').hasAttribute('data-left')).toBe(true);
    await waitFor(() => expect(codes('Top Movers under $1')).toEqual(['NEW', 'BBB']), PATIENT);
  });

  test('a key in the rows freezes the order for a while', async () => {
    const view = render(screenOf('intraDaySmall', THREE_STOCKS.slice(0, 2)));
    await userEvent.keyboard('j');
    expect(document.activeElement).toBe(row('BBB'));
    view.rerender(screenOf('intraDaySmall', moved));
    await act(() => Bun.sleep(1000));
    expect(codes('Top Movers under $1')).toEqual(['BBB', 'AAA']);
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(codes('Top Movers under $1')).toEqual(['NEW', 'AAA', 'BBB']), PATIENT);
  });

  test('a changed number flashes in its direction and fades, a new row does not', async () => {
    const show = (last: number, low: number) =>
      screenOf('intraDaySmall', [aStock({ ...THREE_STOCKS[0], last, low }), ...THREE_STOCKS.slice(1, 2)]);
    const flashes = () => [...row('AAA').children].map(tintOf);
    const view = render(show(0.51, 0.5));
    expect(tintedCells().length).toBe(0);
    view.rerender(show(0.52, 0.49));
    expect([flashes()[3], flashes()[9]]).toEqual(['up', 'down']);
    expect([...row('BBB').children].map(tintOf).filter(Boolean)).toEqual([]);
    await act(async () => {});
    view.rerender(show(0.51, 0.49));
    await act(async () => {});
    // The cell of the tick before has lost its tint to this one's.
    expect([flashes()[3], flashes()[9]]).toEqual(['down', null]);

    const effect = runningFlash(row('AAA'))?.effect as KeyframeEffect;
    expect(effect.getKeyframes().map(({ opacity }) => Number(opacity))).toEqual([1, 0]);
    const { duration, easing } = effect.getTiming();
    expect({ duration, easing }).toEqual({ duration: 600, easing: 'steps(4, end)' });
    await waitFor(() => expect(tintedCells().length).toBe(0), PATIENT);
  });
});

describe('filters', () => {
  test('the price group is exclusive and a second click clears it', async () => {
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

  test('News Only is remembered, the text is not; intraday scanners have no price group', async () => {
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

  test('the slider starts at 5,000 of 50,000 in steps of a hundredth', () => {
    render(screenOf('intraDaySmall', [aStock({ value: 8000 })]));
    const slider = screen.getByRole('slider');
    expect([slider.getAttribute('max'), slider.getAttribute('step'), slider.getAttribute('value')]).toEqual([
      '50000',
      '500',
      '5000',
    ]);
    expect(slider.getAttribute('aria-valuetext')).toBe('$5,000');
  });
});

describe('the four states', () => {
  test('loading draws skeleton rows', () => {
    render(screenOf('intraDaySmall', [], { meta: null, connection: 'connecting' }));
    expect(grid('Top Movers under $1').getAttribute('aria-busy')).toBe('true');
    expect(document.querySelectorAll('.table-row.is-skeleton').length).toBeGreaterThan(10);
    expect(screen.queryByText('No results yet')).toBeNull();
  });

  test('skeleton rows cost the same few elements however many columns there are', () => {
    render(screenOf('intraDaySmall', [], { meta: null, connection: 'connecting' }));
    const rows = document.querySelectorAll('.table-row.is-skeleton');
    const elements = document.querySelectorAll('.table-row.is-skeleton *');
    expect(elements.length).toBeLessThanOrEqual(2 * rows.length);
  });

  test('empty says so, with the date and what the filters hide', () => {
    render(screenOf('intraDaySmall', [aStock({ value: 10 })]));
    expect(screen.getByText('No results yet')).toBeDefined();
    expect(screen.getByText('Friday 20 November 2026')).toBeDefined();
    expect(screen.getByText('The filters hide 1 stock.')).toBeDefined();
  });

  test('the live table does not count what the filters hide in the snapshot beside it', () => {
    const captured = (code: string, match_price: number) =>
      aStock({
        code,
        preOpen: {
          snapshot: {
            capturedAt: '2026-11-19T22:59:00.000Z',
            indicativeChangePercent: 7,
            match_price,
            match_vol: 100_000,
            match_value: match_price * 100_000,
            buy_surplus: 0,
          },
        },
      });
    const view = render(screenOf('preMarket', [captured('SML', 0.6), captured('BIG', 6)]));
    expect(codes('Pre-Open Snapshot')).toEqual(['SML']);
    expect(screen.getByText('No results yet')).toBeDefined();
    expect(screen.queryByText(/The filters hide/)).toBeNull();
    view.unmount();
    render(screenOf('preMarket', [captured('BIG', 6)]));
    expect(screen.getByText('The filters hide 1 stock.')).toBeDefined();
  });

  test('failed says what to do', async () => {
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

  test('failed and loading are told apart: a first attempt is loading, a broken one has failed', () => {
    const waiting = (connection: 'connecting' | 'reconnecting') =>
      screenOf('intraDaySmall', [], { meta: null, connection });
    const view = render(waiting('connecting'));
    expect(grid('Top Movers under $1').getAttribute('aria-busy')).toBe('true');
    expect(screen.queryByRole('alert')).toBeNull();
    view.rerender(waiting('reconnecting'));
    expect(screen.getByRole('alert').textContent).toContain('can’t be reached');
    expect(screen.queryByRole('grid')).toBeNull();
  });

  test('axe finds nothing serious with rows, an open row and without rows', async () => {
    const view = render(<main>{screenOf('intraDaySmall', THREE_STOCKS)}</main>);
    await userEvent.click(screen.getAllByRole('button', { name: /^News for/ })[0] as Element);
    expect(await findings(document.body)).toEqual([]);
    view.rerender(<main>{screenOf('preMarket', [])}</main>);
    expect(await findings(document.body)).toEqual([]);
  });
});

describe('long tables', () => {
  test('draw only the rows in sight, and tell how many there are', () => {
    const many = Array.from({ length: 900 }, (_, index) =>
      aStock({ code: `S${String(index).padStart(3, '0')}` }),
    );
    render(screenOf('intraDaySmall', many));
    const table = grid('Top Movers under $1');
    expect(table.getAttribute('aria-rowcount')).toBe('901');
    expect(table.querySelectorAll('tr[data-id]').length).toBeLessThan(60);
    expect(row('S000').getAttribute('aria-rowindex')).toBe('2');
  });

  test('End reaches the last row and draws it', async () => {
    const many = Array.from({ length: 900 }, (_, index) =>
      aStock({ code: `S${String(index).padStart(3, '0')}` }),
    );
    render(screenOf('intraDaySmall', many));
    await userEvent.keyboard('j{End}');
    expect(document.activeElement).toBe(row('S899'));
  });
});
