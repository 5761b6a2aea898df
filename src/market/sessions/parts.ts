import { ByteReader, ByteWriter } from '#lib/pack.ts';
import {
  CODED_COLUMNS,
  COLUMN_SCALE,
  decodeColumn,
  decodeMinutes,
  encodeColumn,
  encodeMinutes,
  isPrice,
  MAX_ROWS,
  NEEDED,
  priceOf,
  StockState,
  unitOf,
  wholePrice,
  WholeRows,
  withoutUnit,
} from './codec.ts';
import {
  type OpeningResult,
  SESSION_COLUMNS,
  type SessionColumn,
  type SessionFacts,
  type SessionGap,
  type StockSession,
} from './rules/sessionDay.ts';

/** Version of the byte format. The one before has no averages and no results of the opening auction. */
const VERSION = 3;
const VERSION_BEFORE = 2;

/** Flags of a part: it does not continue the parts before it; it has the whole session. */
const FRESH = 1;
const WHOLE = 2;

const LEVEL = 3;

const damaged = (): RangeError => new RangeError('The session history is damaged.');

const packed = (bytes: Uint8Array): Uint8Array =>
  bytes.length === 0 ? bytes : Bun.zstdCompressSync(bytes, { level: LEVEL });

function unpacked(bytes: Uint8Array): Uint8Array {
  try {
    return Bun.zstdDecompressSync(bytes);
  } catch (cause) {
    throw Object.assign(damaged(), { cause });
  }
}

/** What is known of a stock apart from its minutes. */
export type StockFacts = Pick<
  SessionFacts,
  'code' | 'isFund' | 'sector' | 'close' | 'yearHigh' | 'yearLow' | 'opening'
>;
export type DayFigures = Omit<SessionFacts, keyof StockFacts>;

/** The session's hours in minutes of the day, and the minutes with data. */
export type SessionCoverage = { hours: SessionGap; covered: readonly SessionGap[] };

const DAY_COLUMNS = ['open', 'high', 'low', 'volume', 'value'] as const;

function dayFiguresOf(rows: WholeRows): DayFigures {
  const [opens, highs, lows] = [rows.column('open'), rows.column('high'), rows.column('low')];
  let [high, low] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  let [first, last] = [-1, -1];
  for (let row = 0; row < rows.rows; row += 1) {
    if (rows.traded[row] !== 1) continue;
    if (first < 0 && !Number.isNaN(opens[row])) first = row;
    last = row;
    const [highest, lowest] = [highs[row] ?? Number.NaN, lows[row] ?? Number.NaN];
    if (highest > high) high = highest;
    if (lowest < low) low = lowest;
  }
  return {
    dayHigh: Number.isFinite(high) ? priceOf(high) : Number.NaN,
    dayLow: Number.isFinite(low) ? priceOf(low) : Number.NaN,
    dayOpen: priceOf(opens[first] ?? Number.NaN),
    dayVolume: rows.column('volume')[last] ?? Number.NaN,
    dayValue: (rows.column('value')[last] ?? Number.NaN) / COLUMN_SCALE.value,
  };
}

const FACT_PRICES = ['close', 'yearHigh', 'yearLow'] as const;
const DAY_FIGURES = [
  ['dayHigh', COLUMN_SCALE.high],
  ['dayLow', COLUMN_SCALE.low],
  ['dayOpen', COLUMN_SCALE.open],
  ['dayVolume', COLUMN_SCALE.volume],
  ['dayValue', COLUMN_SCALE.value],
] as const;

const orNull = (whole: number): number | null => (Number.isNaN(whole) ? null : whole);

type KnownStock = { number: number; state: StockState; facts: StockFacts | null };

const isSameFacts = (a: StockFacts, b: StockFacts): boolean =>
  a.isFund === b.isFund &&
  a.sector === b.sector &&
  a.opening?.minute === b.opening?.minute &&
  FACT_PRICES.every((price) => Object.is(a[price], b[price]));

/**
 * Writes the parts of a session. A part continues the ones before it of the same writer, so that a minute costs only
 * its differences.
 */
export class SessionWriter {
  private readonly stocks = new Map<string, KnownStock>();
  private readonly sectors = new Map<string, number>();
  private readonly directory = new ByteWriter();
  private readonly minutes = new ByteWriter();
  private readonly scratch = new ByteWriter();
  private readonly columns = CODED_COLUMNS.map((name) => ({ name, out: new ByteWriter() }));
  private lastNumber = 0;
  private added = 0;
  private isFresh = true;

  /** @param isWhole whether each part has a whole session: each stock is added once, with all its rows */
  constructor(private readonly isWhole: boolean) {}

  /** Number of stocks since the last part. */
  get size(): number {
    return this.added;
  }

  /** Adds rows of a stock, once per part. Rows are those after its last ones, by minute. */
  add(facts: StockFacts, rows: WholeRows): void {
    const existing = this.stocks.get(facts.code);
    const known = existing ?? {
      number: this.stocks.size,
      state: new StockState(facts.close),
      facts: null,
    };
    if (!existing) this.stocks.set(facts.code, known);
    const { state } = known;
    // Fewer digits are worth the search only in many rows.
    const unit = this.isWhole ? unitOf(state, rows) : 1;
    this.put(this.minutes, (out) => encodeMinutes(out, state, rows));
    let mask = 0;
    for (const [bit, { name, out }] of this.columns.entries()) {
      const before = out.length;
      this.put(out, (to) => encodeColumn(to, name, state, rows, isPrice(name) ? unit : 1));
      if (out.length > before) mask += 2 ** bit;
    }
    this.addEntry(facts, known, rows, { isNew: existing === undefined, mask, unit });
  }

  /** Writes a stock's numbers of a stream; in a whole session after their length, so that readers can jump over them. */
  private put(stream: ByteWriter, write: (out: ByteWriter) => unknown): void {
    if (!this.isWhole) {
      write(stream);
      return;
    }
    const { scratch } = this;
    scratch.clear();
    write(scratch);
    if (scratch.length > 0) stream.part(scratch.written());
  }

  /** Ends a part. @returns its bytes */
  part({ hours, covered }: SessionCoverage): Uint8Array {
    const out = new ByteWriter();
    out.varint(VERSION);
    out.varint((this.isFresh ? FRESH : 0) + (this.isWhole ? WHOLE : 0));
    for (const { from, until } of [hours, ...covered]) {
      out.varint(from);
      out.varint(until + 1);
    }
    out.varint(0);
    out.varint(0);
    out.varint(this.added);
    for (const stream of [this.directory, this.minutes, ...this.columns.map((column) => column.out)]) {
      out.part(packed(stream.written()));
      stream.clear();
    }
    // A whole session has one part, so that the next one is another session in the same buffers.
    if (this.isWhole) {
      this.stocks.clear();
      this.sectors.clear();
    } else this.isFresh = false;
    this.lastNumber = 0;
    this.added = 0;
    return out.written();
  }

  private addEntry(
    facts: StockFacts,
    known: KnownStock,
    rows: WholeRows,
    { isNew, mask, unit }: { isNew: boolean; mask: number; unit: number },
  ): void {
    const { directory } = this;
    const { code, isFund, sector, close, yearHigh, yearLow, opening } = facts;
    const isChanged = !known.facts || !isSameFacts(known.facts, facts);
    directory.nullable(known.number - this.lastNumber);
    directory.varint((isNew ? 1 : 0) + (isChanged ? 2 : 0));
    if (isNew) directory.text(facts.code);
    if (isChanged) this.addFacts(facts);
    directory.varint(rows.rows);
    directory.varint(mask);
    directory.varint(unit);
    if (this.isWhole) {
      const day = dayFiguresOf(rows);
      for (const [figure, scale] of DAY_FIGURES) directory.nullable(orNull(Math.round(day[figure] * scale)));
    }
    if (isChanged) known.facts = { code, isFund, sector, close, yearHigh, yearLow, opening };
    this.lastNumber = known.number;
    this.added += 1;
  }

  private addFacts(facts: StockFacts): void {
    const { directory, sectors } = this;
    directory.varint(facts.isFund ? 1 : 0);
    const sector = facts.sector ?? '';
    const number = sectors.get(sector);
    directory.varint(number ?? sectors.size);
    if (number === undefined) {
      sectors.set(sector, sectors.size);
      directory.text(sector);
    }
    for (const price of FACT_PRICES) directory.nullable(orNull(wholePrice(facts[price])));
    const { opening } = facts;
    directory.nullable(opening && opening.minute);
    if (!opening) return;
    for (const whole of [wholePrice(opening.price), opening.volume, opening.surplus])
      directory.nullable(orNull(whole));
  }
}

type Entry = {
  facts: StockFacts;
  day: DayFigures | null;
  rows: number;
  mask: number;
  unit: number;
};

/** What the parts of a writer have in common, while they are read in order. */
export type ReadBefore = { stocks: StockFacts[]; sectors: string[] };

const orNaN = (whole: number | null): number => whole ?? Number.NaN;

function readOpening(input: ByteReader): OpeningResult | null {
  const minute = input.nullable();
  if (minute === null) return null;
  const [price = Number.NaN, volume = Number.NaN, surplus = Number.NaN] = [0, 1, 2].map(() =>
    orNaN(input.nullable()),
  );
  return { minute, price: priceOf(price), volume, surplus };
}

function readFacts(input: ByteReader, code: string, { sectors }: ReadBefore, version: number): StockFacts {
  const isFund = input.varint() === 1;
  const number = input.varint();
  if (number === sectors.length) sectors.push(input.text());
  const sector = sectors[number];
  if (sector === undefined) throw damaged();
  const [close = Number.NaN, yearHigh = Number.NaN, yearLow = Number.NaN] = FACT_PRICES.map(() =>
    priceOf(orNaN(input.nullable())),
  );
  const opening = version === VERSION ? readOpening(input) : null;
  return { code, isFund, sector: sector === '' ? null : sector, close, yearHigh, yearLow, opening };
}

function readDay(input: ByteReader): DayFigures {
  const day = {} as DayFigures;
  for (const [figure, scale] of DAY_FIGURES) day[figure] = orNaN(input.nullable()) / scale;
  return day;
}

const NOTHING = new Uint8Array();

/** Where the numbers of each entry begin, which follow their length in bytes. */
function offsetsIn(input: ByteReader, counts: readonly number[]): Uint32Array {
  const offsets = new Uint32Array(counts.length);
  for (const [index, count] of counts.entries()) {
    if (count === 0) continue;
    const length = input.varint();
    offsets[index] = input.position;
    input.bytes(length);
  }
  return offsets;
}

const HAS_UNIT = CODED_COLUMNS.map(isPrice);

/** A column of a part. Without lengths, it skips the stocks before one, which are usually read in order. */
class Stream {
  private input: ByteReader | null = null;
  private offsets: Uint32Array | null = null;
  private next = 0;

  constructor(
    private readonly packed: Uint8Array,
    /** Whether the numbers of each entry follow their length in bytes. */
    private readonly hasLengths: boolean,
    /** Numbers that an entry has in this column. */
    private readonly countOf: (entry: Entry) => number,
  ) {}

  /** @returns the column at an entry; null if the entry has no numbers in it */
  at(entries: readonly Entry[], index: number): ByteReader | null {
    const entry = entries[index];
    if (!entry || this.countOf(entry) === 0) return null;
    if (this.hasLengths) {
      this.input ??= new ByteReader(unpacked(this.packed), damaged);
      this.offsets ??= offsetsIn(this.input, entries.map(this.countOf));
      this.input.seek(this.offsets[index] ?? 0);
      return this.input;
    }
    if (!this.input || index < this.next) {
      this.input = new ByteReader(unpacked(this.packed), damaged);
      this.next = 0;
    }
    for (; this.next < index; this.next += 1) {
      const passed = entries[this.next];
      this.input.skip(passed ? this.countOf(passed) : 0);
    }
    this.next = index + 1;
    return this.input;
  }

  /** All numbers from the first on; null without any. */
  reader(): ByteReader | null {
    return this.packed.length === 0 ? null : new ByteReader(unpacked(this.packed), damaged);
  }
}

/** @param bytes the first of a part */
export const isWholePart = ([version, flags = 0]: Uint8Array): boolean =>
  (version === VERSION || version === VERSION_BEFORE) && flags >= WHOLE;

/** A part of a session, whose columns are unpacked when they are first needed. */
export class SessionPart {
  readonly isFresh: boolean;
  readonly isWhole: boolean;
  readonly coverage: SessionCoverage;
  readonly entries: readonly Entry[];
  private readonly minutes: Stream;
  private readonly columns: ReadonlyMap<SessionColumn, Stream>;

  /** @throws RangeError for damaged bytes or another version */
  constructor(bytes: Uint8Array, before: ReadBefore) {
    const input = new ByteReader(bytes, damaged);
    const version = input.varint();
    if (version !== VERSION && version !== VERSION_BEFORE)
      throw new RangeError('The session history has another format version.');
    const flags = input.varint();
    this.isFresh = flags % 2 === FRESH;
    this.isWhole = flags >= WHOLE;
    if (this.isFresh) {
      before.stocks.length = 0;
      before.sectors.length = 0;
    }
    this.coverage = readCoverage(input);
    const count = input.varint();
    this.entries = this.readEntries(input.part(), count, before, version);
    this.minutes = new Stream(input.part(), this.isWhole, (entry) => entry.rows);
    this.columns = new Map(
      CODED_COLUMNS.map((name, bit) => [
        name,
        new Stream(input.isAtEnd ? NOTHING : input.part(), this.isWhole, ({ mask, rows }) =>
          ((mask >> bit) & 1) === 1 ? rows : 0,
        ),
      ]),
    );
  }

  readMinutes(index: number, state: StockState, rows: WholeRows, from: number): void {
    const input = this.minutes.at(this.entries, index);
    if (input) decodeMinutes(input, state, rows, from);
  }

  readColumn(index: number, name: SessionColumn, state: StockState, rows: WholeRows, from: number): void {
    const input = this.columns.get(name)?.at(this.entries, index) ?? null;
    const unit = isPrice(name) ? (this.entries[index]?.unit ?? 1) : 1;
    decodeColumn(input, name, state, rows, { from, unit });
  }

  /** Passes all codes, entry by entry: `column` is one of `CODED_COLUMNS`, and their number for the minutes. */
  eachCode(take: (index: number, column: number, code: number) => void): void {
    const streams = [...this.columns.values(), this.minutes].map((stream) => stream.reader());
    for (const [index, entry] of this.entries.entries()) {
      for (let column = 0; column < streams.length; column += 1) {
        const stream = streams[column];
        const isMinutes = column === CODED_COLUMNS.length;
        if (!stream || (!isMinutes && ((entry.mask >> column) & 1) === 0)) continue;
        const unit = HAS_UNIT[column] ? entry.unit : 1;
        for (let left = entry.rows; left > 0; left -= 1)
          take(index, column, withoutUnit(stream.varint(), unit));
      }
    }
  }

  private readEntries(bytes: Uint8Array, count: number, before: ReadBefore, version: number): Entry[] {
    if (count === 0) return [];
    const input = new ByteReader(unpacked(bytes), damaged);
    const entries: Entry[] = [];
    let number = 0;
    for (let index = 0; index < count; index += 1) {
      number += input.nullable() ?? 0;
      const flags = input.varint();
      const code = flags % 2 === 1 ? input.text() : (before.stocks[number]?.code ?? '');
      if (flags >= 2) before.stocks[number] = readFacts(input, code, before, version);
      const facts = before.stocks[number];
      const [rows, mask, unit] = [input.varint(), input.varint(), input.varint()];
      if (!facts || code === '' || rows > MAX_ROWS) throw damaged();
      entries.push({ facts, rows, mask, unit, day: this.isWhole ? readDay(input) : null });
    }
    return entries;
  }
}

function readCoverage(input: ByteReader): SessionCoverage {
  const spans: SessionGap[] = [];
  for (;;) {
    const from = input.varint();
    const end = input.varint();
    if (end === 0) break;
    spans.push({ from, until: end - 1 });
  }
  const [hours, ...covered] = spans;
  if (!hours) throw damaged();
  return { hours, covered };
}

/** Reads the rows of an entry. */
export type EntryReader = Pick<SessionPart, 'readMinutes' | 'readColumn'>;

/** Rows of a stock in a part; `isFirst` if no earlier rows continue in them. */
type Piece = { part: EntryReader; index: number; rows: number; close: number; isFirst: boolean };

export type StockPieces = { facts: StockFacts; day: DayFigures | null; pieces: Piece[] };

export function piecesOf(parts: readonly SessionPart[]): Iterable<StockPieces> {
  const stocks = new Map<string, StockPieces>();
  let begun = new Set<string>();
  for (const part of parts) {
    if (part.isFresh) begun = new Set();
    if (part.isWhole) stocks.clear();
    for (const [index, { facts, day, rows }] of part.entries.entries()) {
      const piece = { part, index, rows, close: facts.close, isFirst: !begun.has(facts.code) };
      begun.add(facts.code);
      const known = stocks.get(facts.code);
      if (known) {
        known.facts = facts;
        known.pieces.push(piece);
      } else stocks.set(facts.code, { facts, day, pieces: [piece] });
    }
  }
  return stocks.values();
}

/** The stock that is being read; reused for the next one. */
class ReadStock implements StockSession {
  code = '';
  isFund = false;
  sector: string | null = null;
  close = Number.NaN;
  yearHigh = Number.NaN;
  yearLow = Number.NaN;
  opening: OpeningResult | null = null;
  dayHigh = Number.NaN;
  dayLow = Number.NaN;
  dayOpen = Number.NaN;
  dayVolume = Number.NaN;
  dayValue = Number.NaN;
  rows = 0;
  readonly whole = new WholeRows();
  private pieces: readonly Piece[] = [];
  private readonly state = new StockState(Number.NaN);
  private hasMinutes = false;
  private readonly decoded = new Set<SessionColumn>();
  private readonly shown = new Map<SessionColumn, Float64Array>();
  private readonly scaled = new Set<SessionColumn>();

  get minutes(): Uint16Array {
    this.decodeMinutes();
    return this.whole.minutes;
  }

  load({ facts, day, pieces }: StockPieces): void {
    this.rows = pieces.reduce((sum, { rows }) => sum + rows, 0);
    if (this.rows > MAX_ROWS) throw damaged();
    this.pieces = pieces;
    this.whole.rows = this.rows;
    this.hasMinutes = false;
    this.decoded.clear();
    this.scaled.clear();
    this.code = facts.code;
    this.isFund = facts.isFund;
    this.sector = facts.sector;
    this.close = facts.close;
    this.yearHigh = facts.yearHigh;
    this.yearLow = facts.yearLow;
    this.opening = facts.opening;
    const figures = day ?? this.dayFigures();
    this.dayHigh = figures.dayHigh;
    this.dayLow = figures.dayLow;
    this.dayOpen = figures.dayOpen;
    this.dayVolume = figures.dayVolume;
    this.dayValue = figures.dayValue;
  }

  cutAfter(minute: number): void {
    const { minutes } = this;
    while (this.rows > 0 && (minutes[this.rows - 1] ?? 0) > minute) this.rows -= 1;
    this.whole.rows = this.rows;
    this.decoded.clear();
    this.scaled.clear();
  }

  column(name: SessionColumn): Float64Array {
    this.decode(name);
    const scale = COLUMN_SCALE[name];
    const wholes = this.whole.column(name);
    if (scale === 1) return wholes;
    const known = this.shown.get(name);
    if (known && this.scaled.has(name)) return known;
    const values = known ?? new Float64Array(MAX_ROWS);
    this.shown.set(name, values);
    this.scaled.add(name);
    for (let row = 0; row < this.rows; row += 1) values[row] = (wholes[row] ?? Number.NaN) / scale;
    return values;
  }

  /** All rows in whole numbers. */
  everything(): WholeRows {
    for (const name of SESSION_COLUMNS) this.decode(name);
    return this.whole;
  }

  private dayFigures(): DayFigures {
    for (const name of DAY_COLUMNS) this.decode(name);
    return dayFiguresOf(this.whole);
  }

  private decode(name: SessionColumn): void {
    if (this.decoded.has(name)) return;
    this.decoded.add(name);
    this.decodeMinutes();
    for (const needed of NEEDED[name] ?? []) this.decode(needed);
    this.eachPiece(({ part, index, close, isFirst }, from) => {
      if (isFirst) this.state.restart(name, close);
      part.readColumn(index, name, this.state, this.whole, from);
    });
  }

  private decodeMinutes(): void {
    if (this.hasMinutes) return;
    this.hasMinutes = true;
    this.eachPiece(({ part, index, isFirst }, from) => {
      if (isFirst) this.state.minute = -1;
      part.readMinutes(index, this.state, this.whole, from);
    });
  }

  /** @param read called with the row at which the piece begins, while the rows end with it */
  private eachPiece(read: (piece: Piece, from: number) => void): void {
    let from = 0;
    for (const piece of this.pieces) {
      if (from === this.rows) return;
      this.whole.rows = Math.min(this.rows, from + piece.rows);
      read(piece, from);
      from = this.whole.rows;
    }
  }
}

/** One reused object after the other. */
export function* readPieces(stocks: Iterable<StockPieces>): Generator<ReadStock> {
  const stock = new ReadStock();
  for (const pieces of stocks) {
    stock.load(pieces);
    yield stock;
  }
}

/** The stocks of a session's parts. */
export const readStocks = (parts: readonly SessionPart[]): Generator<ReadStock> =>
  readPieces(piecesOf(parts));

/**
 * Reads parts in order, up to the first unreadable one.
 * @returns also the error
 */
export function readParts(bodies: Iterable<Uint8Array>): { parts: SessionPart[]; error: unknown } {
  const before: ReadBefore = { stocks: [], sectors: [] };
  const parts: SessionPart[] = [];
  try {
    for (const body of bodies) parts.push(new SessionPart(body, before));
  } catch (error) {
    return { parts, error };
  }
  return { parts, error: null };
}

/** The coverage of a part; its first bytes are enough. @throws RangeError if they end within it */
export function coverageIn(body: Uint8Array): SessionCoverage {
  const input = new ByteReader(body, damaged);
  input.skip(2);
  return readCoverage(input);
}

function joined(spans: readonly SessionGap[]): SessionGap[] {
  const list: SessionGap[] = [];
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const last = list.at(-1);
    if (last && span.from <= last.until) last.until = Math.max(last.until, span.until);
    else if (span.until > span.from) list.push({ ...span });
  }
  return list;
}

/** What all parts cover together. */
export function coverageOf(parts: readonly Pick<SessionPart, 'coverage'>[]): SessionCoverage {
  const hours = parts.at(-1)?.coverage.hours ?? { from: 0, until: 0 };
  return { hours, covered: joined(parts.flatMap(({ coverage }) => coverage.covered)) };
}

/** The minutes of the hours without data; of a running session only those before its last minute with data. */
export function gapsOf({ hours, covered }: SessionCoverage, isComplete: boolean): SessionGap[] {
  const gaps: SessionGap[] = [];
  let from = hours.from;
  for (const span of covered) {
    if (span.from > from) gaps.push({ from, until: Math.min(span.from, hours.until) });
    from = Math.max(from, span.until);
  }
  if (isComplete && from < hours.until) gaps.push({ from, until: hours.until });
  return gaps.filter((gap) => gap.until > gap.from);
}
