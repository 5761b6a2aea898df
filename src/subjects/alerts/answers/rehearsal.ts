import {
  boolean,
  choice,
  count,
  epochMs,
  list,
  number,
  or,
  orNull,
  readBy,
  text,
} from '#lib/contract/fields.ts';
import { object, ours } from '#lib/contract/objects.ts';

/** The bars that are run over: the minutes of the last days, or the days of the last year. */
export const rehearsalPeriod = choice(['minutes', 'days']);

/** The alert would have fired. A firing within a day's bar is known by its day alone. */
export const rehearsedFiring = object(
  {
    /** By the market's clock. */
    at: epochMs,
    /** AUD. */
    price: number,
    period: rehearsalPeriod,
  },
  ['at', 'price', 'period'],
);

const wholePeriod = object(
  {
    /** From when bars are known; the source may not reach back as far as is asked for. */
    from: epochMs,
    to: epochMs,
    tradingDays: or(count, 0),
    /** All firings, also those that are not listed. */
    fired: or(count, 0),
    /** For a small chart: at most `MAX_CHART_POINTS` closes, oldest first, and the end of the bar of each. */
    times: list(epochMs),
    closes: list(number),
  },
  ['from', 'to'],
);

/** What was run of one period. Times and closes go in pairs; a list without its other has nothing to draw. */
export const rehearsedPeriod = readBy(wholePeriod, (value) => {
  const known = wholePeriod.read(value);
  return known === null || known.times.length === known.closes.length
    ? known
    : { ...known, times: [], closes: [] };
});

/**
 * `POST /api/alerts/rehearse`: how an alert would have done. Every firing is counted as if the alert were persistent: at
 * each of them an alert that was on would have fired.
 */
export const rehearsal = object({
  /** Null when it could not be run over these bars: `notRehearsed` says why. */
  minutes: orNull(rehearsedPeriod),
  days: orNull(rehearsedPeriod),
  /** Oldest first; of each period the newest `MAX_FIRINGS / 2` or more. */
  firings: list(rehearsedFiring),
  /** Firings a trading day on average: of the minutes where they were run, else of the days. */
  perDay: or(number, 0),
  /** The most on one day. */
  busiestDay: or(count, 0),
  /** Whether the conditions hold now, in the market or else at the end of what was run; null when that is not known. */
  holdsNow: ours(orNull(boolean)),
  /** More than `TOO_OFTEN` on its busiest day. */
  tooOften: or(boolean, false),
  /** Sentences: what was left out and why. */
  notRehearsed: list(text),
});
