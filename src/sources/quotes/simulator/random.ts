/**
 * Stateless randomness: the same seed and index always give the same number, so any moment can be computed
 * without the ones before it.
 */

export function mix(seed: number, index: number): number {
  let h = Math.imul(seed ^ Math.imul(index + 0x9e37, 0x9e3779b1), 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  h ^= h >>> 16;
  h = Math.imul(h ^ 0x27d4eb2f, 0x165667b1);
  return (h ^ (h >>> 15)) >>> 0;
}

export const unit = (seed: number, index: number): number => mix(seed, index) / 4294967296;

/** Approximately standard normal (mean 0, deviation 1, within ±3.5): the sum of four uniforms. */
export function gauss(seed: number, index: number): number {
  const a = mix(seed, index);
  const b = mix(a, 0x51ed);
  const sum = (a & 0xffff) + (a >>> 16) + (b & 0xffff) + (b >>> 16);
  return (sum / 65536 - 2) * 1.7320508;
}

export function textSeed(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h >>> 0;
}

export const pick = <T>(items: readonly [T, ...T[]], at: number): T =>
  items[Math.floor(at * items.length)] ?? items[0];

/** Index of each random number of a listing's day; each is used for one decision. */
export const DRAW = {
  sensitive: 1,
  newsTime: 2,
  overnight: 3,
  session: 4,
  event: 5,
  quiet: 6,
  halt: 7,
  haltKind: 8,
  haltTime: 9,
  haltLength: 10,
  runner: 11,
  runnerSize: 12,
  volume: 13,
  above: 14,
  below: 15,
  openShare: 16,
  closeShare: 17,
  crossedOpen: 18,
  crossedClose: 19,
  openSurplus: 20,
  closeSurplus: 21,
  newsVolume: 22,
  path: 23,
  openFlow: 24,
  closeFlow: 25,
  headlines: 26,
  routine: 27,
  resume: 28,
  end: 29,
} as const;

export const listingSeed = (world: { seed: number }, listing: { id: number }): number =>
  mix(listing.id, world.seed);

export const daySeed = (seed: number, day: number): number => mix(seed, day);

const HOUR = 3600;

/** Release times: shares of the day's announcements by seconds, as recorded. */
const RELEASES: readonly [share: number, from: number, until: number][] = [
  [0.03, 7.5 * HOUR, 8 * HOUR],
  [0.18, 8 * HOUR, 9 * HOUR],
  [0.29, 9 * HOUR, 9.97 * HOUR],
  [0.16, 10 * HOUR, 12 * HOUR],
  [0.17, 12 * HOUR, 16 * HOUR],
  [0.11, 16.2 * HOUR, 18 * HOUR],
  [0.06, 18 * HOUR, 20.5 * HOUR],
];

export function releaseSecond(at: number): number {
  let left = at;
  for (const [share, from, until] of RELEASES) {
    if (left < share) return Math.floor(from + ((until - from) * left) / share);
    left -= share;
  }
  return 20.5 * HOUR;
}

/** Second of the day's price-sensitive announcement; null without one. */
export const sensitiveSecond = (
  listing: { suspended: boolean; sensitiveRate: number },
  seed: number,
): number | null =>
  !listing.suspended && unit(seed, DRAW.sensitive) < listing.sensitiveRate
    ? releaseSecond(unit(seed, DRAW.newsTime))
    : null;
