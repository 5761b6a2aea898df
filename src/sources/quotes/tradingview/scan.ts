import { someOf } from '#sources/lastGoodAnswer.ts';
import type { StockUpdate } from '#market/rules/stock.ts';
import { isComplete, readAnswer, type ScanRow, RANGE_END } from './answer.ts';
import type { ExtraColumn } from './columns.ts';
import { createEvidence, type Evidence } from './evidence.ts';
import { type CellReader, readRow, type RowResult } from './row.ts';
import type { SessionView } from './sessionView.ts';

export type RefusedRows = { count: number; first: string | null };

export type ScanBatch = {
  kind: 'batch';
  /** Unique codes. */
  updates: StockUpdate[];
  refused: RefusedRows;
  /** Every code that the answer lists, refused ones included; null when the answer may lack some. */
  listed: ReadonlySet<string> | null;
  /** Rows that repeated a symbol. */
  duplicates: number;
  /** Rows of other exchanges, left out. */
  foreign: number;
  evidence: Evidence;
  /** The columns that were asked for, and how many of the rows hold something in each. */
  asked: readonly string[];
  filled: ReadonlyMap<string, number>;
  rows: number;
  /** A few of them, by column. */
  sample: readonly Readonly<Record<string, unknown>>[];
};

/** An answer of which nothing may be used; `reason` completes the sentence "TradingView …". */
export type Unusable = { kind: 'unusable'; reason: string; unknownColumn: string | null };

const PREFIX = 'ASX:';
const CODE = /^[A-Z0-9]{1,6}$/;

function cellsOf(columns: readonly string[]): (row: ScanRow) => CellReader {
  const positions = new Map(columns.map((column, index) => [column, index]));
  return (row) => (column) => {
    const position = positions.get(column);
    return position === undefined ? undefined : row.d[position];
  };
}

/** How many rows hold something in each column. */
function filledCells(rows: readonly ScanRow[], columns: readonly string[]): Map<string, number> {
  return new Map(
    columns.map((column, index) => [column, rows.filter(({ d }) => (d[index] ?? null) !== null).length]),
  );
}

const byColumn = ({ s, d }: ScanRow, columns: readonly string[]): Record<string, unknown> => ({
  symbol: s,
  ...Object.fromEntries(columns.map((column, at) => [column, d[at]])),
});

const uniqueBySymbol = (rows: readonly ScanRow[]): ScanRow[] => [
  ...new Map(rows.map((row) => [row.s, row])).values(),
];

/**
 * Reads a whole scan answer: checks its shape, drops repeated symbols, and turns each listing into an update.
 * @param text response body
 * @param columns the columns asked for, in order
 * @param view how the daily columns are to be read now
 * @param extra indicators and where they go; one whose column was not asked for becomes null
 * @returns one batch of updates with unique codes, or why nothing of the answer may be used
 */
export function readScan(
  text: string,
  columns: readonly string[],
  view: SessionView,
  extra: readonly ExtraColumn[] = [],
): ScanBatch | Unusable {
  const answer = readAnswer(text, columns.length);
  if (answer.kind === 'unusable') return answer;
  const { rows, totalCount, malformed } = answer;
  const received = rows.length + malformed;
  if (!isComplete(received, totalCount)) {
    return { kind: 'unusable', reason: `sent only ${received} of ${totalCount} rows`, unknownColumn: null };
  }
  const scan = readRows(rows, malformed, columns, view, extra);
  const mayLack = malformed > 0 || received < Math.min(totalCount, RANGE_END);
  return scan.kind === 'batch' && mayLack ? { ...scan, listed: null } : scan;
}

const readListing = (
  code: string,
  cell: CellReader,
  view: SessionView,
  extra: readonly ExtraColumn[],
): RowResult =>
  CODE.test(code)
    ? readRow(code, cell, view, extra)
    : { kind: 'refused', code: code.slice(0, 30), reason: 'not a code of the exchange' };

/** What came of the rows of this exchange. */
type Taken = Pick<ScanBatch, 'updates' | 'evidence'> & { listed: Set<string>; reasons: string[] };

function takeListings(
  own: readonly ScanRow[],
  cells: (row: ScanRow) => CellReader,
  view: SessionView,
  extra: readonly ExtraColumn[],
): Taken {
  const evidence = createEvidence(view.now);
  const updates: StockUpdate[] = [];
  const listed = new Set<string>();
  const reasons: string[] = [];
  for (const row of own) {
    const code = row.s.slice(PREFIX.length);
    const result = readListing(code, cells(row), view, extra);
    listed.add(code);
    if (result.kind === 'update') {
      updates.push(result.update);
      evidence.add(cells(row));
    } else reasons.push(`${result.code}: ${result.reason}`);
  }
  return { updates, listed, reasons, evidence: evidence.result() };
}

function readRows(
  rows: readonly ScanRow[],
  malformed: number,
  columns: readonly string[],
  view: SessionView,
  extra: readonly ExtraColumn[],
): ScanBatch | Unusable {
  const unique = uniqueBySymbol(rows);
  const own = unique.filter(({ s }) => s.startsWith(PREFIX));
  const { updates, listed, reasons, evidence } = takeListings(own, cellsOf(columns), view, extra);
  const first = malformed > 0 ? 'a row had an unknown shape' : (reasons[0] ?? null);
  if (updates.length === 0) {
    const why = first ?? 'all belong to other exchanges';
    return { kind: 'unusable', reason: `sent no usable row (${why})`, unknownColumn: null };
  }
  return {
    kind: 'batch',
    updates,
    refused: { count: malformed + reasons.length, first },
    listed,
    duplicates: rows.length - unique.length,
    foreign: unique.length - own.length,
    evidence,
    asked: columns,
    filled: filledCells(own, columns),
    rows: own.length,
    sample: someOf(own).map((row) => byColumn(row, columns)),
  };
}
