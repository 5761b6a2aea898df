import type { Stock } from '../rules/stock.ts';
import { FIGURES } from './figures.ts';

/** Fields of a stock that are not figures; compared as a whole. */
export type Texts = Pick<
  Stock,
  'name' | 'status' | 'sector' | 'securityType' | 'trend' | 'preOpen' | 'yearRange'
>;

const WIDTH = FIGURES.length;
const FIRST_ROWS = 256;

const unknown = (length: number): Float64Array => new Float64Array(length).fill(Number.NaN);

/**
 * The recorded stocks so far. Writer and reader keep equal tables, so a stock is identified by its row and a
 * number by its difference.
 */
export class StockTable {
  private codes: string[] = [];
  private texts: (Texts | null)[] = [];
  private quoteTimes: number[] = [];
  private figures = unknown(FIRST_ROWS * WIDTH);
  private rows = new Map<string, number>();

  get length(): number {
    return this.codes.length;
  }

  rowOf(code: string): number {
    return this.rows.get(code) ?? this.add(code);
  }

  has(code: string): boolean {
    return this.rows.has(code);
  }

  codeOf(row: number): string | undefined {
    return this.codes[row];
  }

  /** A row's figures begin at `offsetOf`. Adding rows replaces the array. */
  numbers(): Float64Array {
    return this.figures;
  }

  offsetOf(row: number): number {
    return row * WIDTH;
  }

  textsOf(row: number): Texts | null {
    return this.texts[row] ?? null;
  }

  setTexts(row: number, texts: Texts): void {
    this.texts[row] = texts;
  }

  quoteTimeOf(row: number): number {
    return this.quoteTimes[row] ?? Number.NaN;
  }

  setQuoteTime(row: number, time: number): void {
    this.quoteTimes[row] = time;
  }

  clearCodes(codes: readonly string[]): void {
    for (const code of codes) {
      const row = this.rows.get(code);
      if (row === undefined) continue;
      this.texts[row] = null;
      this.quoteTimes[row] = Number.NaN;
      this.figures.fill(Number.NaN, row * WIDTH, (row + 1) * WIDTH);
    }
  }

  copy(): StockTable {
    const copy = new StockTable();
    copy.codes = [...this.codes];
    copy.texts = [...this.texts];
    copy.quoteTimes = [...this.quoteTimes];
    copy.figures = this.figures.slice();
    copy.rows = new Map(this.rows);
    return copy;
  }

  private add(code: string): number {
    const row = this.codes.length;
    this.rows.set(code, row);
    this.codes.push(code);
    this.texts.push(null);
    this.quoteTimes.push(Number.NaN);
    if (this.codes.length * WIDTH > this.figures.length) {
      const larger = unknown(this.figures.length * 2);
      larger.set(this.figures);
      this.figures = larger;
    }
    return row;
  }
}
