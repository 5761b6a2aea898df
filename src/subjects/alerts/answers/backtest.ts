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

/** The minutes of the last days, or the days of the last year. */
export const backtestPeriod = choice(['minutes', 'days']);

/** The alert would have fired. Within a daily bar only the day is known. */
export const backtestedFiring = object(
  {
    /** By the market's clock. */
    at: epochMs,
    /** AUD. */
    price: number,
    period: backtestPeriod,
  },
  ['at', 'price', 'period'],
);

const wholePeriod = object(
  {
    /** The first known bar; a source may not reach back as far as requested. */
    from: epochMs,
    to: epochMs,
    tradingDays: or(count, 0),
    /** All firings, including those not listed. */
    fired: or(count, 0),
    /** For a small chart: at most `MAX_CHART_POINTS` closes, oldest first, with the end of each bar. */
    times: list(epochMs),
    closes: list(number),
  },
  ['from', 'to'],
);

/** The run over one period. Times and closes are pairs; one list without the other draws nothing. */
export const backtestedPeriod = readBy(wholePeriod, (value) => {
  const known = wholePeriod.read(value);
  return known === null || known.times.length === known.closes.length
    ? known
    : { ...known, times: [], closes: [] };
});

/** `POST /api/alerts/rehearse`: a backtest. Counts every firing as if the alert were persistent. */
export const backtest = object({
  /** Null if it could not run; `notRehearsed` says why. */
  minutes: orNull(backtestedPeriod),
  days: orNull(backtestedPeriod),
  /** Oldest first; of each period at least the newest `MAX_FIRINGS / 2`. */
  firings: list(backtestedFiring),
  /** Average firings per trading day: of the minutes if they were run, otherwise of the days. */
  perDay: or(number, 0),
  busiestDay: or(count, 0),
  /** Whether the conditions hold now, in the market or at the end of the run; null if unknown. */
  holdsNow: ours(orNull(boolean)),
  /** More than `TOO_OFTEN` on its busiest day. */
  tooOften: or(boolean, false),
  notRehearsed: list(text),
});
