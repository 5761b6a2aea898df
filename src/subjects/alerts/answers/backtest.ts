import { boolean, count, epochMs, list, number, or, orNull, text } from '#lib/contract/fields.ts';
import { object, extension } from '#lib/contract/objects.ts';

export const backtestedPeriod = object(
  {
    /** Time of the first known bar; a source may not reach back as far as requested. */
    from: epochMs,
    to: epochMs,
    tradingDays: or(count, 0),
    fired: or(count, 0),
  },
  ['from', 'to'],
);

/** Answer of `POST /api/alerts/rehearse`: a backtest. It counts every firing as if the alert were persistent. */
export const backtest = object({
  /** One-minute bars of the last days. Null if they could not be run; `notRehearsed` says why. */
  minutes: orNull(backtestedPeriod),
  /** Daily bars of the last year, run only if there are no minutes. */
  days: orNull(backtestedPeriod),
  /** Average firings per trading day, by minutes if they were run, otherwise by days. */
  perDay: or(number, 0),
  busiestDay: or(count, 0),
  /** Whether the conditions hold now, in the market or at the end of the run; null if unknown. */
  holdsNow: extension(orNull(boolean)),
  /** True if the busiest day has more than `TOO_OFTEN` firings. */
  tooOften: or(boolean, false),
  notRehearsed: list(text),
});
