/** Below either, a sample is too small to say anything. */
export const MIN_ENTRIES = 30;
export const MIN_DAYS = 10;

/**
 * The results of some entries: percent per trade after costs, except where the name says otherwise. Null if there is
 * no entry, or too few for the figure.
 */
export type OddsSample = {
  entries: number;
  stocks: number;
  /** Sessions with an entry. */
  days: number;
  mean: number | null;
  /** The 95 % interval of the mean. Entries of one day are one sample, so it needs two days. */
  low: number | null;
  high: number | null;
  median: number | null;
  /** Percent of the entries with a result above 0. */
  winners: number | null;
  /** The sum of gains divided by the sum of losses; null without a loss. */
  profitFactor: number | null;
  best: number | null;
  worst: number | null;
  /** The mean before brokerage and price steps, percent. */
  meanBefore: number | null;
  /** Fewer than MIN_ENTRIES entries or MIN_DAYS days. */
  isTooFew: boolean;
};

export type OddsGroup = { label: string; sample: OddsSample };

/** Why an entry has no result. */
export const LEFT_OUT = ['noFill', 'noExit', 'gap'] as const;
/**
 * - `noFill`: no trade after the entry on that day.
 * - `noExit`: no trade to sell at, or the session of the exit is not stored yet.
 * - `gap`: data is missing between the entry and the exit.
 */
export type LeftOut = (typeof LEFT_OUT)[number];

/** One column per figure, one row per session read, oldest first. */
export type OddsDays = {
  /** YYYY-MM-DD. */
  dates: string[];
  entries: number[];
  /** Sum of the results, percent: after costs, and before. */
  sums: number[];
  sumsBefore: number[];
  /** Minutes without data during trading. */
  gapMinutes: number[];
};

/**
 * How many entries had a result in each range. The first range is below the first edge, range i is from edge i − 1 until
 * edge i, and the last one is from the last edge on: there is one count more than edges.
 */
export type OddsDistribution = {
  /** Percent, ascending. */
  edges: number[];
  counts: number[];
};

export type OddsResult = {
  /** Sessions that were read so far. */
  sessions: number;
  all: OddsSample;
  /** The first two thirds of the sessions, and the last third, which is kept apart. */
  earlier: OddsSample;
  heldOut: OddsSample;
  /** First session of the held-out third, YYYY-MM-DD; null without sessions. */
  heldOutFrom: string | null;
  leftOut: Readonly<Record<LeftOut, number>>;
  distribution: OddsDistribution;
  days: OddsDays;
  /** By the hour of the entry in Sydney; the pre-open is one group. */
  byHour: OddsGroup[];
  /** By the price of the fill. */
  byPrice: OddsGroup[];
  /** With and without an announcement in the session until the entry. */
  byNews: OddsGroup[];
  /** Sentences about conditions that were left out or not always known. */
  notes: string[];
};

/** What ended a trade. `later`: the first trade of the next session, because there was none before the end. */
export const EXIT_REASONS = ['time', 'close', 'nextOpen', 'stop', 'target', 'later'] as const;
export type ExitReason = (typeof EXIT_REASONS)[number];

/** A page of the entries with a result, newest first: one column per figure, one row per entry. */
export type OddsEntries = {
  /** Entries on all pages. */
  total: number;
  symbols: string[];
  /** Session of the entry, YYYY-MM-DD. */
  dates: string[];
  /** The minute in which the stock began to match, in minutes after midnight in Sydney (600 is 10:00). */
  minutes: number[];
  fillMinutes: number[];
  /** Price paid, including price steps, AUD. */
  fills: number[];
  exitDates: string[];
  exitMinutes: number[];
  /** Price received, AUD, in the prices of the entry's day: a split in between is taken out. */
  exits: number[];
  reasons: ExitReason[];
  /** Percent after costs, and before brokerage and price steps. */
  results: number[];
  resultsBefore: number[];
  /** Whether an announcement came in the session until the entry. */
  hasNews: boolean[];
};

/** What the best of several variants of a scan without any edge would show, mean percent per trade after costs. */
export type OddsLuck = {
  variants: number;
  median: number;
  /** One time in 20 it would be above this. */
  high: number;
};
