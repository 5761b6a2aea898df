import type { BarColumns, ChartTimeframe, TimeSpan } from '../charts/bars.ts';
import type { Call } from './types.ts';

/** So many bars of a call's path are drawn and kept. */
export const MAX_PATH_BARS = 500;

/** Where a trailing stop stood: as the tracker moved it, or worked out from the bars where that was not recorded. */
export type StopPath = { from: 'tracker' | 'bars'; time: number[]; price: number[] };

/**
 * The prices of a call's stock from its posting to its end, or to now, on the source that it was made on. Times are epoch
 * ms by the clock of that market.
 */
export type CallPath = {
  tf: ChartTimeframe;
  bars: BarColumns;
  /** Stretches of it that are not known. */
  unknown: TimeSpan[];
  /** Since when prices are known, where that is later than the posting; else null. */
  knownSince: number | null;
};

/** The answer of `GET /api/calls/:publicId`. */
export type CallLife = {
  call: Call;
  path: CallPath | null;
  /** A sentence saying why there is no path; null where there is one. */
  whyNoPath: string | null;
  /** Null without a trailing stop that was filled. */
  stop: StopPath | null;
  /** That it waits for an administrator, or was rejected; null for any other. */
  review: CallReview | null;
};

/** `reason` is told to its owner and to administrators; null for others, and where there is none. */
export type CallReview = { status: 'review' | 'rejected'; reason: string | null };

export const NO_PATH = {
  otherSource: 'It was made on another price source than the current one, so its prices can’t be drawn.',
  unknown: 'Prices from that time are no longer kept.',
  notYet: 'There was no trade since it was posted.',
  brokenClock: 'The market’s clock was set back while the call ran, so it has no single price path.',
} as const;
