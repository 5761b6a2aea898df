import type { QuotedFigures, CurrentDay } from './rules/quoteBars.ts';
import type { History } from '../sources/quotes.ts';
import { dateOf, dayOf, dayOfKey } from '../rules/localTime.ts';
import {
  type BarRow,
  fits,
  MAX_KEY_DISTANCE,
  newRow,
  putRow,
  readKey,
  readRow,
  readRowInto,
  RowArena,
  ROWS_A_BLOCK,
  writeRow,
} from './rows.ts';
import { type FrameKey, minutesOf } from './rules/buckets.ts';

export type StockBars = {
  readonly code: string;
  readonly days: Series;
  readonly minutes: Series;
  today: CurrentDay | null;
  lastDay: BarRow | null;
  /** The newest minute with a trade, stored or not; null if unknown. */
  lastMinute: number | null;
  /** The first minute corrected since the last save; null if none was. */
  corrected: number | null;
  lastQuote: QuotedFigures | null;
  hasDays: boolean;
  hasMinutes: boolean;
};

type Block = { id: number; first: number; count: number };

/**
 * Bars of a stock in time order, each key once: 16 bytes per row, so that a year of days and a week of
 * minutes of the market fit a small computer. A class shares its methods; closures per stock take 2 MB for
 * 2,000 stocks.
 */
export class Series {
  private blocks: Block[] = [];
  /** Rows that blocks can't hold exactly, by key; rare. */
  private inexact: Map<number, BarRow> | null = null;
  private count = 0;

  constructor(private readonly arena: RowArena) {}

  length(): number {
    return this.count;
  }

  /** Appends a copy of a row, or replaces the last one with the same key. Returns false for an older key. */
  put(row: BarRow): boolean {
    const last = this.blocks.at(-1);
    const newest = last ? this.lastKey(last) : Number.NEGATIVE_INFINITY;
    if (newest > row.key) return false;
    const block = last && newest === row.key ? last : this.blockFor(row.key);
    if (newest !== row.key) {
      block.count += 1;
      this.count += 1;
    }
    this.write(block, block.count - 1, row);
    return true;
  }

  replace(index: number, row: BarRow): void {
    let inside = index;
    for (const block of this.blocks) {
      if (inside < block.count) return this.write(block, inside, row);
      inside -= block.count;
    }
  }

  /**
   * Visits the rows from index `from` to before `until`, oldest first. The row is one reused object, because
   * a column walks millions of rows.
   */
  each(visit: (row: BarRow) => void, from = 0, until = this.count): void {
    const row = newRow();
    let before = 0;
    for (const block of this.blocks) {
      if (before >= until) return;
      const end = Math.min(block.count, until - before);
      for (let index = Math.max(0, from - before); index < end; index += 1) {
        readRowInto(row, this.arena, block.id, index, block.first);
        visit(this.inexact?.get(row.key) ?? row);
      }
      before += block.count;
    }
  }

  at(index: number): BarRow | undefined {
    if (index < 0) return undefined;
    let inside = index;
    for (const block of this.blocks) {
      if (inside < block.count) return this.readAt(block, inside);
      inside -= block.count;
    }
    return undefined;
  }

  last(): BarRow | undefined {
    const block = this.blocks.at(-1);
    return block && this.readAt(block, block.count - 1);
  }

  indexFrom(key: number): number {
    let before = 0;
    for (const block of this.blocks) {
      if (this.lastKey(block) < key) {
        before += block.count;
        continue;
      }
      let inside = 0;
      while (readKey(this.arena, block.id, inside, block.first) < key) inside += 1;
      return before + inside;
    }
    return this.count;
  }

  /** Drops whole blocks, so some rows older than `key` may stay. */
  dropBefore(key: number): void {
    const { arena, blocks, inexact } = this;
    for (let block = blocks[0]; block && this.lastKey(block) < key; block = blocks[0]) {
      blocks.shift();
      this.count -= block.count;
      arena.release(block.id);
    }
    for (const older of inexact?.keys() ?? []) if (older < key) inexact?.delete(older);
  }

  clear(): void {
    for (const { id } of this.blocks) this.arena.release(id);
    // A new array, because an emptied one keeps its memory.
    this.blocks = [];
    this.inexact = null;
    this.count = 0;
  }

  private write({ id, first }: Block, at: number, row: BarRow): void {
    writeRow(this.arena, id, at, first, row);
    if (!fits(row)) (this.inexact ??= new Map()).set(row.key, { ...row });
    else this.inexact?.delete(row.key);
  }

  private readAt({ id, first }: Block, at: number): BarRow {
    const row = readRow(this.arena, id, at, first);
    return this.inexact?.get(row.key) ?? row;
  }

  private lastKey(block: Block): number {
    return readKey(this.arena, block.id, block.count - 1, block.first);
  }

  private blockFor(key: number): Block {
    const block = this.blocks.at(-1);
    if (block && block.count < ROWS_A_BLOCK && key - block.first <= MAX_KEY_DISTANCE) return block;
    const added = { id: this.arena.allocate(), first: key, count: 0 };
    this.blocks.push(added);
    return added;
  }
}

const EARLIER_DAYS: Readonly<Record<string, number>> = { '60': 10, '120': 10, '240': 20, W: 504, M: 1260 };

/** Days that a frame needs before the stored ones, if the source's history has them. */
export const earlierDayCount = (frame: FrameKey): number => EARLIER_DAYS[frame] ?? 0;

type Past = { history: History; keyAt: (time: number) => number };

/** Memory for earlier rows. Stocks are read one after the other, so they share it. */
export type EarlierRoom = { days: Series; minutes: Series };

export function createEarlierRoom(): EarlierRoom {
  const arena = new RowArena();
  return { days: new Series(arena), minutes: new Series(arena) };
}

function readDays(stockBars: StockBars, { history }: Past, count: number, into: Series): void {
  into.clear();
  const first = stockBars.days.at(0)?.key;
  const missing = count - stockBars.days.length();
  if (first === undefined || missing <= 0) return;
  const row = newRow();
  history.eachDay(stockBars.code, dateOf(first - 1), missing, (bar) => {
    into.put(putRow(row, bar, dayOf(bar.date)));
  });
}

function* readMinutes(
  stockBars: StockBars,
  { history, keyAt }: Past,
  count: number,
  into: Series,
): Generator<undefined, void> {
  into.clear();
  const first = stockBars.minutes.at(0)?.key;
  const until = first === undefined ? stockBars.days.length() : stockBars.days.indexFrom(dayOfKey(first));
  const row = newRow();
  for (let index = Math.max(0, until - count); index < until; index += 1) {
    const day = stockBars.days.at(index);
    if (!day) continue;
    history.eachMinute(stockBars.code, dateOf(day.key), (bar) => {
      into.put(putRow(row, bar, keyAt(bar.time)));
    });
    yield;
  }
}

/** The rows before the stored ones, in steps; null if there are none. Valid until the next frame is read. */
type EarlierRows = (stockBars: StockBars, frame: FrameKey) => Generator<undefined, Series | null>;

/** Reads earlier rows. Minute frames share one read. Without a deep history there are no rows. */
export function createEarlierRows(frames: readonly FrameKey[], past: Past, room: EarlierRoom): EarlierRows {
  const longest = Math.max(0, ...frames.filter((frame) => minutesOf(frame) !== null).map(earlierDayCount));
  let hasMinutes = false;
  return function* (stockBars, frame) {
    const count = earlierDayCount(frame);
    if (count === 0 || !past.history.isDeep) return null;
    if (minutesOf(frame) === null) {
      readDays(stockBars, past, count, room.days);
      return room.days;
    }
    if (!hasMinutes) yield* readMinutes(stockBars, past, longest, room.minutes);
    hasMinutes = true;
    return room.minutes;
  };
}
