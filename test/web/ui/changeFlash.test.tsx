import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, render, waitFor } from '@testing-library/react';
import { DataTable } from '../../../web/ui/table/DataTable.tsx';
import type { TableColumn } from '../../../web/ui/table/types.ts';
import { giveLayout } from '../../support/layout.ts';
import { PATIENT } from '../../support/scannerScreen.tsx';
import { runningFlash, tintedCells, tintOf } from '../../support/tints.ts';

/** Narrower than the columns together, so that the pinned ones lie over the others. */
const NARROW = 200;
let takeLayout: () => void;
beforeEach(() => {
  takeLayout = giveLayout();
});
afterEach(() => takeLayout());

type Row = { id: string; metric: number | null; last: number };
const NAMES = ['name', 'metric', 'last'] as const;

const COLUMNS: TableColumn<Row>[] = NAMES.map((id) => ({
  id,
  label: id,
  numeric: id !== 'name',
  width: 90,
  maxWidth: 90,
  read: (row) => (id === 'name' ? row.id : row[id]),
  text: (row) => String(id === 'name' ? row.id : row[id]),
  pinned: id !== 'last',
  isRowHeader: id === 'name',
}));

const table = (rows: readonly Row[], desc = false, columns = COLUMNS) => (
  <DataTable
    label="Prices"
    columns={columns}
    rows={rows}
    rowId={({ id }) => id}
    sort={{ id: 'name', desc }}
    onSort={() => {}}
    resetKey=""
    empty="Nothing"
  />
);
const A: Row = { id: 'AAA', metric: 1, last: 5 };
const B: Row = { id: 'BBB', metric: 2, last: 6 };
const tints = (id: string) =>
  [...(document.querySelector(`tr[data-id="${id}"]`)?.children ?? [])].map(tintOf);

describe('the tints of changed numbers', () => {
  test('lie under the cells, in the direction of each; a value that was not known has none', () => {
    const view = render(table([A, { ...B, metric: null }]));
    view.rerender(table([{ ...A, metric: 2, last: 4 }, B]));
    expect([tints('AAA'), tints('BBB')]).toEqual([
      [null, 'up', 'down'],
      [null, null, null],
    ]);
    expect(document.querySelector('[data-flash]')).toBeNull();
  });

  test('are hidden from screen readers and from the pointer, and are no part of the table', () => {
    render(table([A]));
    const svg = document.querySelector('.table-tints');
    expect(svg?.getAttribute('aria-hidden')).toBe('true');
    expect(svg?.closest('table')).toBeNull();
    expect(svg?.textContent).toBe('');
  });

  test('go with their rows when these change places', () => {
    const view = render(table([A, B]));
    view.rerender(table([{ ...A, last: 7 }, B]));
    const flash = runningFlash(document.querySelector('tbody') as Element);
    view.rerender(table([{ ...A, last: 7 }, B], true));
    expect([tints('AAA')[2], tints('BBB')[2]]).toEqual(['up', null]);
    // The move is no change of a number: it begins no flash of its own.
    expect(runningFlash(document.querySelector('tbody') as Element)).toBe(flash as Animation);
  });

  test('go with their columns when these come, go or change places', () => {
    const view = render(table([A]));
    view.rerender(table([{ ...A, metric: 2, last: 4 }]));
    const now = { ...A, metric: 2, last: 4 };
    view.rerender(table([now], false, COLUMNS.slice(0, 1)));
    const paths = () =>
      [...document.querySelectorAll('.table-tints path')].map((path) => path.getAttribute('d'));
    expect(paths()).toEqual(['', '']);
    view.rerender(table([now], false, COLUMNS.toReversed()));
    expect(tints('AAA')).toEqual(['up', null, 'down']);
    expect(paths().join()).not.toContain('undefined');
  });

  for (const { motion, opacities } of [
    { motion: 'no-preference', opacities: [1, 0] },
    { motion: 'reduce', opacities: [1, 1] },
  ]) {
    test(`with ${motion} for motion their opacity goes from ${opacities.join(' to ')}, and then they are gone`, async () => {
      const original = globalThis.matchMedia;
      globalThis.matchMedia = (query) =>
        query.includes('motion') ? ({ matches: query.includes(motion) } as MediaQueryList) : original(query);
      try {
        const view = render(table([A]));
        view.rerender(table([{ ...A, last: 8 }]));
        const effect = runningFlash(document.querySelector('tbody') as Element)?.effect as KeyframeEffect;
        expect(effect.getKeyframes().map(({ opacity }) => Number(opacity))).toEqual(opacities);
        expect(effect.getTiming()).toMatchObject({ duration: 600, easing: 'steps(4, end)' });
        await waitFor(() => expect(tintedCells().length).toBe(0), PATIENT);
      } finally {
        globalThis.matchMedia = original;
      }
    });
  }
});

describe('where columns are pinned over others', () => {
  beforeEach(() => {
    takeLayout();
    takeLayout = giveLayout(NARROW);
  });

  test('their cells have the tint themselves, and fade in the same steps', async () => {
    const view = render(table([A, B]));
    view.rerender(table([{ ...A, metric: 2, last: 4 }, B]));
    const cells = [...(document.querySelector('tr[data-id="AAA"]')?.children ?? [])];
    expect(cells.map((cell) => cell.getAttribute('data-flash'))).toEqual([null, 'up', null]);
    expect(tints('AAA')).toEqual([null, 'up', 'down']);
    const body = document.querySelector('tbody') as HTMLElement;
    const fades: (string | undefined)[] = [];
    const watch = new MutationObserver(() => fades.push(body.dataset.fade));
    watch.observe(body, { attributes: true, attributeFilter: ['data-fade'] });
    await waitFor(() => expect(body.querySelectorAll('[data-flash]').length).toBe(0), PATIENT);
    await act(async () => {});
    watch.disconnect();
    expect(fades).toEqual(['1', '2', '3', undefined]);
    await waitFor(() => expect(tintedCells().length).toBe(0), PATIENT);
  });
});
