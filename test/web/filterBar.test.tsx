import { expect, test } from 'bun:test';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { countFilters, defaultFilters, type ScannerFilters } from '../../src/domain/scanners/filters.ts';
import { FilterBar } from '../../web/features/scanners/parts/FilterBar.tsx';

function bar(isNarrow: boolean, filters = defaultFilters(true)) {
  const changes: ScannerFilters[] = [];
  render(
    <FilterBar
      filters={filters}
      onChange={(next) => changes.push(next)}
      hasPriceGroup
      sliderMax={50_000}
      textRef={{ current: null }}
      onConfigure={() => {}}
      onTape={() => {}}
      isTapeOpen={false}
      onPopOut={() => {}}
      isNarrow={isNarrow}
    />,
  );
  return changes;
}
const more = () => screen.getByRole('button', { name: /^Filters/ });

test('at a desk every filter is in the bar', () => {
  bar(false);
  expect(screen.queryByRole('button', { name: /^Filters/ })).toBeNull();
  for (const name of ['Under $1', '$1 or over', 'Large cap', 'News Only', 'Pop out to new window']) {
    expect(screen.getByRole('button', { name })).toBeDefined();
  }
  expect(screen.getByRole('slider', { name: /Min value/ })).toBeDefined();
});

test('on a phone they open from a button that says how many are on', async () => {
  const changes = bar(true);
  expect(more().textContent).toBe('Filters (2)');
  expect(more().getAttribute('aria-expanded')).toBe('false');
  expect(screen.queryByRole('button', { name: 'News Only' })).toBeNull();
  expect(screen.getByRole('textbox', { name: 'Filter by code or name' })).toBeDefined();
  await userEvent.click(more());
  expect(more().getAttribute('aria-expanded')).toBe('true');
  expect(document.getElementById(more().getAttribute('aria-controls') ?? '')).not.toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'News Only' }));
  await userEvent.click(screen.getByRole('button', { name: 'Under $1' }));
  expect(changes).toEqual([
    { ...defaultFilters(true), newsOnly: true },
    { ...defaultFilters(true), priceGroup: null },
  ]);
  await userEvent.click(more());
  expect(screen.queryByRole('button', { name: 'News Only' })).toBeNull();
});

test('counts what holds stocks back; the text shows itself', () => {
  const none = { priceGroup: null, newsOnly: false, minValue: 0, text: 'bhp' } as const;
  expect(countFilters(none)).toBe(0);
  expect(countFilters({ ...none, minValue: 1, newsOnly: true, priceGroup: 'largeCap' })).toBe(3);
  bar(true, none);
  expect(more().textContent).toBe('Filters');
});
