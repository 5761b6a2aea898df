import type { Bar } from './rules/bars.ts';

const BLOCKS_A_SLAB = 512;

type Slab = { floats: Float32Array; shorts: Int16Array };

export type BarRow = { key: number } & Bar;

/** Written out, because rest properties would create a slow second object for each of millions of bars. */
export const rowOf = ({ open, high, low, close, volume }: Bar, key: number): BarRow => ({
  key,
  open,
  high,
  low,
  close,
  volume,
});

export const newRow = (): BarRow => ({ key: 0, open: 0, high: 0, low: 0, close: 0, volume: 0 });

export function putRow(row: BarRow, { open, high, low, close, volume }: Bar, key: number): BarRow {
  row.key = key;
  row.open = open;
  row.high = high;
  row.low = low;
  row.close = close;
  row.volume = volume;
  return row;
}

export const ROWS_A_BLOCK = 32;

/**
 * A block has 32 rows of 16 bytes, by member: close and volume as 32-bit floats; open, high and low as 16-bit
 * distances from the close in parts of a price step; and the key's distance from the first key.
 */
const BYTES = ROWS_A_BLOCK * 16;
const VOLUME = ROWS_A_BLOCK;
const OPEN = ROWS_A_BLOCK * 4;
const HIGH = OPEN + ROWS_A_BLOCK;
const LOW = HIGH + ROWS_A_BLOCK;
const KEY = LOW + ROWS_A_BLOCK;

export const MAX_KEY_DISTANCE = 32_767;

/** Shared memory of all series, in reusable blocks without garbage. */
export class RowArena {
  private readonly slabs: Slab[] = [];
  private readonly free: number[] = [];

  allocate(): number {
    const block = this.free.pop();
    if (block !== undefined) return block;
    const first = this.slabs.length * BLOCKS_A_SLAB;
    const memory = new ArrayBuffer(BLOCKS_A_SLAB * BYTES);
    this.slabs.push({ floats: new Float32Array(memory), shorts: new Int16Array(memory) });
    for (let other = first + BLOCKS_A_SLAB - 1; other > first; other -= 1) this.free.push(other);
    return first;
  }

  release(block: number): void {
    this.free.push(block);
  }

  slabOf(block: number): Slab {
    const slab = this.slabs[Math.floor(block / BLOCKS_A_SLAB)];
    if (!slab) throw new RangeError(`There is no block ${block}.`);
    return slab;
  }

  offset(block: number): number {
    return (block % BLOCKS_A_SLAB) * BYTES;
  }

  bytes(): number {
    return this.slabs.length * BLOCKS_A_SLAB * BYTES;
  }
}

/** Restores a price from a 32-bit float: six decimals below 16, four below 1,600, two above. */
function exact(price: number): number {
  const factor = price < 16 ? 1e6 : price < 1600 ? 1e4 : 100;
  return Math.round(price * factor) / factor;
}

/** Prices are on whole and half steps: 0.001 is the smallest below 2, 0.01 above. */
const partsOf = (close: number): number => (close < 2 ? 10_000 : 2_000);

const distance = (price: number, close: number): number => Math.round((price - close) * partsOf(close));
const back = (parts: number, close: number): number => exact(close + parts / partsOf(close));

const isNear = (parts: number): boolean => parts >= -32_768 && parts <= 32_767;

function fitsClose(price: number, close: number): boolean {
  const parts = distance(price, close);
  return isNear(parts) && back(parts, close) === price;
}

/** Whether a row can be stored exactly; a series stores others separately. */
export const fits = ({ open, high, low, close, volume }: BarRow): boolean =>
  exact(Math.fround(close)) === close &&
  Math.abs(Math.fround(volume) - volume) <= volume * 1e-7 &&
  fitsClose(open, close) &&
  fitsClose(high, close) &&
  fitsClose(low, close);

export function writeRow(arena: RowArena, block: number, at: number, first: number, row: BarRow): void {
  const { floats, shorts } = arena.slabOf(block);
  const float = arena.offset(block) / 4 + at;
  const short = arena.offset(block) / 2 + at;
  const { close } = row;
  floats[float] = close;
  floats[float + VOLUME] = row.volume;
  shorts[short + OPEN] = distance(row.open, close);
  shorts[short + HIGH] = distance(row.high, close);
  shorts[short + LOW] = distance(row.low, close);
  shorts[short + KEY] = row.key - first;
}

export const readKey = (arena: RowArena, block: number, at: number, first: number): number =>
  first + (arena.slabOf(block).shorts[arena.offset(block) / 2 + at + KEY] ?? 0);

export function readRowInto(row: BarRow, arena: RowArena, block: number, at: number, first: number): void {
  const { floats, shorts } = arena.slabOf(block);
  const float = arena.offset(block) / 4 + at;
  const short = arena.offset(block) / 2 + at;
  const close = exact(floats[float] ?? 0);
  row.key = first + (shorts[short + KEY] ?? 0);
  row.open = back(shorts[short + OPEN] ?? 0, close);
  row.high = back(shorts[short + HIGH] ?? 0, close);
  row.low = back(shorts[short + LOW] ?? 0, close);
  row.close = close;
  row.volume = Math.round(floats[float + VOLUME] ?? 0);
}

export function readRow(arena: RowArena, block: number, at: number, first: number): BarRow {
  const row = newRow();
  readRowInto(row, arena, block, at, first);
  return row;
}
