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
import { object, extension } from '#lib/contract/objects.ts';

/** `minutes`: one-minute bars of the last days. `days`: daily bars of the last year. */
export const backtestPeriod = choice(['minutes', 'days']);

/** A moment at which the alert would have fired. Within a daily bar only the day is known. */
export const backtestedFiring = object(
  {
    /** By the market's clock. */
    at: epochMs,
    price: number,
    period: backtestPeriod,
  },
  ['at', 'price', 'period'],
);

const wholePeriod = object(
  {
    /** Time of the first known bar; a source may not reach back as far as requested. */
    from: epochMs,
    to: epochMs,
    tradingDays: or(count, 0),
    /** All firings, including those not listed. */
    fired: or(count, 0),
    /** For a small chart: at most `MAX_CHART_POINTS` closes, oldest first, and the end of each bar. */
    times: list(epochMs),
    closes: list(number),
  },
  ['from', 'to'],
);

/** The result for one period. Times and closes are pairs; if their numbers differ, the chart is empty. */
export const backtestedPeriod = readBy(wholePeriod, (value) => {
  const known = wholePeriod.read(value);
  return known === null || known.times.length === known.closes.length
    ? known
    : { ...known, times: [], closes: [] };
});

/** Answer of `POST /api/alerts/rehearse`: a backtest. It counts every firing as if the alert were persistent. */
export const backtest = object({
  /** Null if the period could not be run; `notRehearsed` says why. */
  minutes: orNull(backtestedPeriod),
  days: orNull(backtestedPeriod),
  /** Oldest first. Each period keeps at least its newest `MAX_FIRINGS / 2`. */
  firings: list(backtestedFiring),
  /** Average firings per trading day, by minutes if they were run, otherwise by days. */
  perDay: or(number, 0),
  busiestDay: or(count, 0),
  /** Whether the conditions hold now, in the market or at the end of the run; null if unknown. */
  holdsNow: extension(orNull(boolean)),
  /** True if the busiest day has more than `TOO_OFTEN` firings. */
  tooOften: or(boolean, false),
  notRehearsed: list(text),
});
