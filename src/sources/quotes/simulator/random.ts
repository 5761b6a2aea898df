/**
 * Randomness without state: the same seed and index always give the same number, so any moment of any day can be
 * computed without computing what came before it.
 */

/** Scrambles two 32-bit integers into one, unsigned. Finaliser of MurmurHash3 (Austin Appleby, public domain). */
export function mix(seed: number, index: number): number {
  let h = Math.imul(seed ^ Math.imul(index + 0x9e37, 0x9e3779b1), 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  h ^= h >>> 16;
  h = Math.imul(h ^ 0x27d4eb2f, 0x165667b1);
  return (h ^ (h >>> 15)) >>> 0;
}

/** A number from 0 inclusive to 1 exclusive. */
export const unit = (seed: number, index: number): number => mix(seed, index) / 4294967296;

/** About a standard normal variable (mean 0, deviation 1, never beyond ±3.5): four uniforms added up. */
export function gauss(seed: number, index: number): number {
  const a = mix(seed, index);
  const b = mix(a, 0x51ed);
  const sum = (a & 0xffff) + (a >>> 16) + (b & 0xffff) + (b >>> 16);
  return (sum / 65536 - 2) * 1.7320508;
}

/** A 32-bit seed of a text. FNV-1a. */
export function textSeed(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h >>> 0;
}

/** The element that a number from 0 to below 1 points at. */
export const pick = <T>(items: readonly [T, ...T[]], at: number): T =>
  items[Math.floor(at * items.length)] ?? items[0];
