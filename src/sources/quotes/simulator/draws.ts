import type { Listing } from './listings.ts';
import { mix, unit } from './random.ts';
import type { World } from './world.ts';

/** The index of each random number of a listing's day; every number is used for one decision only. */
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

/** The seed of everything random about one listing in one market. */
export const listingSeed = (world: World, listing: Listing): number => mix(listing.id, world.seed);

/** The seed of everything random about one listing on one day. */
export const daySeed = (seed: number, day: number): number => mix(seed, day);

const HOUR = 3600;

/** When announcements come out: the share of the day's within each span of seconds. Recorded: 47 % from 08:00 to 10:00. */
const RELEASES: readonly [share: number, from: number, until: number][] = [
  [0.03, 7.5 * HOUR, 8 * HOUR],
  [0.18, 8 * HOUR, 9 * HOUR],
  [0.29, 9 * HOUR, 9.97 * HOUR],
  [0.16, 10 * HOUR, 12 * HOUR],
  [0.17, 12 * HOUR, 16 * HOUR],
  [0.11, 16.2 * HOUR, 18 * HOUR],
  [0.06, 18 * HOUR, 20.5 * HOUR],
];

/** Maps a random number from 0 to below 1 to the second of the day at which an announcement comes out. */
export function releaseSecond(at: number): number {
  let left = at;
  for (const [share, from, until] of RELEASES) {
    if (left < share) return Math.floor(from + ((until - from) * left) / share);
    left -= share;
  }
  return 20.5 * HOUR;
}

/** The second at which the day's price-sensitive announcement comes out; null on a day without one. */
export const sensitiveSecond = (listing: Listing, seed: number): number | null =>
  !listing.suspended && unit(seed, DRAW.sensitive) < listing.sensitiveRate
    ? releaseSecond(unit(seed, DRAW.newsTime))
    : null;
