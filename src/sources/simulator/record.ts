import { priceAtStep, stepIndex } from '../../domain/priceStep.ts';
import { DRAW } from './draws.ts';
import type { DayBones } from './history.ts';
import type { Listing } from './listings.ts';
import { gauss, unit } from './random.ts';

/** One finished day. Prices in AUD, volume in shares; a day without a trade has volume 0 and four equal prices. */
export type DailyBar = {
  date: string;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
};

/** What is decided about a day before it begins. Prices are counted in price steps (see domain/priceStep). */
export type DayRecord = {
  bones: DayBones;
  previousStep: number;
  openStep: number;
  closeStep: number;
  /** Last price of continuous trading; the closing auction leads from it to the close. */
  endStep: number;
  highStep: number;
  lowStep: number;
  /** Around the news of the session; null without. */
  jump: { before: number; after: number; second: number } | null;
  volume: number;
  openVolume: number;
  closeVolume: number;
  postVolume: number;
  openSurplus: number;
  closeSurplus: number;
};

/** What trades more often than this is traded by institutions: less at the open, more at the close. */
const BUSY = 30;

/** Usual share of a day's volume in the opening auction. */
export const openShareOf = (listing: Listing): number => (listing.tradesPerMinute > BUSY ? 0.035 : 0.08);

/** Usual share of a day's volume in the closing auction. */
export const closeShareOf = (listing: Listing): number => (listing.tradesPerMinute > BUSY ? 0.17 : 0.07);

const stepOf = (listing: Listing, level: number): number =>
  Math.max(1, Math.round(stepIndex(listing.basePrice * Math.exp(level))));

/** Shares traded on a day, auctions included. */
export const volumeOf = (listing: Listing, bones: DayBones): number => {
  if (bones.quiet) return 0;
  const { seed } = bones;
  const moved = Math.abs(bones.close - bones.previous) / listing.volatility;
  const busy = 0.75 + 0.35 * Math.min(6, moved);
  const news = bones.news ? 1.3 + 3 * unit(seed, DRAW.newsVolume) : 1;
  return Math.max(
    24,
    Math.round(listing.usualVolume * Math.exp(0.5 * gauss(seed, DRAW.volume) - 0.1) * busy * news),
  );
};

/** Whether an auction finds a price: always for what trades a lot or has news. */
const crosses = (listing: Listing, bones: DayBones, draw: number): boolean =>
  bones.news || unit(bones.seed, draw) < 0.45 + 0.09 * listing.tradesPerMinute;

const surplusOf = (volume: number, seed: number, draw: number, news: boolean): number =>
  Math.round(volume * (0.45 * gauss(seed, draw) + (news ? 0.25 : 0.05)));

const shares = (listing: Listing, bones: DayBones, volume: number) => {
  const { seed, halt } = bones;
  const none = { openVolume: 0, closeVolume: 0, postVolume: 0 };
  if (volume === 0) return none;
  const large = listing.tradesPerMinute > BUSY;
  const openShare = openShareOf(listing) * (0.5 + unit(seed, DRAW.openShare)) * (bones.news ? 2 : 1);
  const closeShare = closeShareOf(listing) * (0.5 + unit(seed, DRAW.closeShare));
  const closes = halt !== 'evening' && crosses(listing, bones, DRAW.crossedClose);
  return {
    openVolume: crosses(listing, bones, DRAW.crossedOpen) ? Math.max(1, Math.round(volume * openShare)) : 0,
    closeVolume: closes ? Math.max(1, Math.round(volume * closeShare)) : 0,
    postVolume: closes && large ? Math.round(volume * 0.006) : 0,
  };
};

const jumpOf = (listing: Listing, bones: DayBones): DayRecord['jump'] => {
  if (bones.jumpSecond === null) return null;
  const done = Math.min(1, Math.max(0, (bones.jumpSecond - 36_000) / 21_600));
  const before = bones.open + (bones.close - bones.open - bones.jump) * done;
  return {
    before: stepOf(listing, before),
    after: stepOf(listing, before + bones.jump),
    second: bones.jumpSecond,
  };
};

/** Fills in a day: its prices on steps, its range, its volume and what of it the auctions take. */
export const recordOf = (listing: Listing, bones: DayBones): DayRecord => {
  const { seed } = bones;
  const previousStep = stepOf(listing, bones.previous);
  const volume = volumeOf(listing, bones);
  const openStep = volume === 0 ? previousStep : stepOf(listing, bones.open);
  const closeStep = volume === 0 ? previousStep : stepOf(listing, bones.close);
  const jump = volume === 0 ? null : jumpOf(listing, bones);
  const inside = jump ? [openStep, closeStep, jump.before, jump.after] : [openStep, closeStep];
  const reach = (draw: number): number =>
    volume === 0 ? 0 : 0.5 * listing.volatility * Math.abs(gauss(seed, draw));
  const top = Math.max(...inside);
  const bottom = Math.min(...inside);
  const highStep = Math.round(stepIndex(priceAtStep(top) * (1 + reach(DRAW.above))));
  const lowStep = Math.max(1, Math.round(stepIndex(priceAtStep(bottom) * (1 - reach(DRAW.below)))));
  const parts = shares(listing, bones, volume);
  const drift = parts.closeVolume > 0 ? Math.round(0.06 * (highStep - lowStep) * gauss(seed, DRAW.end)) : 0;
  return {
    bones,
    previousStep,
    openStep,
    closeStep,
    endStep: Math.min(highStep, Math.max(lowStep, closeStep + drift)),
    highStep,
    lowStep,
    jump,
    volume,
    ...parts,
    openSurplus: surplusOf(
      parts.openVolume,
      seed,
      DRAW.openSurplus,
      bones.news && bones.open > bones.previous,
    ),
    closeSurplus: surplusOf(parts.closeVolume, seed, DRAW.closeSurplus, false),
  };
};

/** A finished day as a bar. */
export const barOf = (record: DayRecord): DailyBar => ({
  date: record.bones.date,
  open: priceAtStep(record.openStep),
  high: priceAtStep(record.highStep),
  low: priceAtStep(record.lowStep),
  close: priceAtStep(record.closeStep),
  volume: record.volume,
});
