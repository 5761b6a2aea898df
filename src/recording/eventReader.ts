import type { StockUpdate } from '../domain/market/stock.ts';
import { isRecord } from '../lib/json.ts';
import { type ByteReader, createByteReader, readJsonBytes } from './bytes.ts';
import { damaged } from './errors.ts';
import { EVENT_OTHER, EVENT_STOCKS, HAS_TEXTS, QUOTE_DIFFERENCE, QUOTE_SAME } from './eventWriter.ts';
import { FIGURES, foretell, isSame, scaleOf } from './figures.ts';
import type { NewFigures } from './minutes.ts';
import { readNumberToken } from './numberToken.ts';
import { readOther, readTexts } from './readJson.ts';
import type { StockTable } from './stockTable.ts';
import type { RecordedEvent } from './types.ts';

/** More listings than any exchange has: a file that names more is no recording of one. */
const MAX_ROWS = 20_000;

/** The columns that an EventWriter wrote. */
function columnsOf(data: Uint8Array) {
  const reader = createByteReader(data);
  const next = (): Uint8Array => reader.bytes(reader.varint());
  const [events, rows, masks, quotes] = [next(), next(), next(), next()].map(createByteReader);
  const figures: ByteReader[] = FIGURES.map(() => createByteReader(next()));
  const json = readJsonBytes(next());
  if (!events || !rows || !masks || !quotes || !Array.isArray(json)) throw damaged();
  return { events, rows, masks, quotes, figures, json: json.values() };
}

type OnFigures = (figures: NewFigures) => void;
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
  const folded = token - QUOTE_DIFFERENCE;
  return time - (folded % 2 === 0 ? folded / 2 : -(folded + 1) / 2);
}

/** Reads one stock's update and brings the table to it. */
function readUpdate(
  columns: Columns,
  table: StockTable,
  { row, time, now }: NewFigures,
  onFigures?: OnFigures,
) {
  const update: StockUpdate = { code: table.codeOf(row) ?? '' };
  const mask = columns.masks.varint();
  const before = table.numbers();
  const offset = table.offsetOf(row);
  for (const [figure, name] of FIGURES.entries()) {
    const expected = foretell(figure, before, offset, now);
    const column = columns.figures[figure];
    const isWritten = Math.floor(mask / 2 ** figure) % 2 === 1;
    const value =
      isWritten && column ? readNumberToken(column, expected, scaleOf(figure, expected)) : expected;
    now[figure] = value;
    if (!isSame(value, before[offset + figure] ?? Number.NaN))
      update[name] = Number.isNaN(value) ? null : value;
  }
  onFigures?.({ row, time, now });
  before.set(now, offset);
  if (mask >= HAS_TEXTS) {
    const texts = readTexts(nextJson(columns.json));
    table.setTexts(row, texts);
    Object.assign(update, texts);
  }
  const quoteTime = readQuoteTime(columns, table, row, time);
  table.setQuoteTime(row, quoteTime);
  if (!Number.isNaN(quoteTime)) update.quoteTime = quoteTime;
  return update;
}

/**
 * Reads what an EventWriter wrote and brings the table to the end of it.
 * @param from as the writer was given it
 * @param onFigures called for each stock before the table is brought to its figures
 * @throws RecordingError where something does not fit together; the table is of no use then
 */
export function readEvents(
  data: Uint8Array,
  table: StockTable,
  from: number,
  onFigures?: OnFigures,
): RecordedEvent[] {
  const columns = columnsOf(data);
  const now = new Float64Array(FIGURES.length);
  const events: RecordedEvent[] = [];
  let time = from;
  while (!columns.events.isAtEnd) {
    const kind = columns.events.varint();
    time += columns.events.varint();
    const count = columns.events.varint();
    if (kind === EVENT_OTHER) {
      const other = nextJson(columns.json);
      const event = isRecord(other) ? readOther(other, time) : null;
      if (event === null) throw damaged();
      if (event.kind === 'remove')
        for (const code of event.codes) if (table.has(code)) table.clear(table.rowOf(code));
      events.push(event);
      continue;
    }
    if (kind !== EVENT_STOCKS) throw damaged();
    const updates: StockUpdate[] = [];
    let row = -1;
    for (let left = count; left > 0; left -= 1) {
      row = readRow(columns, table, row);
      updates.push(readUpdate(columns, table, { row, time, now }, onFigures));
    }
    events.push({ time, kind: 'stocks', updates });
  }
  return events;
}
