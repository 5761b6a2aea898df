import { describe, expect, test } from 'bun:test';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ScannerFilters, defaultFilters } from '#market/scanners/rules/filters.ts';
import { FilterBar } from '#subjects/scanners/web/parts/FilterBar.tsx';
import { aPreOpenStock } from '#support/aStock.ts';
import { layOutEachTest } from '#support/layout.ts';
import { THREE_STOCKS, codes, screenOf } from '#support/scannerScreen.tsx';
import { pageApi } from '#support/fakeApi.ts';

await import('#subjects/scanners/web/parts/lateMenus.ts');

layOutEachTest();

function bar(isNarrow: boolean, filters = defaultFilters(true), sliderMax = 50_000) {
  const changes: ScannerFilters[] = [];
  render(
    <FilterBar
      listsLabel="My lists"
      filters={filters}
      onChange={(next) => changes.push(next)}
      hasPriceGroup
      sliderMax={sliderMax}
      textRef={{ current: null }}
      onConfigure={() => {}}
      onAlert={null}
      bell={null}
      onHistory={() => {}}
      isHistoryOpen={false}
      scan={{ current: null }}
      onPopOut={() => {}}
      isNarrow={isNarrow}
      tables={{ current: new Map() }}
    />,
  );
  return changes;
}
const more = () => screen.getByRole('button', { name: /^Filters/ });

test('on a phone the filters open from a button that shows how many are on', async () => {
  const changes = bar(true);
  expect(more().textContent).toBe('Filters (2)');
  expect(more().getAttribute('aria-expanded')).toBe('false');
  expect(screen.queryByRole('button', { name: 'News Only' })).toBeNull();
  expect(screen.getByRole('textbox', { name: 'Filter by code or name' })).toBeDefined();
  await userEvent.click(more());
  expect(more().getAttribute('aria-expanded')).toBe('true');
  expect(document.getElementById(more().getAttribute('aria-controls') ?? '')).not.toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'News Only' }));
  await userEvent.click(screen.getByRole('button', { name: 'Price sensitive only' }));
  await userEvent.click(screen.getByRole('button', { name: 'Under $1' }));
  expect(changes).toEqual([
    { ...defaultFilters(true), newsOnly: true },
    { ...defaultFilters(true), sensitiveOnly: true },
    { ...defaultFilters(true), priceGroup: null },
  ]);
  await userEvent.click(more());
  expect(screen.queryByRole('button', { name: 'News Only' })).toBeNull();
});

describe('the minimum value', () => {
  const slider = () => screen.getByRole<HTMLInputElement>('slider', { name: 'Min value' });
  const box = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Min value in dollars' });
  const opener = () => screen.getByRole('button', { name: 'Min value $5,000' });
  const isOpen = () => screen.queryByRole('slider') !== null;
  async function open(sliderMax?: number) {
    const changes = bar(false, defaultFilters(true), sliderMax);
    await userEvent.click(opener());
    await screen.findByRole('dialog', { name: 'Min value' });
    return changes;
  }

  test('equals the slider, even between two of its steps', async () => {
    await open(1_000_000);
    expect([slider().value, slider().getAttribute('aria-valuetext'), box().value]).toEqual([
      '5000',
      '$5,000',
      '$5,000',
    ]);
    expect(slider().step).toBe('any');
  });

  test('changes in whole steps by dragging', async () => {
    const changes = await open(1_000_000);
    fireEvent.change(slider(), { target: { value: '123456' } });
    expect(changes.map(({ minValue }) => minValue)).toEqual([120_000]);
  });

  test.each([
    ['1.5m', [1_500_000]],
    ['$12,000', [12_000]],
    ['0', [0]],
    ['{Backspace}', [0]],
    ['$1,234.50 ', [1235]],
    ['7000{Escape}', []],
    ['5000', []],
  ] as const)('accepts typed text when the box is left: %s', async (typed, expected) => {
    const changes = await open();
    await userEvent.click(box());
    await userEvent.keyboard(typed);
    expect(changes).toEqual([]);
    expect(box().getAttribute('aria-invalid')).toBeNull();
    act(() => slider().focus());
    expect(changes.map(({ minValue }) => minValue)).toEqual([...expected]);
    expect(box().value).toBe('$5,000');
  });

  test('applies by Enter, and the focus returns to the button', async () => {
    const changes = await open();
    await userEvent.click(box());
    await userEvent.keyboard('250k{Enter}');
    expect(changes.map(({ minValue }) => minValue)).toEqual([250_000]);
    expect([isOpen(), document.activeElement === opener()]).toEqual([false, true]);
  });

  test.each([
    ['much', '“much” is not a number. Write it like 5000, 250k or 1.5m.'],
    ['1,25', '“1,25” is not a number. Write decimals with a point: 1.25.'],
    ['-5', 'The minimum value is $0 or more.'],
  ])('keeps %s with an error, and filters as before', async (typed, sentence) => {
    const changes = await open();
    await userEvent.click(box());
    await userEvent.keyboard(`${typed}{Enter}`);
    await userEvent.click(document.body);
    expect([box().value, box().getAttribute('aria-invalid'), changes]).toEqual([typed, 'true', []]);
    expect(screen.getByText(sentence).id).toBe(box().getAttribute('aria-describedby') ?? 'none');
    await userEvent.click(box());
    await userEvent.keyboard('{Escape}');
    expect([box().value, screen.queryByText(sentence)]).toEqual(['$5,000', null]);
    await userEvent.keyboard('{Escape}');
    expect([isOpen(), document.activeElement === opener()]).toEqual([false, true]);
  });
});

test('gap downs are shown widest first, sort in reverse, and are remembered', async () => {
  const stocks = [-2, -9, 5, 8].map((gap, index) =>
    aPreOpenStock({ code: `G${index}`, indicativeChangePercent: gap, match_value: 90_000 }),
  );
  const first = render(screenOf('preMarket', stocks));
  expect(codes('Live Pre-Open')).toEqual(['G3', 'G2']);
  await userEvent.click(screen.getByRole('button', { name: 'Gap downs' }));
  expect(codes('Live Pre-Open')).toEqual(['G1', 'G0']);
  first.unmount();
  render(screenOf('preMarket', stocks));
  expect(codes('Live Pre-Open')).toEqual(['G1', 'G0']);
  await userEvent.click(screen.getByRole('button', { name: 'Gap ups' }));
  expect(codes('Live Pre-Open')).toEqual(['G3', 'G2']);
});

describe('the filter by lists', () => {
  const TITLE = 'Top Movers under $1';
  const LISTS = [
    { id: 1, name: 'My list', symbols: ['AAA'] },
    { id: 2, name: 'Miners', symbols: ['BBB', 'ZZZ'] },
  ];
  const server = pageApi(() => ({ 'GET /api/watchlists': { body: { lists: LISTS } } }));

  const choose = async (name: string) =>
    fireEvent.click(await screen.findByRole('menuitemcheckbox', { name }));

  test('shows only stocks on one list, on several, or on all', async () => {
    render(screenOf('intraDaySmall', THREE_STOCKS.slice(0, 2), { scope: '' }));
    const all = codes(TITLE);
    expect([...all].sort()).toEqual(['AAA', 'BBB']);
    expect(server.to('/api/watchlists')).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'Only my lists' }));
    await choose('Miners');
    await waitFor(() => expect(codes(TITLE)).toEqual(['BBB']));
    expect(await screen.findByText('Miners', { selector: '.is-on' })).toBeTruthy();
    await choose('My list');
    await waitFor(() => expect(codes(TITLE)).toEqual(all));
    await choose('All my lists');
    await waitFor(() => expect(codes(TITLE)).toEqual(all));
    await choose('My list');
    await waitFor(() => expect(codes(TITLE)).toEqual(['AAA']));
  });
});
