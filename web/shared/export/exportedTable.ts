import { DASH, MINUS } from '#texts/format.ts';
import type { DelimitedCell, DelimitedTable } from '#texts/csv.ts';
import { isoInSydney } from './isoInSydney.ts';
import type { CellValue, TableColumn, ExportedColumn } from '#ui/table/tableModel.ts';

const textOrNull = (text: string): string | null => (text === '' || text === DASH ? null : text);

const timeOf = (value: CellValue): string | null =>
  typeof value === 'number' && Number.isFinite(value) ? isoInSydney(value) : null;

function valueOf<Row>(column: TableColumn<Row>, row: Row): DelimitedCell {
  if (column.isTime === true) return timeOf(column.read(row));
  if (!column.numeric) return textOrNull(column.text(row));
  const value = column.read(row);
  return typeof value === 'string' ? textOrNull(value) : value;
}

type Given<Row> = TableColumn<Row> | ExportedColumn<Row>;

const exportedOf = <Row>(column: Given<Row>): readonly ExportedColumn<Row>[] => {
  if ('value' in column) return [column];
  if (column.exported !== undefined) return column.exported;
  if (column.isSortable === false) return [];
  return [{ label: column.label, value: (row) => valueOf(column, row) }];
};

/**
 * A live table for export: without button columns, with raw numbers, and with times in ISO 8601 by Sydney's clock.
 * @param rows all rows in the order of the export
 */
export function ofColumns<Row>(columns: readonly Given<Row>[], rows: readonly Row[]): DelimitedTable {
  const exported = columns.flatMap(exportedOf);
  return {
    headings: exported.map(({ label }) => label),
    rows: rows.map((row) =>
      exported.map(({ value }) => {
        const cell = value(row);
        return typeof cell === 'string' ? textOrNull(cell) : cell;
      }),
    ),
  };
}

/** A displayed number. A text with more digits than a number can have is a name. */
const WRITTEN = /^[−-]?\d{1,3}(?:,\d{3}){0,4}(?:\.\d{1,9})?$|^[−-]?[1-9]\d{0,14}$/;

const readNumber = (text: string): number => Number(text.replaceAll(',', '').replace(MINUS, '-'));

function textOf(cell: Element): string {
  const copy = document.createElement('td');
  for (const node of cell.childNodes) copy.append(node.cloneNode(true));
  for (const one of copy.querySelectorAll('button, input, select, svg, [aria-hidden="true"]')) one.remove();
  return copy.textContent.replace(/\s{1,1000}/g, ' ').trim();
}

function cellOf(cell: Element): DelimitedCell {
  if (!(cell instanceof HTMLElement)) return null;
  const { taken, time } = cell.dataset;
  const moment = time ?? cell.querySelector('time')?.dateTime;
  if (moment) return timeOf(Date.parse(moment));
  const text = taken ?? textOf(cell);
  if (text !== '') return WRITTEN.test(text) ? readNumber(text) : textOrNull(text);
  const box = cell.querySelector<HTMLInputElement>('input[type=checkbox], [role=switch]');
  if (box === null) return null;
  return (box.getAttribute('aria-checked') ?? String(box.checked)) === 'true' ? 'Yes' : 'No';
}

/**
 * A small, completely rendered table for export. A cell gives its `data-time` or `time`, its `data-taken`, or its text;
 * button columns are left out.
 */
export function ofElement(table: HTMLTableElement): DelimitedTable {
  const labels = [...table.querySelectorAll(':scope > thead > tr > th')].map(textOf);
  const rowsOf = [...table.querySelectorAll(':scope > tbody > tr')].map(({ children }) => [...children]);
  // A panel under a row has one cell for all columns.
  const lines = rowsOf.filter((cells) => cells.length === labels.length);
  const rows = lines.map((cells) => cells.map(cellOf));
  const isExported = (index: number) =>
    labels[index] !== '' &&
    (rows.some((row) => row[index] !== null) ||
      !lines.some((cells) => cells[index]?.querySelector('button') !== null));
  const keep = <T>(_: T, index: number): boolean => isExported(index);
  return { headings: labels.filter(keep), rows: rows.map((row) => row.filter(keep)) };
}
