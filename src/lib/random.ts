import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { mersenne } from 'pure-rand/generator/mersenne';

export function createRandom(seed: number): () => number {
  // The smaller generators of the library give nearly the same first numbers for neighbouring seeds.
  const generator = mersenne(seed);
  return () => uniformFloat64(generator);
}
