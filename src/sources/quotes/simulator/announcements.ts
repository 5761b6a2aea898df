import type { Release } from '../../announcements/source.ts';
import { DRAW, releaseSecond, sensitiveSecond } from './draws.ts';
import type { HaltSpan } from './halts.ts';
import {
  AFTER_HALT,
  COMPANY,
  FUND,
  HALT,
  HALT_LIFTED,
  SENSITIVE,
  SENSITIVE_FUND,
  SENSITIVE_RESOURCES,
  type Title,
} from './headlines.ts';
import type { Listing } from './listings.ts';
import { mix, pick, unit } from './random.ts';

type PlannedRelease = { second: number; title: Title; sensitive: boolean };

/** Sectors of mining and exploration companies. */
const RESOURCE_SECTORS = new Set(['Materials', 'Energy']);

function sensitiveTitle(listing: Listing, seed: number): Title {
  const at = unit(mix(seed, DRAW.headlines), 1);
  if (listing.kind === 'fund') return pick(SENSITIVE_FUND, at);
  return pick(RESOURCE_SECTORS.has(listing.sector) ? SENSITIVE_RESOURCES : SENSITIVE, at);
}

/** Those that are not price sensitive: usually none, sometimes one, rarely several at once. */
function routineReleases(listing: Listing, seed: number): PlannedRelease[] {
  const own = mix(seed, DRAW.routine);
  const rate = Math.max(0, listing.announcementRate - listing.sensitiveRate) / 1.35;
  if (unit(own, 1) >= rate) return [];
  const count = unit(own, 2) < 0.74 ? 1 : unit(own, 3) < 0.7 ? 2 : 3;
  const second = releaseSecond(unit(own, 4));
  return Array.from({ length: count }, (_, index) => ({
    second: second + index * 41,
    title: pick(listing.kind === 'fund' ? FUND : COMPANY, unit(own, 10 + index)),
    sensitive: false,
  }));
}

/** The announcements of a halt's beginning and end, and the news that ends it. */
function haltReleases(halt: HaltSpan | null, seed: number): PlannedRelease[] {
  if (!halt) return [];
  const begin: PlannedRelease[] = halt.from > 0 ? [{ second: halt.from, title: HALT, sensitive: true }] : [];
  if (!Number.isFinite(halt.until)) return begin;
  const news = pick(AFTER_HALT, unit(mix(seed, DRAW.headlines), 2));
  return [
    ...begin,
    { second: halt.until - 420, title: news, sensitive: true },
    { second: halt.until, title: HALT_LIFTED, sensitive: false },
  ];
}

/**
 * What a listing announces on a trading day, in the order of the day.
 * @param midnight of that day in Sydney, epoch ms; @param halt the day's halt: its beginning and end are announced
 */
export function releasesOf(
  listing: Listing,
  date: string,
  midnight: number,
  seed: number,
  halt: HaltSpan | null,
): Release[] {
  const second = sensitiveSecond(listing, seed);
  const releases = [...routineReleases(listing, seed), ...haltReleases(halt, seed)];
  if (second !== null) releases.push({ second, title: sensitiveTitle(listing, seed), sensitive: true });
  return releases
    .sort((a, b) => a.second - b.second)
    .map((release, index) => ({
      id: `sim-${date}-${listing.code}-${index + 1}`,
      code: listing.code,
      headline: release.title.headline,
      url: null,
      document: null,
      announcementTypes: [release.title.type],
      isPriceSensitive: release.sensitive,
      time: midnight + release.second * 1000,
    }));
}
