import type { Arena } from './arena.ts';
import {
  fits,
  MAX_KEY_DISTANCE,
  readKey,
  readRow,
  readRowInto,
  type BarRow,
  ROWS_A_BLOCK,
  writeRow,
} from './rows.ts';

/** Bars of one stock in the order of time, each key once. */
export type Series = {
  length(): number;
  /** Appends a row; one with the key of the last row replaces it. False, and no change, for an older key. */
  put(row: BarRow): boolean;
  /**
   * Calls `visit` with the rows from index `from` to before `until`, oldest first; with all of them by default. The row is
   * one object that changes after the call: filling a column walks millions of rows.
   */
  each(visit: (row: BarRow) => void, from?: number, until?: number): void;
  /** Undefined outside 0 to length − 1. */
  at(index: number): BarRow | undefined;
  last(): BarRow | undefined;
  /** Index of the first row whose key is not below `key`; length when there is none. */
  indexFrom(key: number): number;
  /** Removes older rows in whole blocks: some rows that are older than `key` may stay. */
  dropBefore(key: number): void;
  clear(): void;
};

type Block = { id: number; first: number; count: number };

type Rows = {
  readonly arena: Arena;
  readonly blocks: Block[];
  /** Rows that the blocks can't hold exactly, by key: rare. */
  readonly inexact: Map<number, BarRow>;
  count: number;
};

function readAt({ arena, inexact }: Rows, { id, first }: Block, at: number): BarRow {
  const row = readRow(arena, id, at, first);
  return inexact.size === 0 ? row : (inexact.get(row.key) ?? row);
}

const lastKey = ({ arena }: Rows, block: Block): number =>
  readKey(arena, block.id, block.count - 1, block.first);

/** The block that takes the next row. */
function blockFor(rows: Rows, key: number): Block {
  const block = rows.blocks.at(-1);
  if (block && block.count < ROWS_A_BLOCK && key - block.first <= MAX_KEY_DISTANCE) return block;
  const added = { id: rows.arena.take(), first: key, count: 0 };
  rows.blocks.push(added);
  return added;
}

function put(rows: Rows, row: BarRow): boolean {
  const { arena, blocks, inexact } = rows;
  const last = blocks.at(-1);
  const newest = last ? lastKey(rows, last) : Number.NEGATIVE_INFINITY;
  if (newest > row.key) return false;
  const block = last && newest === row.key ? last : blockFor(rows, row.key);
  if (newest !== row.key) {
    block.count += 1;
    rows.count += 1;
  }
  writeRow(arena, block.id, block.count - 1, block.first, row);
  // A copy: the caller may use the object for the next row.
  if (!fits(row)) inexact.set(row.key, { ...row });
  else if (inexact.size > 0) inexact.delete(row.key);
  return true;
}

function at(rows: Rows, index: number): BarRow | undefined {
  if (index < 0) return undefined;
  let inside = index;
  for (const block of rows.blocks) {
    if (inside < block.count) return readAt(rows, block, inside);
    inside -= block.count;
  }
  return undefined;
}

function each(rows: Rows, visit: (row: BarRow) => void, from: number, until: number): void {
  const { arena, inexact } = rows;
  const row: BarRow = { key: 0, open: 0, high: 0, low: 0, close: 0, volume: 0 };
  let before = 0;
  for (const block of rows.blocks) {
    if (before >= until) return;
    const end = Math.min(block.count, until - before);
    for (let index = Math.max(0, from - before); index < end; index += 1) {
      readRowInto(row, arena, block.id, index, block.first);
      visit(inexact.size === 0 ? row : (inexact.get(row.key) ?? row));
    }
    before += block.count;
  }
}

function indexFrom(rows: Rows, key: number): number {
  let before = 0;
  for (const block of rows.blocks) {
    if (lastKey(rows, block) < key) {
      before += block.count;
      continue;
    }
    let inside = 0;
    while (readKey(rows.arena, block.id, inside, block.first) < key) inside += 1;
    return before + inside;
  }
  return rows.count;
}

function dropBefore(rows: Rows, key: number): void {
  const { arena, blocks, inexact } = rows;
  for (let block = blocks[0]; block && lastKey(rows, block) < key; block = blocks[0]) {
    blocks.shift();
    rows.count -= block.count;
    arena.give(block.id);
  }
  for (const older of inexact.keys()) if (older < key) inexact.delete(older);
}

function clear(rows: Rows): void {
  for (const { id } of rows.blocks) rows.arena.give(id);
  rows.blocks.length = 0;
  rows.inexact.clear();
  rows.count = 0;
}

/** Rows of 16 bytes in blocks, so that a year of days and a week of minutes of a whole market fit a small computer. */
export function createSeries(arena: Arena): Series {
  const rows: Rows = { arena, blocks: [], inexact: new Map(), count: 0 };
  return {
    length: () => rows.count,
    put: (row) => put(rows, row),
    each: (visit, from = 0, until = rows.count) => each(rows, visit, from, until),
    at: (index) => at(rows, index),
    last() {
      const block = rows.blocks.at(-1);
      return block && readAt(rows, block, block.count - 1);
    },
    indexFrom: (key) => indexFrom(rows, key),
    dropBefore: (key) => dropBefore(rows, key),
    clear: () => clear(rows),
  };
}
