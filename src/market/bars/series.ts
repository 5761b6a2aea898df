import {
  fits,
  MAX_KEY_DISTANCE,
  newRow,
  readKey,
  readRow,
  readRowInto,
  type BarRow,
  type RowArena,
  ROWS_A_BLOCK,
  writeRow,
} from './rows.ts';

type Block = { id: number; first: number; count: number };

/**
 * Bars of one stock in the order of time, each key once: rows of 16 bytes in blocks, so that a year of days and a week of
 * minutes of a whole market fit a small computer. It is a class because its methods are shared: two objects with
 * closures per stock took 2 MB for 2,000 stocks.
 */
export class Series {
  private blocks: Block[] = [];
  /** Rows that the blocks can't hold exactly, by key: rare. */
  private inexact: Map<number, BarRow> | null = null;
  private count = 0;

  constructor(private readonly arena: RowArena) {}

  length(): number {
    return this.count;
  }

  /**
   * Appends a row; one with the key of the last row replaces it. False, and no change, for an older key. The object is the
   * caller's again after the call.
   */
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

  /** Puts a row in the place of the one at an index; it has the same key. */
  replace(index: number, row: BarRow): void {
    let inside = index;
    for (const block of this.blocks) {
      if (inside < block.count) return this.write(block, inside, row);
      inside -= block.count;
    }
  }

  /**
   * Calls `visit` with the rows from index `from` to before `until`, oldest first; with all of them by default. The row is
   * one object that changes after the call: filling a column walks millions of rows.
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

  /** Undefined outside 0 to length − 1. */
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

  /** Index of the first row whose key is not below `key`; length when there is none. */
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

  /** Removes older rows in whole blocks: some rows that are older than `key` may stay. */
  dropBefore(key: number): void {
    const { arena, blocks, inexact } = this;
    for (let block = blocks[0]; block && this.lastKey(block) < key; block = blocks[0]) {
      blocks.shift();
      this.count -= block.count;
      arena.give(block.id);
    }
    for (const older of inexact?.keys() ?? []) if (older < key) inexact?.delete(older);
  }

  clear(): void {
    for (const { id } of this.blocks) this.arena.give(id);
    // Not emptied: an array keeps the room that it has had.
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

  /** The block that takes the next row. */
  private blockFor(key: number): Block {
    const block = this.blocks.at(-1);
    if (block && block.count < ROWS_A_BLOCK && key - block.first <= MAX_KEY_DISTANCE) return block;
    const added = { id: this.arena.take(), first: key, count: 0 };
    this.blocks.push(added);
    return added;
  }
}
