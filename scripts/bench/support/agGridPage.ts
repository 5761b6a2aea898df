import {
  CellStyleModule,
  ClientSideRowModelApiModule,
  ClientSideRowModelModule,
  type ColDef,
  createGrid,
  HighlightChangesModule,
  ModuleRegistry,
  RowApiModule,
  themeQuartz,
} from 'ag-grid-community';
import { quoteLinkUrl } from '#market/rules/quoteSite.ts';
import { cellText } from '#market/scanners/rules/cellText.ts';
import { type Column, defaultColumns, toneOf } from '#market/scanners/rules/columns.ts';
import type { ScannerRow } from '#market/scanners/rules/membership.ts';
import { SCANNERS } from '#market/scanners/rules/scanners.ts';

/** A message of the worker, as JSON: changed rows; `remove` are codes. */
export type RowChanges = { add: ScannerRow[]; update: ScannerRow[]; remove: string[] };

/** Duration of a flash with its fade, as long as the product's; ms. */
const FLASH = { cellFlashDuration: 150, cellFadeDuration: 450 };

function nameCell({ code, name }: ScannerRow): HTMLElement {
  const link = document.createElement('a');
  link.href = quoteLinkUrl('asx', code) ?? '';
  const codeText = document.createElement('b');
  codeText.textContent = code;
  link.append(codeText, ` ${name}`);
  return link;
}

const { metric } = SCANNERS.intraDaySmall;

function columnDefinition(column: Column): ColDef<ScannerRow> {
  return {
    colId: column.id,
    headerName: column.label,
    flex: column.numeric ? 1 : 3,
    sort: column.id === metric.id ? 'desc' : null,
    valueGetter: ({ data }) => data && column.value(data),
    valueFormatter: ({ data }) => (data ? cellText(column, data) : ''),
    cellRenderer: column.numeric ? undefined : ({ data }: { data: ScannerRow }) => nameCell(data),
    cellStyle: column.numeric ? { textAlign: 'right' } : undefined,
    cellClassRules:
      column.colour === 'plain'
        ? undefined
        : {
            'is-up': ({ data }) => data !== undefined && toneOf(column, data) === 'up',
            'is-down': ({ data }) => data !== undefined && toneOf(column, data) === 'down',
          },
    enableCellChangeFlash: column.numeric,
  };
}

ModuleRegistry.registerModules([
  CellStyleModule,
  ClientSideRowModelApiModule,
  ClientSideRowModelModule,
  HighlightChangesModule,
  RowApiModule,
]);

const container = document.getElementById('grid');
if (!container) throw new Error('The page has no place for the grid.');
const grid = createGrid<ScannerRow>(container, {
  ...FLASH,
  theme: themeQuartz.withParams({ fontSize: 13, rowHeight: 28, headerHeight: 30 }),
  columnDefs: defaultColumns('intraDaySmall').map(columnDefinition),
  rowData: [],
  getRowId: ({ data }) => data.code,
  // Options that its documentation recommends for frequent changes: sort only rows that moved, move rows without
  // animation, draw few rows out of view.
  deltaSort: true,
  animateRows: false,
  suppressColumnMoveAnimation: true,
  rowBuffer: 4,
});

new Worker('/local/agGridWorker.js').onmessage = ({ data }: MessageEvent<string>) => {
  const { add, update, remove } = JSON.parse(data) as RowChanges;
  const removed = remove.flatMap((code) => grid.getRowNode(code)?.data ?? []);
  grid.applyTransaction({ add, update, remove: removed });
  document.title = `${grid.getDisplayedRowCount()} stocks`;
};
