import {
  HISTORY_FIELDS,
  HISTORY_TABLES,
  type HistoryField,
  type HistoryTable,
  type HistoryValues,
} from '#market/scanners/rules/historyTables.ts';
import { matchOf, percentOf } from '#market/derive.ts';
import { ByteReader, ByteWriter } from '#lib/pack.ts';

export type HistoryRow = { code: string; values: HistoryValues };

/** All tables at one minute; their rows have no order. */
export type HistoryFrame = {
  /** Minutes since the epoch on the market's clock. */
  minute: number;
  tables: ReadonlyMap<HistoryTable, readonly HistoryRow[]>;
};

/** Version of the byte format; other versions are ignored. */
const VERSION = 1;

/** Factor that makes a field's value a whole number: the Market's digits, and four for prices. */
const SCALE: Readonly<Record<HistoryField, number>> = {
  last: 1e4,
  close: 1e4,
  open: 1e4,
  high: 1e4,
  low: 1e4,
  vwap: 1e4,
  value: 1,
  change_percent: 1e3,
  relativeVolume: 1e3,
  match_price: 1e4,
  match_vol: 1,
  match_value: 1,
  indicativeChangePercent: 1e3,
  buy_surplus: 1,
  marketCap: 1,
  isLarge: 1,
};

/** Larger numbers would lose digits; no stock has them. */
const MAX_SCALED = 2 ** 50;

/** Averages are truncated as in the Market, so that they are rounded only once, on display. */
function scaled(field: HistoryField, value: number | null): number | null {
  if (value === null) return null;
  const exact = value * SCALE[field];
  const whole = field === 'vwap' ? Math.trunc(exact * (1 + 1e-12)) : Math.round(exact);
  return Math.abs(whole) <= MAX_SCALED ? whole + 0 : null;
}

const unscaled = (field: HistoryField, whole: number | null): number | null =>
  whole === null ? null : whole / SCALE[field];

type Whole = number | null;
type Predict = (row: readonly Whole[]) => Whole;

const unpredicted: Predict = () => null;

/**
 * Predicts a field from earlier fields of the row, computed as in the Market; null for no prediction. A correct one
 * costs nothing after compression.
 */
function predictorOf(fields: readonly HistoryField[], field: HistoryField): Predict {
  const reader = (name: HistoryField) => {
    const index = fields.indexOf(name);
    return (row: readonly Whole[]) => unscaled(name, row[index] ?? null);
  };
  const percent = (now: HistoryField): Predict => {
    const [readNow, readClose] = [reader(now), reader('close')];
    return (row) => scaled(field, percentOf(readNow(row), readClose(row)));
  };
  switch (field) {
    case 'change_percent':
      return percent('last');
    case 'indicativeChangePercent':
      return percent('match_price');
    case 'match_value': {
      const [readPrice, readVolume] = [reader('match_price'), reader('match_vol')];
      return (row) => scaled(field, matchOf(readPrice(row), readVolume(row), null).match_value);
    }
    default:
      return unpredicted;
  }
}

const COLUMNS = new Map(
  HISTORY_TABLES.map((table) => [
    table,
    HISTORY_FIELDS[table].map((field) => ({ field, predict: predictorOf(HISTORY_FIELDS[table], field) })),
  ]),
);

type TableMemory = {
  /** Last figures of each stock in the table, by stock number. */
  known: Map<number, Whole[]>;
  members: Set<number>;
};

const newMemory = (): Map<HistoryTable, TableMemory> =>
  new Map(HISTORY_TABLES.map((table) => [table, { known: new Map(), members: new Set() }]));

/** Writes minutes as differences to the previous one. */
export class HistoryWriter {
  private readonly out = new ByteWriter();
  private readonly numbers = new Map<string, number>();
  private readonly memory = newMemory();
  private last: number | null = null;
  count = 0;

  constructor() {
    this.out.varint(VERSION);
  }

  /** Adds a minute. @param frame later than the previous one */
  add({ minute, tables }: HistoryFrame): void {
    const { out } = this;
    out.varint(minute - (this.last ?? 0));
    this.last = minute;
    this.count += 1;
    this.addCodes(tables);
    for (const table of HISTORY_TABLES) this.addTable(table, tables.get(table) ?? []);
  }

  /** The bytes so far, uncompressed. Adding a minute invalidates them. */
  written(): Uint8Array {
    return this.out.written();
  }

  private addCodes(tables: HistoryFrame['tables']): void {
    const fresh: string[] = [];
    for (const rows of tables.values()) {
      for (const { code } of rows) {
        if (this.numbers.has(code)) continue;
        this.numbers.set(code, this.numbers.size);
        fresh.push(code);
      }
    }
    this.out.varint(fresh.length);
    for (const code of fresh) this.out.text(code);
  }

  private addTable(table: HistoryTable, rows: readonly HistoryRow[]): void {
    const memory = this.memory.get(table);
    if (!memory) return;
    const now = new Map<number, HistoryValues>();
    for (const { code, values } of rows) now.set(this.numbers.get(code) ?? 0, values);
    const left = [...memory.members].filter((number) => !now.has(number));
    const entered = [...now.keys()].filter((number) => !memory.members.has(number)).sort((a, b) => a - b);
    this.addNumbers(left);
    this.addNumbers(entered);
    for (const number of left) memory.members.delete(number);
    for (const number of entered) memory.members.add(number);
    this.addFigures(table, memory, now);
  }

  private addNumbers(numbers: readonly number[]): void {
    this.out.varint(numbers.length);
    let before = 0;
    for (const number of numbers) {
      this.out.nullable(number - before);
      before = number;
    }
  }

  private addFigures(
    table: HistoryTable,
    { known, members }: TableMemory,
    now: Map<number, HistoryValues>,
  ): void {
    const columns = COLUMNS.get(table) ?? [];
    const rows = [...members].map((number) => ({
      before: known.get(number),
      row: columns.map(({ field }, index) => scaled(field, now.get(number)?.[index] ?? null)),
      number,
    }));
    // Written column by column, so that similar values are adjacent.
    for (const [index, { predict }] of columns.entries()) {
      for (const { row, before } of rows) {
        const value = row[index] ?? null;
        const base = predict(row) ?? before?.[index] ?? 0;
        this.out.nullable(value === null ? null : value - base);
      }
    }
    for (const { number, row } of rows) known.set(number, row);
  }
}

/** The rows of a table at a minute: figures row by row in field order, NaN for unknown. */
export type PackedRows = { codes: string[]; figures: Float64Array };

/** A minute being read; call `rows` before reading the next minute. */
export type ReadFrame = { minute: number; rows(table: HistoryTable): PackedRows };

/** Reads what a HistoryWriter wrote. @throws RangeError for truncated bytes or another version */
export function* readHistory(bytes: Uint8Array): Generator<ReadFrame> {
  const input = new ByteReader(bytes);
  if (input.varint() !== VERSION) throw new RangeError('The scanner history has another format version.');
  const codes: string[] = [];
  const memory = newMemory();
  const rows = (table: HistoryTable): PackedRows => rowsOf(table, memory, codes);
  let minute = 0;
  while (!input.isAtEnd) {
    minute += input.varint();
    for (let left = input.varint(); left > 0; left -= 1) codes.push(input.text());
    for (const [table, own] of memory) readTable(input, table, own);
    yield { minute, rows };
  }
}

function readNumbers(input: ByteReader, each: (number: number) => void): void {
  let number = 0;
  for (let left = input.varint(); left > 0; left -= 1) {
    number += input.nullable() ?? 0;
    each(number);
  }
}

function readTable(input: ByteReader, table: HistoryTable, { known, members }: TableMemory): void {
  readNumbers(input, (number) => members.delete(number));
  readNumbers(input, (number) => {
    members.add(number);
    if (!known.has(number)) known.set(number, []);
  });
  const rows = [...members].map((number) => known.get(number) ?? []);
  // Updated in place, because a column's old figures are not needed after its new ones.
  for (const [index, { predict }] of (COLUMNS.get(table) ?? []).entries()) {
    for (const row of rows) {
      const difference = input.nullable();
      row[index] = difference === null ? null : difference + (predict(row) ?? row[index] ?? 0);
    }
  }
}

function rowsOf(
  table: HistoryTable,
  memory: ReadonlyMap<HistoryTable, TableMemory>,
  codes: readonly string[],
): PackedRows {
  const own = memory.get(table);
  const fields = HISTORY_FIELDS[table];
  const members = [...(own?.members ?? [])];
  const figures = new Float64Array(members.length * fields.length);
  let place = 0;
  for (const number of members) {
    const known = own?.known.get(number);
    for (const [index, field] of fields.entries()) {
      figures[place] = unscaled(field, known?.[index] ?? null) ?? Number.NaN;
      place += 1;
    }
  }
  return { codes: members.map((number) => codes[number] ?? ''), figures };
}
