import type { Clock } from '../sources/source.ts';
import type { ResumeRing } from './resume.ts';
import { packParts, packWhole, type State } from './snapshot.ts';

/** An older snapshot is given with the deltas after it while these cost less than this share of it. */
const WORTH_REUSING = 1 / 8;
/** A snapshot tells the market's time, so it is not given much later, ms. */
const MAX_AGE_MS = 2_000;

export type Snapshots = {
  /** The blocks that bring any client to `seq`. */
  at(seq: number, inParts: boolean): Uint8Array[];
  /** How many snapshots were built since the start. */
  built(): number;
};

type Built = { seq: number; at: number; blocks: Uint8Array[]; bytes: number };

const bytesOf = (blocks: readonly Uint8Array[]): number =>
  blocks.reduce((sum, block) => sum + block.byteLength, 0);

/**
 * Builds and compresses snapshots only when somebody needs one, and shares them: everyone who joins at the same
 * version gets the same bytes, and who joins shortly after gets them with the few deltas since.
 */
export function createSnapshots(deps: { read(): State; ring: ResumeRing; clock: Clock }): Snapshots {
  const cache = new Map<boolean, Built>();
  let built = 0;

  return {
    at(seq, inParts) {
      const known = cache.get(inParts);
      const now = deps.clock.now();
      const since = known && now - known.at <= MAX_AGE_MS ? deps.ring.after(known.seq) : null;
      if (known && since && bytesOf(since) <= known.bytes * WORTH_REUSING) return [...known.blocks, ...since];
      const blocks = (inParts ? packParts : packWhole)(deps.read(), deps.ring.idOf(seq));
      built += 1;
      cache.set(inParts, { seq, at: now, blocks, bytes: bytesOf(blocks) });
      return blocks;
    },
    built: () => built,
  };
}
