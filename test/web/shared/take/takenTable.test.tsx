import { describe, expect, test } from 'bun:test';
import { render } from '@testing-library/react';
import { isoInSydney } from '../../../../web/shared/take/isoInSydney.ts';
import { fileNameOf } from '../../../../web/shared/take/TakeMenu.tsx';
import { ofColumns, ofElement } from '../../../../web/shared/take/takenTable.ts';
import type { TableColumn } from '../../../../web/ui/table/types.ts';

type Row = { code: string; last: number | null; at: number };
const base = { width: 80, maxWidth: 80 };
const COLUMNS: readonly TableColumn<Row>[] = [
  {
    ...base,
    id: 'code',
    label: 'Code',
    numeric: false,
    read: ({ code }) => code.toLowerCase(),
    text: ({ code }) => code,
  },
  {
    ...base,
    id: 'last',
    label: 'Last',
    numeric: true,
    read: ({ last }) => last,
    text: ({ last }) => `$${last}`,
  },
  { ...base, id: 'at', label: 'At', numeric: true, isTime: true, read: ({ at }) => at, text: () => 'today' },
  { ...base, id: 'go', label: 'Remove', numeric: false, isSortable: false, read: () => '', text: () => '' },
];
const AT = Date.parse('2026-11-26T23:45:00Z');

describe('a live table that is taken along', () => {
  test('gives numbers and moments instead of what is shown, without its buttons', () => {
    const rows = [
      { code: 'BHP', last: 50.125, at: AT },
      { code: '–', last: null, at: AT },
    ];
    expect(ofColumns(COLUMNS, rows)).toEqual({
      headings: ['Code', 'Last', 'At'],
      rows: [
        ['BHP', 50.125, '2026-11-27T10:45:00+11:00'],
        [null, null, '2026-11-27T10:45:00+11:00'],
      ],
    });
  });

  test('gives what a column has in its own place', () => {
    const [code] = COLUMNS;
    const taken = [{ label: 'Twice', value: ({ last }: Row) => (last ?? 0) * 2 }];
    expect(ofColumns([{ ...code!, taken }], [{ code: 'A', last: 2, at: AT }])).toEqual({
      headings: ['Twice'],
      rows: [[4]],
    });
  });
});

test('a small table gives what its cells say, their moments and whether a switch is on', () => {
  const { container } = render(
    <table>
      <thead>
        <tr>
          {['Name', 'Size', 'Changed', 'On', 'Actions'].map((one) => (
            <th key={one}>{one}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        <tr>
          <th>log</th>
          <td data-taken={2048}>2 KB</td>
          <td>
            <time dateTime="2026-06-30T23:45:00Z">1 Jul</time>
          </td>
          <td>
            <button type="button" role="switch" aria-checked="true">
              Yes
            </button>
          </td>
          <td>
            <button type="button">Clear</button>
          </td>
        </tr>
        <tr>
          <td colSpan={5}>what opened under it</td>
        </tr>
        <tr>
          <th>other</th>
          <td>1,234</td>
          <td>–</td>
          <td />
          <td />
        </tr>
      </tbody>
    </table>,
  );
  expect(ofElement(container.querySelector('table')!)).toEqual({
    headings: ['Name', 'Size', 'Changed', 'On'],
    rows: [
      ['log', 2048, '2026-07-01T09:45:00+10:00', 'Yes'],
      ['other', 1234, null, null],
    ],
  });
});

test('a file is named by its table and the day in Sydney', () => {
  expect(fileNameOf('Top Movers under $1', AT)).toBe('bellbird-top-movers-under-1-2026-11-27.csv');
  expect(isoInSydney(Date.parse('2026-06-30T14:00:00Z'))).toBe('2026-07-01T00:00:00+10:00');
});
