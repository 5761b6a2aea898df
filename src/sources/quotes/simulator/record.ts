import type { DailyBar } from '#market/bars/rules/bars.ts';
import { priceAtStep, stepIndex } from '#market/rules/priceStep.ts';
import { DRAW, gauss, unit } from './random.ts';
import type { DayOutline } from './history.ts';
import type { Listing } from './listings.ts';

/** Figures that are fixed before the day begins. Prices are in price steps (see market/rules/priceStep). */
export type DayRecord = {
  outline: DayOutline;
  previousStep: number;
  openStep: number;
  closeStep: number;
  endStep: number;
  highStep: number;
  lowStep: number;
  /** Prices before and after the session's news; null without news. */
  jump: { before: number; after: number; second: number } | null;
  volume: number;
  openVolume: number;
  closeVolume: number;
  postVolume: number;
  openSurplus: number;
  closeSurplus: number;
};

/** Trades per minute above which institutions trade a listing: less at the open, more at the close. */
const INSTITUTIONAL = 30;

export const openShareOf = (listing: Listing): number =>
  listing.tradesPerMinute > INSTITUTIONAL ? 0.035 : 0.08;

export const closeShareOf = (listing: Listing): number =>
  listing.tradesPerMinute > INSTITUTIONAL ? 0.17 : 0.07;

const stepOf = (listing: Listing, level: number): number =>
  Math.max(1, Math.round(stepIndex(listing.basePrice * Math.exp(level))));

export function volumeOf(listing: Listing, outline: DayOutline): number {
  if (outline.quiet) return 0;
  const { seed } = outline;
  const moved = Math.abs(outline.close - outline.previous) / listing.volatility;
  const busy = 0.75 + 0.35 * Math.min(6, moved);
  const news = outline.news ? 1.3 + 3 * unit(seed, DRAW.newsVolume) : 1;
  return Math.max(
    24,
    Math.round(listing.usualVolume * Math.exp(0.5 * gauss(seed, DRAW.volume) - 0.1) * busy * news),
  );
}

/** Whether an auction finds a price: always for active listings and with news. */
const crosses = (listing: Listing, outline: DayOutline, draw: number): boolean =>
  outline.news || unit(outline.seed, draw) < 0.45 + 0.09 * listing.tradesPerMinute;

const surplusOf = (volume: number, seed: number, draw: number, news: boolean): number =>
  Math.round(volume * (0.45 * gauss(seed, draw) + (news ? 0.25 : 0.05)));

function shares(listing: Listing, outline: DayOutline, volume: number) {
  const { seed, halt } = outline;
  const none = { openVolume: 0, closeVolume: 0, postVolume: 0 };
  if (volume === 0) return none;
  const large = listing.tradesPerMinute > INSTITUTIONAL;
  const openShare = openShareOf(listing) * (0.5 + unit(seed, DRAW.openShare)) * (outline.news ? 2 : 1);
  const closeShare = closeShareOf(listing) * (0.5 + unit(seed, DRAW.closeShare));
  const closes = halt !== 'evening' && crosses(listing, outline, DRAW.crossedClose);
  return {
    openVolume: crosses(listing, outline, DRAW.crossedOpen) ? Math.max(1, Math.round(volume * openShare)) : 0,
    closeVolume: closes ? Math.max(1, Math.round(volume * closeShare)) : 0,
    postVolume: closes && large ? Math.round(volume * 0.006) : 0,
  };
}

function jumpOf(listing: Listing, outline: DayOutline): DayRecord['jump'] {
  if (outline.jumpSecond === null) return null;
  const done = Math.min(1, Math.max(0, (outline.jumpSecond - 36_000) / 21_600));
  const before = outline.open + (outline.close - outline.open - outline.jump) * done;
  return {
    before: stepOf(listing, before),
    after: stepOf(listing, before + outline.jump),
    second: outline.jumpSecond,
  };
}

type DayRange = Pick<
  DayRecord,
  'previousStep' | 'openStep' | 'closeStep' | 'highStep' | 'lowStep' | 'jump' | 'volume'
>;

function rangeOf(listing: Listing, outline: DayOutline): DayRange {
  const { seed } = outline;
  const previousStep = stepOf(listing, outline.previous);
  const volume = volumeOf(listing, outline);
  const openStep = volume === 0 ? previousStep : stepOf(listing, outline.open);
  const closeStep = volume === 0 ? previousStep : stepOf(listing, outline.close);
  const jump = volume === 0 ? null : jumpOf(listing, outline);
  const inside = jump ? [openStep, closeStep, jump.before, jump.after] : [openStep, closeStep];
  const reach = (draw: number): number =>
    volume === 0 ? 0 : 0.5 * listing.volatility * Math.abs(gauss(seed, draw));
  const top = Math.max(...inside);
  const bottom = Math.min(...inside);
  const highStep = Math.round(stepIndex(priceAtStep(top) * (1 + reach(DRAW.above))));
  const lowStep = Math.max(1, Math.round(stepIndex(priceAtStep(bottom) * (1 - reach(DRAW.below)))));
  return { previousStep, openStep, closeStep, highStep, lowStep, jump, volume };
}

export function recordOf(listing: Listing, outline: DayOutline): DayRecord {
  const { seed } = outline;
  const range = rangeOf(listing, outline);
  const { closeStep, highStep, lowStep, volume } = range;
  const parts = shares(listing, outline, volume);
  const drift = parts.closeVolume > 0 ? Math.round(0.06 * (highStep - lowStep) * gauss(seed, DRAW.end)) : 0;
  return {
    outline,
    ...range,
    endStep: Math.min(highStep, Math.max(lowStep, closeStep + drift)),
    ...parts,
    openSurplus: surplusOf(
      parts.openVolume,
      seed,
      DRAW.openSurplus,
      outline.news && outline.open > outline.previous,
    ),
    closeSurplus: surplusOf(parts.closeVolume, seed, DRAW.closeSurplus, false),
  };
}

export function putBar(bar: DailyBar, listing: Listing, outline: DayOutline): DailyBar {
  const { openStep, highStep, lowStep, closeStep, volume } = rangeOf(listing, outline);
  bar.date = outline.date;
  bar.open = priceAtStep(openStep);
  bar.high = priceAtStep(highStep);
  bar.low = priceAtStep(lowStep);
  bar.close = priceAtStep(closeStep);
  bar.volume = volume;
  return bar;
}
