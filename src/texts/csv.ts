/** What stands in a cell of a table that is taken along; null for nothing. */
export type DelimitedCell = string | number | null;

/** A table as it is taken along: its headings, and its rows with as many cells. */
export type DelimitedTable = {
  headings: readonly string[];
  rows: readonly (readonly DelimitedCell[])[];
};

/**
 * A spreadsheet reads a text that begins so as a formula; the wide forms too, which it takes for the narrow ones. Some drop
 * blanks and control characters before the sign first.
 */
const FORMULA_START = /^(?:[\t\r]|[\s\p{Cc}\p{Cf}]{0,1000}[=+@＝＋－＠-])/u;

/** Begins a text as spreadsheets do to say that it is one, where it would be run as a formula otherwise. */
export const harmless = (text: string): string => (FORMULA_START.test(text) ? `'${text}` : text);

/** What a sum of floating numbers is off by stands behind these digits. */
const DIGITS = 12;

function plain(cell: DelimitedCell): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return harmless(cell);
  return Number.isFinite(cell) ? String(Number(cell.toPrecision(DIGITS))) : '';
}

const inQuotes = (text: string): string => `"${text.replaceAll('"', '""')}"`;

const csvField = (cell: DelimitedCell): string => {
  const text = plain(cell);
  return /[",\r\n]/.test(text) ? inQuotes(text) : text;
};

/** Spreadsheets begin a new cell at each tab and a new row at each line break that they paste. */
const tsvField = (cell: DelimitedCell): string => {
  const text = plain(cell).replace(/[\t\r\n]/g, ' ');
  return text.includes('"') ? inQuotes(text) : text;
};

const linesOf = ({ headings, rows }: DelimitedTable, field: (cell: DelimitedCell) => string, by: string) =>
  [headings, ...rows].map((cells) => cells.map(field).join(by));

/** By it a spreadsheet knows that a file is in UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/** A table as a CSV file (RFC 4180): numbers as they are, texts that would be formulas made harmless. */
export const csvOf = (table: DelimitedTable): string =>
  BYTE_ORDER_MARK + linesOf(table, csvField, ',').join('\r\n') + '\r\n';

/** A table as spreadsheets take it from the clipboard: cells by tabs, rows by lines. */
export const tsvOf = (table: DelimitedTable): string => linesOf(table, tsvField, '\t').join('\n');
