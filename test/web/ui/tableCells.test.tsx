import { describe, expect, test } from 'bun:test';
import { render, waitFor } from '@testing-library/react';
import { DataTable } from '#ui/table/DataTable.tsx';
import type { TableColumn } from '#ui/table/tableModel.ts';
import { layOutEachTest } from '#support/layout.ts';
import { PATIENT } from '#support/scannerScreen.tsx';
import { runningFlash, tintedCells, tintOf } from '#support/tints.ts';

layOutEachTest();

type Row = { id: string; price: number | null; move: number };

const column = (id: string, more: Partial<TableColumn<Row>>): TableColumn<Row> => ({
  id,
  label: id,
  numeric: true,
  width: 80,
  maxWidth: 80,
  read: () => null,
  text: () => '',
  ...more,
});
const NAME = column('name', {
  numeric: false,
  isRowHeader: true,
  read: ({ id }) => id,
  render: ({ id }) => <b>{id}</b>,
});
const PRICE = column('price', { read: ({ price }) => price, text: ({ price }) => price?.toFixed(2) ?? '–' });
const MOVE = column('move', {
  read: ({ move }) => move,
  text: ({ move }) => String(move),
  tone: ({ move }) => (move > 0 ? 'up' : 'down'),
});

const COLUMNS = [NAME, PRICE, MOVE];

const table = (rows: readonly Row[], columns: readonly TableColumn<Row>[] = COLUMNS, desc = false) => (
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
const A: Row = { id: 'AAA', price: 1, move: 2 };
const B: Row = { id: 'BBB', price: 3, move: -1 };
const cellsOf = (id: string) => {
  const found = document.querySelector(`tr[data-id="${id}"]`);
  return [...(found?.children ?? [])] as HTMLElement[];
};
const textsOf = (id: string) => cellsOf(id).map((cell) => cell.textContent);

test('a line reused without rendering shows another row in the same cells, also to the keyboard', () => {
  let rendered = 0;
  const drawn = column('name', {
    numeric: false,
    isRowHeader: true,
    read: ({ id }) => id,
    draw: (cell) => {
      rendered += 1;
      return ({ id }, inTabOrder) => {
        cell.textContent = inTabOrder ? `${id}, reached by Tab` : id;
      };
    },
  });
  const columns = [drawn, PRICE, MOVE];

  rendered = 0;
  const view = render(table([A, B], columns));
  const line = document.querySelector('tr[data-id="AAA"]');
  view.rerender(<DataTable {...table([B], columns).props} resetKey="again" />);
  expect(textsOf('BBB')).toEqual(['BBB, reached by Tab', '3.00', '-1']);
  expect(document.querySelector('tr[data-id="BBB"]')).toBe(line);
  expect((line as HTMLElement).tabIndex).toBe(0);
  expect(rendered).toBe(2);
});

describe('text-only cells', () => {
  test('have their row’s text and colours from the first commit on', () => {
    const view = render(table([A, B]));
    expect([textsOf('AAA'), textsOf('BBB')]).toEqual([
      ['AAA', '1.00', '2'],
      ['BBB', '3.00', '-1'],
    ]);
    expect(cellsOf('BBB')[2]?.className).toBe('cell is-number trend is-down');
    view.rerender(table([A, { ...B, price: null, move: 4 }]));
    expect(textsOf('BBB')).toEqual(['BBB', '–', '4']);
    expect(cellsOf('BBB')[1]?.className).toBe('cell is-number is-missing');
    expect(cellsOf('BBB')[2]?.className).toBe('cell is-number trend is-up');
    view.rerender(table([A, { ...B, price: 5 }]));
    expect(cellsOf('BBB')[1]?.className).toBe('cell is-number');
  });

  test('keep their text node, so a selection survives, and are written only for new text', () => {
    const view = render(table([A, B]));
    const node = cellsOf('BBB')[1]?.firstChild as Text;
    const written: Node[] = [];
    const watch = new MutationObserver((records) => written.push(...records.map(({ target }) => target)));
    watch.observe(document.querySelector('tbody') as Element, {
      characterData: true,
      childList: true,
      subtree: true,
    });
    view.rerender(table([{ ...A }, { ...B, price: 3.5 }]));
    written.push(...watch.takeRecords().map(({ target }) => target));
    watch.disconnect();
    expect(cellsOf('BBB')[1]?.firstChild).toBe(node);
    expect(node.data).toBe('3.50');
    expect(new Set(written)).toEqual(new Set([node]));
  });

  test('follow columns that are added, removed and moved', () => {
    const view = render(table([A, B]));
    view.rerender(table([A, B], [MOVE, NAME, PRICE]));
    expect(textsOf('AAA')).toEqual(['2', 'AAA', '1.00']);
    expect(cellsOf('AAA').map(({ className }) => className)).toEqual([
      'cell is-number trend is-up',
      'cell',
      'cell is-number',
    ]);
    view.rerender(table([A, B], [NAME, MOVE]));
    expect(textsOf('AAA')).toEqual(['AAA', '2']);
    view.rerender(table([A, B]));
    expect(textsOf('BBB')).toEqual(['BBB', '3.00', '-1']);
  });
});

describe('the tints of changed numbers', () => {
  const tints = (id: string) => cellsOf(id).map(tintOf);
  const body = () => document.querySelector('tbody') as Element;

  test('are behind the cells, in the direction of each; a previously unknown value has none', () => {
    const view = render(table([A, { ...B, price: null }]));
    view.rerender(table([{ ...A, price: 2, move: 1 }, B]));
    expect([tints('AAA'), tints('BBB')]).toEqual([
      [null, 'up', 'down'],
      [null, null, null],
    ]);
    expect(document.querySelector('[data-flash]')).toBeNull();
  });

  test('move with their rows', () => {
    const moved = { ...A, move: 7 };
    const view = render(table([A, B]));
    view.rerender(table([moved, B]));
    const flash = runningFlash(body());
    view.rerender(table([moved, B], COLUMNS, true));
    expect([tints('AAA')[2], tints('BBB')[2]]).toEqual(['up', null]);
    // The move changes no number, so it starts no flash of its own.
    expect(runningFlash(body())).toBe(flash as Animation);
  });

  test('follow columns that are added, removed or moved', () => {
    const now = { ...A, price: 2, move: 1 };
    const view = render(table([A]));
    view.rerender(table([now]));
    view.rerender(table([now], [NAME]));
    const paths = () =>
      [...document.querySelectorAll('.table-tints path')].map((path) => path.getAttribute('d'));
    expect(paths()).toEqual(['', '']);
    view.rerender(table([now], COLUMNS.toReversed()));
    expect(tints('AAA')).toEqual(['down', 'up', null]);
    expect(paths().join()).not.toContain('undefined');
  });

  test('fade in four steps and then disappear', async () => {
    const view = render(table([A]));
    view.rerender(table([{ ...A, move: 8 }]));
    const effect = runningFlash(body())?.effect as KeyframeEffect;
    expect(effect.getKeyframes().map(({ opacity }) => Number(opacity))).toEqual([1, 0]);
    expect(effect.getTiming()).toMatchObject({ duration: 600, easing: 'steps(4, end)' });
    await waitFor(() => expect(tintedCells().length).toBe(0), PATIENT);
  });
});
