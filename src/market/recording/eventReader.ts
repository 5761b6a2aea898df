import type { StockUpdate } from '../rules/stock.ts';
import { isRecord } from '#lib/json.ts';
import { ByteReader, unzigzag } from '#lib/pack.ts';
import { damaged } from './errors.ts';
import type { RecordedEvent } from './types.ts';
import { EVENT_OTHER, EVENT_STOCKS, HAS_TEXTS, QUOTE_DIFFERENCE, QUOTE_SAME } from './eventWriter.ts';
import { FIGURES, predict, isSame, OUTLINE, scaleOf } from './figures.ts';
import type { NewFigures } from './minutes.ts';
import { readOther, readTexts } from './readJson.ts';
import type { StockTable } from './stockTable.ts';

/** More listings than any exchange has: a file that names more is no recording of one. */
const MAX_ROWS = 20_000;

/** The columns that an EventWriter wrote. */
function columnsOf(data: Uint8Array) {
  const reader = new ByteReader(data, damaged);
  const next = (): ByteReader => new ByteReader(reader.part(), damaged);
  const named = { events: next(), rows: next(), masks: next(), quotes: next() };
  const figures = FIGURES.map(next);
  const json = reader.json();
  if (!Array.isArray(json)) throw damaged();
  return { ...named, figures, json: json.values() };
}

type Columns = ReturnType<typeof columnsOf>;

const nextJson = (json: Columns['json']): unknown => json.next().value;

/** The row of an update; its code is new where the row is. */
function readRow(columns: Columns, table: StockTable, lastRow: number): number {
  const row = lastRow + 1 + columns.rows.varint();
  if (row > table.length || row >= MAX_ROWS) throw damaged();
  if (row === table.length) {
    const code = nextJson(columns.json);
    if (typeof code !== 'string' || table.has(code)) throw damaged();
    table.rowOf(code);
  }
  return row;
}

function readQuoteTime(columns: Columns, table: StockTable, row: number, time: number): number {
  const token = columns.quotes.varint();
  if (token === QUOTE_SAME) return table.quoteTimeOf(row);
  if (token < QUOTE_DIFFERENCE) return Number.NaN;
  return time - unzigzag(token - QUOTE_DIFFERENCE);
}

/** What a reader wants besides the table. */
export type ReadOptions = {
  /** Called for each stock before the table is brought to its figures. */
  onFigures?: (figures: NewFigures) => void;
  /** Of the figures those of the outline alone are needed, and no updates: a fraction of the work. */
  isOutline?: boolean;
  /** Called for each stock once the table is brought to its update. */
  onStock?: (row: number, time: number) => void;
  /** The updates are not needed: only the table and what is no event of stocks. */
  isQuiet?: boolean;
  /** Stops before what came after this moment. */
  until?: number;
};

/** Brings the table to one stock's update, in its outline alone. */
function readOutline(columns: Columns, table: StockTable, { row, time, now }: NewFigures): void {
  const mask = columns.masks.varint();
  const numbers = table.numbers();
  const offset = table.offsetOf(row);
  for (const figure of OUTLINE) {
    const column = columns.figures[figure];
    const expected = predict(figure, numbers, offset, now);
    const isWritten = column && (mask & (1 << figure)) !== 0;
    now[figure] = isWritten ? column.near(expected, scaleOf(figure, expected)) : expected;
  }
  for (const figure of OUTLINE) numbers[offset + figure] = now[figure] ?? Number.NaN;
  if (mask >= HAS_TEXTS) table.setTexts(row, readTexts(nextJson(columns.json)));
  table.setQuoteTime(row, readQuoteTime(columns, table, row, time));
}

/** Reads one stock's update and brings the table to it. @returns null where the updates are not needed */
function readUpdate(
  columns: Columns,
  table: StockTable,
  figures: NewFigures,
  options: ReadOptions,
): StockUpdate | null {
  const { row, time, now } = figures;
  const update: StockUpdate | null = options.isQuiet === true ? null : { code: table.codeOf(row) ?? '' };
  const mask = columns.masks.varint();
  const before = table.numbers();
  const offset = table.offsetOf(row);
  for (let figure = 0; figure < FIGURES.length; figure += 1) {
    const name = FIGURES[figure];
    const column = columns.figures[figure];
    if (!name || !column) continue;
    const expected = predict(figure, before, offset, now);
    const isWritten = (mask & (1 << figure)) !== 0;
    const value = isWritten ? column.near(expected, scaleOf(figure, expected)) : expected;
    now[figure] = value;
    if (update && !isSame(value, before[offset + figure] ?? Number.NaN))
      update[name] = Number.isNaN(value) ? null : value;
  }
  options.onFigures?.(figures);
  before.set(now, offset);
  if (mask >= HAS_TEXTS) {
    const texts = readTexts(nextJson(columns.json));
    table.setTexts(row, texts);
    const { preOpen, ...rest } = texts;
    if (update) Object.assign(update, rest, preOpen && { preOpen: preOpen.snapshot });
  }
  const quoteTime = readQuoteTime(columns, table, row, time);
  table.setQuoteTime(row, quoteTime);
  if (update && !Number.isNaN(quoteTime)) update.quoteTime = quoteTime;
  return update;
}

function readOtherEvent(columns: Columns, table: StockTable, time: number): RecordedEvent {
  const other = nextJson(columns.json);
  const event = isRecord(other) ? readOther(other, time) : null;
  if (event === null) throw damaged();
  if (event.kind === 'remove') table.clearCodes(event.codes);
  return event;
}

/**
 * Reads what an EventWriter wrote and brings the table to the end of it.
 * @param from as the writer was given it
 * @throws RecordingError where something does not fit together; the table is of no use then
 */
export function readEvents(
  data: Uint8Array,
  table: StockTable,
  from: number,
  options: ReadOptions = {},
): RecordedEvent[] {
  const columns = columnsOf(data);
  const now = new Float64Array(FIGURES.length);
  const { until = Number.POSITIVE_INFINITY, isOutline = false, isQuiet = isOutline } = options;
  const events: RecordedEvent[] = [];
  let time = from;
  while (!columns.events.isAtEnd) {
    const kind = columns.events.varint();
    time += columns.events.varint();
    const count = columns.events.varint();
    if (time > until) break;
    if (kind === EVENT_OTHER) {
      events.push(readOtherEvent(columns, table, time));
      continue;
    }
    if (kind !== EVENT_STOCKS) throw damaged();
    const updates: StockUpdate[] = [];
    let row = -1;
    for (let left = count; left > 0; left -= 1) {
      row = readRow(columns, table, row);
      const figures = { row, time, now };
      if (isOutline) readOutline(columns, table, figures);
      else {
        const update = readUpdate(columns, table, figures, options);
        if (update) updates.push(update);
      }
      options.onStock?.(row, time);
    }
    if (!isQuiet) events.push({ time, kind: 'stocks', updates });
  }
  return events;
}
