/** The bars that a rehearsal runs over: the minutes of the last days, or the days of the last year. */
export type RehearsalPeriod = 'minutes' | 'days';

/** The alert would have fired. A firing within a day's bar is known by its day alone. */
export type Firing = {
  /** Epoch ms by the market's clock. */
  at: number;
  /** AUD. */
  price: number;
  period: RehearsalPeriod;
};

/** What was run of one period. Times are epoch ms by the market's clock. */
export type RehearsedPeriod = {
  /** From when bars are known; the source may not reach back as far as is asked for. */
  from: number;
  to: number;
  tradingDays: number;
  /** All firings, also those that are not listed. */
  fired: number;
  /** For a small chart: at most `MAX_CHART_POINTS` closes, oldest first, and the end of the bar of each. */
  times: number[];
  closes: number[];
};

/**
 * How an alert would have done. Every firing is counted as if the alert were persistent: at each of them an alert that
 * was on would have fired.
 */
export type Rehearsal = {
  /** Null when it could not be run over these bars: `notRehearsed` says why. */
  minutes: RehearsedPeriod | null;
  days: RehearsedPeriod | null;
  /** Oldest first; of each period the newest `MAX_FIRINGS / 2` or more. */
  firings: Firing[];
  /** Firings a trading day on average: of the minutes where they were run, else of the days. */
  perDay: number;
  /** The most on one day. */
  busiestDay: number;
  /** More than `TOO_OFTEN` on its busiest day. */
  tooOften: boolean;
  /** Whether the conditions hold now, in the market or else at the end of what was run; null when that is not known. */
  holdsNow: boolean | null;
  /** Sentences: what was left out and why. */
  notRehearsed: string[];
};

export const MAX_FIRINGS = 200;
export const MAX_CHART_POINTS = 500;
/** An alert that fires more often a day tells nobody anything. */
export const TOO_OFTEN = 20;
