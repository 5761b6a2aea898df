import { ByteReader, ByteWriter } from '#lib/pack.ts';
import {
  CODED_COLUMNS,
  decodeColumn,
  decodeMinutes,
  PREDICTED,
  type StockState,
  type WholeRows,
} from './codec.ts';
import {
  type DayFigures,
  type EntryReader,
  type ReadBefore,
  readPieces,
  SessionPart,
  type StockFacts,
} from './parts.ts';
import type { SessionColumn, StockSession } from './rules/sessionDay.ts';

/** First size of a column of a stock. Most have one byte per row. */
const FIRST_BYTES = 256;

/** Codes of the first rows; later ones are as predicted. */
type Codes = { out: ByteWriter; rows: number };

const MINUTES = CODED_COLUMNS.length;

/** The codes of a stock since the recorder started. */
class StockCodes implements EntryReader {
  rows = 0;
  /** By their index in `CODED_COLUMNS`, then the minutes. */
  private readonly columns: (Codes | undefined)[] = [];

  put(column: number, code: number): void {
    const codes = (this.columns[column] ??= { out: new ByteWriter(FIRST_BYTES), rows: 0 });
    for (; codes.rows < this.rows; codes.rows += 1) codes.out.varint(PREDICTED);
    codes.out.varint(code);
    codes.rows += 1;
  }

  readMinutes(_index: number, state: StockState, rows: WholeRows, from: number): void {
    const input = this.readerOf(MINUTES, rows.rows - from);
    if (input) decodeMinutes(input, state, rows, from);
  }

  readColumn(_index: number, name: SessionColumn, state: StockState, rows: WholeRows, from: number): void {
    const input = this.readerOf(CODED_COLUMNS.indexOf(name), rows.rows - from);
    decodeColumn(input, name, state, rows, { from, unit: 1 });
  }

  private readerOf(column: number, wanted: number): ByteReader | null {
    const codes = this.columns[column];
    if (!codes) return null;
    const written = codes.out.written();
    if (codes.rows >= wanted) return new ByteReader(written);
    const bytes = new Uint8Array(written.length + wanted - codes.rows);
    bytes.set(written);
    return new ByteReader(bytes);
  }
}

type Piece = { part: StockCodes; index: number; rows: number; close: number; isFirst: boolean };

class RunningStock {
  readonly pieces: Piece[] = [];
  /** Not known without decoding: any price and value is possible. */
  readonly day: DayFigures = {
    dayHigh: Number.POSITIVE_INFINITY,
    dayLow: 0,
    dayOpen: Number.NaN,
    dayVolume: Number.POSITIVE_INFINITY,
    dayValue: Number.POSITIVE_INFINITY,
  };

  constructor(public facts: StockFacts) {}
}

/**
 * A session that is recorded now, by stock. Its file has a part for each minute, which would have to be searched for the
 * rows of each stock.
 */
export class RunningSession {
  private readonly byCode = new Map<string, RunningStock>();
  private readonly before: ReadBefore = { stocks: [], sectors: [] };
  private begun = new Set<RunningStock>();

  /** Adds the next part of the file. @throws RangeError if it is damaged */
  add(body: Uint8Array): void {
    const part = new SessionPart(body, this.before);
    if (part.isFresh) this.begun = new Set();
    const pieces = part.entries.map(({ facts }) => this.pieceOf(facts));
    const codes = pieces.map((piece) => piece.part);
    part.eachCode((index, column, code) => codes[index]?.put(column, code));
    for (const [index, { rows }] of part.entries.entries()) {
      const piece = pieces[index];
      if (!piece) continue;
      piece.rows += rows;
      piece.part.rows = piece.rows;
    }
  }

  stocks(): Generator<StockSession> {
    return readPieces(this.byCode.values());
  }

  private pieceOf(facts: StockFacts): Piece {
    const stock = this.byCode.get(facts.code) ?? new RunningStock(facts);
    this.byCode.set(facts.code, stock);
    stock.facts = facts;
    const last = this.begun.has(stock) ? stock.pieces.at(-1) : undefined;
    if (last) return last;
    this.begun.add(stock);
    const piece = { part: new StockCodes(), index: 0, rows: 0, close: facts.close, isFirst: true };
    stock.pieces.push(piece);
    return piece;
  }
}
