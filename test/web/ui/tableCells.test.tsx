import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { DataTable } from '../../../web/ui/table/DataTable.tsx';
import type { TableColumn } from '../../../web/ui/table/types.ts';
import { giveLayout } from '../../support/layout.ts';

let takeLayout: () => void;
beforeEach(() => {
  takeLayout = giveLayout();
});
afterEach(() => takeLayout());

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
let named = 0;
const NAME = column('name', {
  numeric: false,
  isRowHeader: true,
  read: ({ id }) => id,
  render: ({ id }) => <b>{id}</b>,
});
const PRICE = column('price', { read: ({ price }) => price, text: ({ price }) => price?.toFixed(2) ?? '–' });
const MOVE = column('move', {
  read: ({ move }) => move,
  text: ({ move }) => {
    named += 1;
    return String(move);
  },
  tone: ({ move }) => (move > 0 ? 'up' : 'down'),
});

const COLUMNS = [NAME, PRICE, MOVE];

const table = (rows: readonly Row[], columns: readonly TableColumn<Row>[] = COLUMNS) => (
  <DataTable
    label="Prices"
    columns={columns}
    rows={rows}
    rowId={({ id }) => id}
    sort={{ id: 'name', desc: false }}
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

describe('a line that React renders nothing of', () => {
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

  test('shows another row in the same cells, and says so to the keyboard', () => {
    rendered = 0;
    const view = render(table([A, B], columns));
    const line = document.querySelector('tr[data-id="AAA"]');
    view.rerender(<DataTable {...table([B], columns).props} resetKey="again" />);
    expect(textsOf('BBB')).toEqual(['BBB, reached by Tab', '3.00', '-1']);
    expect(document.querySelector('tr[data-id="BBB"]')).toBe(line);
    expect((line as HTMLElement).tabIndex).toBe(0);
    expect(rendered).toBe(2);
  });

  test('has the button that opens the row it shows now', async () => {
    const detail = {
      heading: 'More',
      label: ({ id }: Row) => `More on ${id}`,
      render: ({ id }: Row) => <i>{id} open</i>,
    };
    const of = (rows: readonly Row[], resetKey: string) => (
      <DataTable {...table(rows, columns).props} detail={detail} resetKey={resetKey} />
    );
    const view = render(of([A, B], ''));
    view.rerender(of([B], 'again'));
    const button = screen.getByRole('button', { name: 'More on BBB' });
    expect(button.getAttribute('aria-expanded')).toBe('false');
    await userEvent.click(button);
    expect(screen.getByText('BBB open')).not.toBeNull();
    expect(button.getAttribute('aria-expanded')).toBe('true');
    expect(document.querySelector('tr[data-id="BBB"]')?.getAttribute('data-open')).toBe('true');
  });
});

describe('cells that are only text', () => {
  test('say what their row says, and have its colours, from the first commit on', () => {
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

  test('are found by a screen reader under their row and by their text', () => {
    render(table([A, B]));
    const row = screen.getByRole('row', { name: 'BBB 3.00 -1' });
    expect(within(row).getByRole('gridcell', { name: '3.00' })).toBe(cellsOf('BBB')[1] as HTMLElement);
    expect(within(row).getByRole('rowheader', { name: 'BBB' })).toBe(cellsOf('BBB')[0] as HTMLElement);
  });

  test('keep their text node, so that a selection in them holds, and are written only when they say something new', () => {
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

  test('are not asked again for a row that did not change', () => {
    const view = render(table([A, B]));
    named = 0;
    view.rerender(table([A, { ...B }]));
    expect(named).toBe(1);
  });

  test('follow when columns come, go and change places', () => {
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

  test('show their value also where a translator has replaced the text', () => {
    const view = render(table([A, B]));
    const cell = cellsOf('BBB')[1] as HTMLElement;
    cell.innerHTML = '<font>3,00</font>';
    view.rerender(table([A, { ...B, price: 4 }]));
    expect(cell.textContent).toBe('4.00');
  });
});
