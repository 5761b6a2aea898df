import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { fireEvent, render, screen } from '@testing-library/react';
import { isoInSydney } from '#web/shared/export/isoInSydney.ts';
import { fileNameOf } from '#web/shared/export/ExportMenu.tsx';
import { ofColumns, ofElement } from '#web/shared/export/exportedTable.ts';
import type { TableColumn } from '#ui/table/tableModel.ts';
import { aStock } from '#support/aStock.ts';
import { layOutEachTest } from '#support/layout.ts';
import { THREE_STOCKS, codes, screenOf } from '#support/scannerScreen.tsx';

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

test('a live table exports numbers and moments instead of displayed text, without its buttons', () => {
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

test('a small table exports the text of its cells, their moments and the state of switches', () => {
  const table = document.createElement('table');
  table.innerHTML = `
    <thead><tr><th>Name</th><th>Size</th><th>Changed</th><th>On</th><th>Actions</th></tr></thead>
    <tbody>
      <tr>
        <th>log</th><td data-taken="2048">2 KB</td><td><time datetime="2026-06-30T23:45:00Z">1 Jul</time></td>
        <td><button role="switch" aria-checked="true">Yes</button></td><td><button>Clear</button></td>
      </tr>
      <tr><td colspan="5">what opened under it</td></tr>
      <tr><th>other</th><td>1,234</td><td>–</td><td></td><td></td></tr>
    </tbody>`;
  expect(ofElement(table)).toEqual({
    headings: ['Name', 'Size', 'Changed', 'On'],
    rows: [
      ['log', 2048, '2026-07-01T09:45:00+10:00', 'Yes'],
      ['other', 1234, null, null],
    ],
  });
});

test('a file is named after its table and the date in Sydney', () => {
  expect(fileNameOf('Top Movers under $1', AT)).toBe('bellbird-top-movers-under-1-2026-11-27.csv');
  expect(isoInSydney(Date.parse('2026-06-30T14:00:00Z'))).toBe('2026-07-01T00:00:00+10:00');
});

describe('the table of a scanner', () => {
  layOutEachTest();
  let copied = '';
  beforeEach(() => {
    copied = '';
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: { writeText: async (text: string) => void (copied = text) },
    });
  });
  afterEach(() => {
    Reflect.deleteProperty(navigator, 'clipboard');
  });

  const TITLE = 'Top Movers under $1';
  const MANY = Array.from({ length: 400 }, (_, index) =>
    aStock({ ...THREE_STOCKS[0], code: `A${index}`, name: index === 0 ? '=HYPERLINK("x")' : 'Company' }),
  );

  test('a scanner exports all its rows, including those not rendered, in the displayed order', async () => {
    render(screenOf('intraDaySmall', MANY, { scope: '' }));
    const shown = codes(TITLE);
    expect(shown.length).toBeLessThan(MANY.length);
    fireEvent.click(screen.getByRole('button', { name: 'More' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: `Copy or save ${TITLE}…` }));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Copy for a spreadsheet' }));
    await screen.findByText('400 rows copied');
    const lines = copied.split('\n').map((line) => line.split('\t'));
    expect(lines[0]?.slice(0, 3)).toEqual(['Code', 'Name', 'Change']);
    expect(lines.slice(1, 1 + shown.length).map(([code]) => code)).toEqual(shown);
    expect(lines.length).toBe(401);
    expect(lines.find(([code]) => code === 'A0')?.[1]).toBe(`"'=HYPERLINK(""x"")"`);
  });
});

/** The zone marks that a machine in a zone shows for Sydney times in winter and in summer. */
async function marksIn(zone: string): Promise<unknown> {
  const code = `
    const { zoneMark } = await import('${import.meta.dir}/../../../web/shared/zoneMark.ts');
    console.log(JSON.stringify(['2026-07-01T02:00:00Z', '2026-11-26T00:00:00Z'].map((at) => zoneMark(Date.parse(at)))));
  `;
  const child = Bun.spawn([process.execPath, '-e', code], { env: { ...process.env, TZ: zone } });
  return JSON.parse(await new Response(child.stdout).text());
}

test.each([
  ['Australia/Sydney', ['', '']],
  ['Australia/Melbourne', ['', '']],
  // The same clock only in winter.
  ['Australia/Brisbane', ['', ' AEDT']],
  ['Australia/Perth', [' AEST', ' AEDT']],
  ['Europe/London', [' AEST', ' AEDT']],
])('on a machine in %s the market’s time zone is shown if it differs', async (zone, marks) =>
  expect(await marksIn(zone)).toEqual(marks),
);
