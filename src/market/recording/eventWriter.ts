import type { Stock } from '../rules/stock.ts';
import { ByteWriter, zigzag } from '#lib/pack.ts';
import { FIGURES, predict, isSame, scaleOf } from './figures.ts';
import type { NewFigures } from './minutes.ts';
import type { StockTable, Texts } from './stockTable.ts';
import type { RecordedEvent } from './types.ts';

/** A stock as the Market has it, and when its quote was made by its provider's word; NaN where it does not say. */
export type Quoted = { stock: Stock; quoteTime: number };

/** What is no event of stocks is written as it is. */
export type OtherEvent = Exclude<RecordedEvent, { kind: 'stocks' }>;

/** Beside the bits of the figures: texts changed too. */
export const HAS_TEXTS = 2 ** FIGURES.length;

export const EVENT_STOCKS = 0;
export const EVENT_OTHER = 1;

export const QUOTE_UNKNOWN = 0;
export const QUOTE_SAME = 1;
/** And above: the difference from the event's time. */
export const QUOTE_DIFFERENCE = 2;

const textsOf = ({ name, status, sector, securityType, trend, preOpen, yearRange }: Stock): Texts => ({
  name,
  status,
  sector,
  securityType,
  trend,
  ...(preOpen && { preOpen }),
  ...(yearRange && { yearRange }),
});

function figureOf(stock: Stock, figure: number): number {
  const name = FIGURES[figure];
  return (name && stock[name]) ?? Number.NaN;
}

const sameTexts = (a: Texts, b: Stock): boolean =>
  a.name === b.name &&
  a.status === b.status &&
  a.sector === b.sector &&
  a.securityType === b.securityType &&
  a.preOpen?.snapshot === b.preOpen?.snapshot &&
  a.yearRange?.high === b.yearRange?.high &&
  a.yearRange?.low === b.yearRange?.low &&
  (a.trend === b.trend || JSON.stringify(a.trend) === JSON.stringify(b.trend));

const CODE_OR_TEXTS_BYTES = 200;

/** Writes events as columns of bytes: each kind of number stands by itself, which compresses better. */
export class EventWriter {
  private readonly events = new ByteWriter();
  private readonly rows = new ByteWriter();
  private readonly masks = new ByteWriter();
  private readonly quotes = new ByteWriter();
  private readonly figures = FIGURES.map(() => new ByteWriter());
  private readonly columns = [this.events, this.rows, this.masks, this.quotes, ...this.figures];
  private readonly now = new Float64Array(FIGURES.length);
  private json: unknown[] = [];
  private lastTime: number;

  /**
   * @param from the time from which the first event's is counted, epoch ms
   * @param onFigures called for each stock that is written, before the table is brought to its figures
   */
  constructor(
    private readonly table: StockTable,
    from: number,
    private readonly onFigures?: (figures: NewFigures) => void,
  ) {
    this.lastTime = from;
  }

  /** About how many bytes there are until now. */
  size(): number {
    return this.columns.reduce((sum, { length }) => sum + length, this.json.length * CODE_OR_TEXTS_BYTES);
  }

  /**
   * Adds those of the stocks that changed at a moment in what is recorded.
   * @param time never before that of the last event
   * @returns whether there were any
   */
  stocks(time: number, quoted: readonly Quoted[]): boolean {
    const { table } = this;
    const changed = quoted.filter((one) => this.hasChanged(one));
    if (changed.length === 0) return false;
    this.begin(EVENT_STOCKS, time, changed.length);
    const firstNew = table.length;
    const inOrder = changed
      .map((one) => ({ ...one, row: table.rowOf(one.stock.code) }))
      .sort((a, b) => a.row - b.row);
    let lastRow = -1;
    for (const { row, stock, quoteTime } of inOrder) {
      this.rows.varint(row - lastRow - 1);
      lastRow = row;
      if (row >= firstNew) this.json.push(stock.code);
      this.masks.varint(this.writeFigures(row, stock, time) + this.writeTexts(row, stock));
      this.writeQuoteTime(row, time, quoteTime);
    }
    return true;
  }

  other(event: OtherEvent): void {
    this.begin(EVENT_OTHER, event.time, 0);
    this.json.push(event);
    if (event.kind === 'remove') this.table.clearCodes(event.codes);
  }

  /** All of it, and begins again with nothing. */
  take(): Uint8Array {
    const out = new ByteWriter();
    for (const column of this.columns) {
      out.part(column.written());
      column.clear();
    }
    out.json(this.json);
    this.json = [];
    return out.written();
  }

  private begin(kind: number, time: number, count: number): void {
    this.events.varint(kind);
    this.events.varint(time - this.lastTime);
    this.events.varint(count);
    this.lastTime = time;
  }

  /** The record may differ in nothing that is recorded, as when only an indicator moved. */
  private hasChanged({ stock }: Quoted): boolean {
    const { table } = this;
    if (!table.has(stock.code)) return true;
    const row = table.rowOf(stock.code);
    const texts = table.textsOf(row);
    if (texts === null || !sameTexts(texts, stock)) return true;
    const numbers = table.numbers();
    const offset = table.offsetOf(row);
    for (let figure = 0; figure < FIGURES.length; figure += 1) {
      if (!isSame(numbers[offset + figure] ?? Number.NaN, figureOf(stock, figure))) return true;
    }
    return false;
  }

  /** @returns the bits of the figures that are not as predicted */
  private writeFigures(row: number, stock: Stock, time: number): number {
    const { table, now } = this;
    const before = table.numbers();
    const offset = table.offsetOf(row);
    let mask = 0;
    for (let figure = 0; figure < FIGURES.length; figure += 1) {
      const value = figureOf(stock, figure);
      now[figure] = value;
      const expected = predict(figure, before, offset, now);
      if (isSame(value, expected)) continue;
      mask += 2 ** figure;
      this.figures[figure]?.near(value, expected, scaleOf(figure, expected));
    }
    this.onFigures?.({ row, time, now });
    before.set(now, offset);
    return mask;
  }

  /** @returns their bit where they changed, else 0 */
  private writeTexts(row: number, stock: Stock): number {
    const before = this.table.textsOf(row);
    if (before !== null && sameTexts(before, stock)) return 0;
    const next = textsOf(stock);
    this.json.push(next);
    this.table.setTexts(row, next);
    return HAS_TEXTS;
  }

  private writeQuoteTime(row: number, time: number, quoteTime: number): void {
    const isKnown = Number.isInteger(quoteTime);
    if (!isKnown) this.quotes.varint(QUOTE_UNKNOWN);
    else if (quoteTime === this.table.quoteTimeOf(row)) this.quotes.varint(QUOTE_SAME);
    else this.quotes.varint(QUOTE_DIFFERENCE + zigzag(time - quoteTime));
    this.table.setQuoteTime(row, isKnown ? quoteTime : Number.NaN);
  }
}
