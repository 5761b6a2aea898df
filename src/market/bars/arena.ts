/** Memory for bars in blocks of equal size that are used again: none of it is left for the garbage collector. */
export type Arena = {
  /** The number of a block that is free; it is taken from then on. */
  take(): number;
  /** Makes a block free again. */
  give(block: number): void;
  /** The memory around a block, as 32-bit floats and as 16-bit integers; `offset` says where the block begins. */
  floats(block: number): Float32Array;
  shorts(block: number): Int16Array;
  /** Where a block begins in that memory, in bytes. */
  offset(block: number): number;
  /** Memory held, free blocks included. */
  bytes(): number;
};

const BLOCKS_A_SLAB = 512;

/** Memory that is requested at once, for many blocks. */
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
      const block = free.pop();
      if (block !== undefined) return block;
      const first = slabs.length * BLOCKS_A_SLAB;
      const memory = new ArrayBuffer(BLOCKS_A_SLAB * size);
      slabs.push({ floats: new Float32Array(memory), shorts: new Int16Array(memory) });
      for (let other = first + BLOCKS_A_SLAB - 1; other > first; other -= 1) free.push(other);
      return first;
    },
    give: (block) => void free.push(block),
    floats: (block) => slabOf(block).floats,
    shorts: (block) => slabOf(block).shorts,
    offset: (block) => (block % BLOCKS_A_SLAB) * size,
    bytes: () => slabs.length * BLOCKS_A_SLAB * size,
  };
}
