/** Memory for bars, given out in blocks and taken back: nothing of it is left for the garbage collector. */
export type Arena = {
  /** A free block's number. */
  take(): number;
  give(block: number): void;
  /** The two views of the slab that a block lies in. */
  floats(block: number): Float32Array;
  shorts(block: number): Int16Array;
  /** Where a block begins in its slab, in bytes. */
  offset(block: number): number;
  /** Memory held, free blocks included. */
  bytes(): number;
};

const BLOCKS_A_SLAB = 512;

type Slab = { floats: Float32Array; shorts: Int16Array };

/** @param size bytes of a block, a multiple of 4 */
export function createArena(size: number): Arena {
  const slabs: Slab[] = [];
  const free: number[] = [];
  const slabOf = (block: number): Slab => {
    const slab = slabs[Math.floor(block / BLOCKS_A_SLAB)];
    if (!slab) throw new RangeError(`There is no block ${block}.`);
    return slab;
  };
  return {
    take() {
      const known = free.pop();
      if (known !== undefined) return known;
      const first = slabs.length * BLOCKS_A_SLAB;
      const memory = new ArrayBuffer(BLOCKS_A_SLAB * size);
      slabs.push({ floats: new Float32Array(memory), shorts: new Int16Array(memory) });
      for (let block = first + BLOCKS_A_SLAB - 1; block > first; block -= 1) free.push(block);
      return first;
    },
    give: (block) => void free.push(block),
    floats: (block) => slabOf(block).floats,
    shorts: (block) => slabOf(block).shorts,
    offset: (block) => (block % BLOCKS_A_SLAB) * size,
    bytes: () => slabs.length * BLOCKS_A_SLAB * size,
  };
}
