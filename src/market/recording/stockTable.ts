import type { Stock } from '../rules/stock.ts';
import { FIGURES } from './figures.ts';

/** What of a stock is no figure of the table; compared as a whole. */
export type Texts = Pick<
  Stock,
  'name' | 'status' | 'sector' | 'securityType' | 'trend' | 'preOpen' | 'yearRange'
>;

const WIDTH = FIGURES.length;
const FIRST_ROWS = 256;

/**
 * The stocks as a recording has told them so far. Writer and reader keep the same one, so that a stock is named by its row
 * and a number by its difference.
 */
export type StockTable = {
  readonly length: number;
  /** The row of a code; a new one when there is none. */
  rowOf(code: string): number;
  has(code: string): boolean;
  codeOf(row: number): string | undefined;
  /** All figures; those of a row begin at `offsetOf`. Another array once rows were added. */
  numbers(): Float64Array;
  offsetOf(row: number): number;
  textsOf(row: number): Texts | null;
  setTexts(row: number, texts: Texts): void;
  /** When the last quote was made, as its provider stated it, epoch ms; NaN where it does not. */
  quoteTimeOf(row: number): number;
  setQuoteTime(row: number, time: number): void;
  /** Forgets everything of a stock but its row. */
  clear(row: number): void;
  /** Another table that holds the same now. */
  copy(): StockTable;
};

type Columns = {
  codes: string[];
  texts: (Texts | null)[];
  quoteTimes: number[];
  numbers: Float64Array;
};

const noRows = (): Columns => ({
  ...{ codes: [], texts: [], quoteTimes: [] },
  numbers: new Float64Array(FIRST_ROWS * WIDTH).fill(Number.NaN),
});

/** @param columns what it begins with; they are its own from then on */
export function createStockTable(columns: Columns = noRows()): StockTable {
  const { codes, texts, quoteTimes } = columns;
  let { numbers } = columns;
  const rows = new Map(codes.map((code, row) => [code, row]));

  function add(code: string): number {
    const row = codes.length;
    rows.set(code, row);
    codes.push(code);
    texts.push(null);
    quoteTimes.push(Number.NaN);
    if (codes.length * WIDTH > numbers.length) {
      const larger = new Float64Array(numbers.length * 2).fill(Number.NaN);
      larger.set(numbers);
      numbers = larger;
    }
    return row;
  }

  return {
    get length() {
      return codes.length;
    },
    rowOf: (code) => rows.get(code) ?? add(code),
    has: (code) => rows.has(code),
    codeOf: (row) => codes[row],
    numbers: () => numbers,
    offsetOf: (row) => row * WIDTH,
    textsOf: (row) => texts[row] ?? null,
    setTexts(row, value) {
      texts[row] = value;
    },
    quoteTimeOf: (row) => quoteTimes[row] ?? Number.NaN,
    setQuoteTime(row, time) {
      quoteTimes[row] = time;
    },
    clear(row) {
      texts[row] = null;
      quoteTimes[row] = Number.NaN;
      numbers.fill(Number.NaN, row * WIDTH, (row + 1) * WIDTH);
    },
    copy: () =>
      createStockTable({
        ...{ codes: [...codes], texts: [...texts], quoteTimes: [...quoteTimes] },
        numbers: numbers.slice(),
      }),
  };
}
