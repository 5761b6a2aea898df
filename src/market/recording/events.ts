import { isRecord, type JsonRecord } from '#lib/json.ts';
import { ByteReader, ByteWriter, unzigzag, zigzag } from '#lib/pack.ts';
import { readIsoTime, readNumber, readTime } from '#lib/read.ts';
import { withoutMarks } from '#lib/text.ts';
import type { Release } from '../sources/announcements.ts';
import { applyEventPatch, type CalendarEvent, readStoredEvent } from '../calendar/rules/calendarEvent.ts';
import {
  type PreOpenSnapshot,
  SECURITY_TYPES,
  type Stock,
  STOCK_STATUSES,
  type StockUpdate,
  type Trend,
} from '../rules/stock.ts';
import { damaged, type RecordedEvent } from './types.ts';
import { FIGURES, isSame, OUTLINE, predict, scaleOf } from './figures.ts';
import type { NewFigures } from './minutes.ts';
import type { StockTable, Texts } from './stockTable.ts';

/** The provider's time of the quote; NaN if not stated. */
export type Quoted = { stock: Stock; quoteTime: number };

export type OtherEvent = Exclude<RecordedEvent, { kind: 'stocks' }>;

const HAS_TEXTS = 2 ** FIGURES.length;

const EVENT_STOCKS = 0;
const EVENT_OTHER = 1;

const QUOTE_UNKNOWN = 0;
const QUOTE_SAME = 1;
/** Codes from this value on are differences from the event's time. */
const QUOTE_DIFFERENCE = 2;

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

  /** @param from time of the first event, epoch ms @param onFigures called before the table is updated */
  constructor(
    private readonly table: StockTable,
    from: number,
    private readonly onFigures?: (figures: NewFigures) => void,
  ) {
    this.lastTime = from;
  }

  size(): number {
    return this.columns.reduce((sum, { length }) => sum + length, this.json.length * CODE_OR_TEXTS_BYTES);
  }

  /**
   * Adds stocks whose recorded fields changed.
   * @param time not before the last event
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

  /** Whether a recorded field changed. Indicators are not recorded. */
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

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const oneOf = <T extends string>(choices: readonly T[], value: unknown): T => {
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw damaged();
  return found;
};

const list = <T>(value: unknown, read: (item: unknown) => T): T[] => {
  if (!Array.isArray(value)) throw damaged();
  return value.map(read);
};

function readString(value: unknown): string {
  if (typeof value !== 'string') throw damaged();
  return value;
}

function readTrend(value: unknown): Trend | null {
  if (!isRecord(value)) return null;
  const count = (name: keyof Trend): number => readNumber(value[name]) ?? 0;
  return {
    daysUp: count('daysUp'),
    daysDown: count('daysDown'),
    weeksUp: count('weeksUp'),
    weeksDown: count('weeksDown'),
  };
}

function readTexts(value: unknown): Texts {
  if (!isRecord(value)) throw damaged();
  return {
    name: withoutMarks(readString(value['name'])),
    status: oneOf(STOCK_STATUSES, value['status']),
    sector: text(value['sector']),
    securityType: oneOf(SECURITY_TYPES, value['securityType']),
    trend: readTrend(value['trend']),
    ...(isRecord(value['yearRange']) && {
      yearRange: { high: readNumber(value['yearRange']['high']), low: readNumber(value['yearRange']['low']) },
    }),
    ...(isRecord(value['preOpen']) && { preOpen: { snapshot: readSnapshot(value['preOpen']['snapshot']) } }),
  };
}

function readRelease(value: unknown): Release {
  const time = isRecord(value) ? readTime(value['time']) : null;
  if (!isRecord(value) || time === null) throw damaged();
  return {
    id: readString(value['id']),
    code: readString(value['code']),
    headline: readString(value['headline']),
    url: text(value['url']),
    document: text(value['document']),
    announcementTypes: list(value['announcementTypes'], readString),
    isPriceSensitive: value['isPriceSensitive'] === true,
    time,
  };
}

function readCalendarEvent(value: unknown): CalendarEvent {
  const id = isRecord(value) ? text(value['id']) : null;
  if (!isRecord(value) || id === null || readIsoTime(value['dateUtc']) === null) throw damaged();
  return readStoredEvent(applyEventPatch(id, undefined, value as Partial<CalendarEvent>));
}

function readOther(value: JsonRecord, time: number): OtherEvent | null {
  switch (value['kind']) {
    case 'remove':
      return { time, kind: 'remove', codes: list(value['codes'], readString) };
    case 'announcements':
      return { time, kind: 'announcements', releases: list(value['releases'], readRelease) };
    case 'withdrawn':
      return { time, kind: 'withdrawn', ids: list(value['ids'], readString) };
    case 'calendar':
      return {
        time,
        kind: 'calendar',
        events: list(value['events'], readCalendarEvent),
        removed: list(value['removed'], readString),
      };
    default:
      return null;
  }
}

const orNull = (value: unknown): number | null => readNumber(value);

function readSnapshot(value: unknown): PreOpenSnapshot {
  const capturedAt = isRecord(value) ? readIsoTime(value['capturedAt']) : null;
  if (!isRecord(value) || capturedAt === null) throw damaged();
  return {
    capturedAt,
    indicativeChangePercent: orNull(value['indicativeChangePercent']),
    match_price: orNull(value['match_price']),
    match_vol: orNull(value['match_vol']),
    match_value: orNull(value['match_value']),
    buy_surplus: orNull(value['buy_surplus']),
  };
}

export type BaseRest = {
  releases: Release[];
  events: CalendarEvent[];
  /** When the Market received quotes without a stated time, epoch ms. */
  taken: Record<string, number>;
};

export function readBaseRest(value: unknown): BaseRest {
  if (!isRecord(value) || !isRecord(value['taken'])) throw damaged();
  const taken = Object.entries(value['taken']).map(([code, time]) => [code, readTime(time) ?? 0] as const);
  return {
    releases: list(value['releases'], readRelease),
    events: list(value['events'], readCalendarEvent),
    taken: Object.fromEntries(taken),
  };
}

const MAX_ROWS = 20_000;

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

export type ReadOptions = {
  onFigures?: (figures: NewFigures) => void;
  /** Reads only the outline figures and returns no updates, which is much faster. */
  isOutline?: boolean;
  onStock?: (row: number, time: number) => void;
  isQuiet?: boolean;
  until?: number;
};

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
 * Reads an EventWriter's bytes and updates the table.
 * @param from as given to the writer
 * @throws RecordingError if the data is inconsistent; the table is then unusable
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
