import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { mersenne } from 'pure-rand/generator/mersenne';

/** A sequence of numbers from 0 to below 1, the same for the same seed. */
export function createRandom(seed: number): () => number {
  // The smaller generators of the library begin with nearly the same numbers for neighbouring seeds.
  const generator = mersenne(seed);
  return () => uniformFloat64(generator);
}
