import type { Arena } from './arena.ts';
import { fits, MAX_KEY_DISTANCE, readKey, readRow, type BarRow, ROWS_A_BLOCK, writeRow } from './rows.ts';

/** Bars of one stock in the order of time, each key once. */
export type Series = {
  length(): number;
  /** Appends a row; one whose key is the last takes its place. An older one is refused with false. */
  put(row: BarRow): boolean;
  /** Calls `visit` with every row, oldest first. */
  each(visit: (row: BarRow) => void): void;
  /** Undefined outside 0 to length − 1. */
  at(index: number): BarRow | undefined;
  last(): BarRow | undefined;
  /** Index of the first row whose key is not below; length when there is none. */
  indexFrom(key: number): number;
  /** Forgets older rows, whole blocks at a time: some that are older may stay. */
  dropBefore(key: number): void;
  clear(): void;
};

type Block = { id: number; first: number; count: number };

/** Rows of 16 bytes in blocks, so that a year of days and a week of minutes of a whole market fit a small computer. */
export function createSeries(arena: Arena): Series {
  const blocks: Block[] = [];
  /** Rows that the blocks can't hold exactly, by key: rare. */
  const odd = new Map<number, BarRow>();
  let count = 0;

  const readAt = ({ id, first }: Block, at: number): BarRow => {
    const row = readRow(arena, id, at, first);
    return odd.size === 0 ? row : (odd.get(row.key) ?? row);
  };

  const at = (index: number): BarRow | undefined => {
    if (index < 0 || index >= count) return undefined;
    let left = index;
    for (const block of blocks) {
      if (left < block.count) return readAt(block, left);
      left -= block.count;
    }
    return undefined;
  };

  const last = (): BarRow | undefined => {
    const block = blocks.at(-1);
    return block && readAt(block, block.count - 1);
  };

  const lastKey = (): number => {
    const block = blocks.at(-1);
    return block ? readKey(arena, block.id, block.count - 1, block.first) : Number.NEGATIVE_INFINITY;
  };

  /** The block that takes the next row. */
  const room = (key: number): Block => {
    const block = blocks.at(-1);
    if (block && block.count < ROWS_A_BLOCK && key - block.first <= MAX_KEY_DISTANCE) return block;
    const made = { id: arena.take(), first: key, count: 0 };
    blocks.push(made);
    return made;
  };

  const clear = (): void => {
    for (const { id } of blocks) arena.give(id);
    blocks.length = 0;
    odd.clear();
    count = 0;
  };

  return {
    length: () => count,
    put(row) {
      const newest = lastKey();
      if (newest > row.key) return false;
      const known = newest === row.key ? blocks.at(-1) : undefined;
      const block = known ?? room(row.key);
      if (!known) {
        block.count += 1;
        count += 1;
      }
      writeRow(arena, block.id, block.count - 1, block.first, row);
      if (!fits(row)) odd.set(row.key, row);
      else if (odd.size > 0) odd.delete(row.key);
      return true;
    },
    each(visit) {
      for (const block of blocks) {
        for (let index = 0; index < block.count; index += 1) visit(readAt(block, index));
      }
    },
    at,
    last,
    indexFrom(key) {
      let before = 0;
      for (const block of blocks) {
        if (readKey(arena, block.id, block.count - 1, block.first) < key) {
          before += block.count;
          continue;
        }
        let inside = 0;
        while (readKey(arena, block.id, inside, block.first) < key) inside += 1;
        return before + inside;
      }
      return count;
    },
    dropBefore(key) {
      for (let block = blocks[0]; block; block = blocks[0]) {
        if (readKey(arena, block.id, block.count - 1, block.first) >= key) break;
        blocks.shift();
        count -= block.count;
        arena.give(block.id);
      }
      for (const old of odd.keys()) if (old < key) odd.delete(old);
    },
    clear,
  };
}
