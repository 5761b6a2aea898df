import type { Stock } from '../rules/stock.ts';
import { bytesOfJson, type ByteWriter, createByteWriter } from './bytes.ts';
import { FIGURES, predict, isSame, scaleOf } from './figures.ts';
import type { NewFigures } from './minutes.ts';
import { writeNumber } from './numberToken.ts';
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
  ...{ name, status, sector, securityType, trend },
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

/** Columns of bytes: each kind of number stands by itself, which compresses better. */
export type EventWriter = {
  /** Bytes until now. */
  size(): number;
  /**
   * Adds those of the stocks that changed at a moment in what is recorded.
   * @param time never before that of the last event
   * @returns whether there were any
   */
  stocks(time: number, quoted: readonly Quoted[]): boolean;
  other(event: OtherEvent): void;
  /** All of it, and begins anew. */
  take(): Uint8Array;
};

/**
 * @param from the time from which the first event's is counted, epoch ms
 * @param onFigures called for each stock that is written, before the table is brought to its figures
 */
export function createEventWriter(
  table: StockTable,
  from: number,
  onFigures?: (figures: NewFigures) => void,
): EventWriter {
  const events = createByteWriter();
  const rows = createByteWriter();
  const masks = createByteWriter();
  const quotes = createByteWriter();
  const columns: ByteWriter[] = FIGURES.map(createByteWriter);
  const all = [events, rows, masks, quotes, ...columns];
  const now = new Float64Array(FIGURES.length);
  let json: unknown[] = [];
  let jsonSize = 0;
  let lastTime = from;

  function begin(kind: number, time: number, count: number): void {
    events.varint(kind);
    events.varint(time - lastTime);
    events.varint(count);
    lastTime = time;
  }

  function addJson(value: unknown): void {
    json.push(value);
    jsonSize += 200;
  }

  /** @returns the bits of the figures that are not as foretold */
  function writeFigures(row: number, stock: Stock, time: number): number {
    const before = table.numbers();
    const offset = table.offsetOf(row);
    let mask = 0;
    for (let figure = 0; figure < FIGURES.length; figure += 1) {
      const value = figureOf(stock, figure);
      now[figure] = value;
      const expected = predict(figure, before, offset, now);
      if (isSame(value, expected)) continue;
      mask += 2 ** figure;
      const column = columns[figure];
      if (column) writeNumber(column, value, expected, scaleOf(figure, expected));
    }
    onFigures?.({ row, time, now });
    before.set(now, offset);
    return mask;
  }

  /** @returns their bit where they changed, else 0 */
  function writeTexts(row: number, stock: Stock): number {
    const before = table.textsOf(row);
    if (before !== null && sameTexts(before, stock)) return 0;
    const next = textsOf(stock);
    addJson(next);
    table.setTexts(row, next);
    return HAS_TEXTS;
  }

  /** The record may differ in nothing that is recorded, as when only an indicator moved. */
  function hasChanged({ stock }: Quoted): boolean {
    if (!table.has(stock.code)) return true;
    const row = table.rowOf(stock.code);
    const texts = table.textsOf(row);
    const numbers = table.numbers();
    const offset = table.offsetOf(row);
    if (texts === null || !sameTexts(texts, stock)) return true;
    for (let figure = 0; figure < FIGURES.length; figure += 1) {
      if (!isSame(numbers[offset + figure] ?? Number.NaN, figureOf(stock, figure))) return true;
    }
    return false;
  }

  function writeQuoteTime(row: number, time: number, quoteTime: number): void {
    const isKnown = Number.isInteger(quoteTime);
    if (!isKnown) quotes.varint(QUOTE_UNKNOWN);
    else if (quoteTime === table.quoteTimeOf(row)) quotes.varint(QUOTE_SAME);
    else {
      const difference = time - quoteTime;
      quotes.varint(QUOTE_DIFFERENCE + (difference >= 0 ? difference * 2 : -difference * 2 - 1));
    }
    table.setQuoteTime(row, isKnown ? quoteTime : Number.NaN);
  }

  return {
    size: () => all.reduce((sum, { length }) => sum + length, jsonSize),
    stocks(time, quoted) {
      const changed = quoted.filter(hasChanged);
      if (changed.length === 0) return false;
      begin(EVENT_STOCKS, time, changed.length);
      const firstNew = table.length;
      const sorted = changed
        .map((one) => ({ ...one, row: table.rowOf(one.stock.code) }))
        .sort((a, b) => a.row - b.row);
      let lastRow = -1;
      for (const { row, stock, quoteTime } of sorted) {
        rows.varint(row - lastRow - 1);
        lastRow = row;
        if (row >= firstNew) addJson(stock.code);
        masks.varint(writeFigures(row, stock, time) + writeTexts(row, stock));
        writeQuoteTime(row, time, quoteTime);
      }
      return true;
    },
    other(event) {
      begin(EVENT_OTHER, event.time, 0);
      addJson(event);
      if (event.kind === 'remove')
        for (const code of event.codes) if (table.has(code)) table.clear(table.rowOf(code));
    },
    take() {
      const out = createByteWriter();
      for (const part of [...all.map((writer) => writer.written()), bytesOfJson(json)]) {
        out.varint(part.length);
        out.bytes(part);
      }
      for (const writer of all) writer.clear();
      json = [];
      jsonSize = 0;
      return out.written();
    },
  };
}
