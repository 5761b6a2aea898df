export type DelimitedCell = string | number | null;

export type DelimitedTable = {
  headings: readonly string[];
  rows: readonly (readonly DelimitedCell[])[];
};

/** Spreadsheets read such text as a formula. Some drop blanks and control characters before the sign. */
const FORMULA_START = /^(?:[\t\r]|[\s\p{Cc}\p{Cf}]{0,1000}[=+@＝＋－＠-])/u;

export const harmless = (text: string): string => (FORMULA_START.test(text) ? `'${text}` : text);

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

/** Spreadsheets start a new cell at each tab and a new row at each line break of pasted text. */
const tsvField = (cell: DelimitedCell): string => {
  const text = plain(cell).replace(/[\t\r\n]/g, ' ');
  return text.includes('"') ? inQuotes(text) : text;
};

const linesOf = ({ headings, rows }: DelimitedTable, field: (cell: DelimitedCell) => string, by: string) =>
  [headings, ...rows].map((cells) => cells.map(field).join(by));

const BYTE_ORDER_MARK = '\uFEFF';

export const csvOf = (table: DelimitedTable): string =>
  BYTE_ORDER_MARK + linesOf(table, csvField, ',').join('\r\n') + '\r\n';

export const tsvOf = (table: DelimitedTable): string => linesOf(table, tsvField, '\t').join('\n');
