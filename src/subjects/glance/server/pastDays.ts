import type { PastBars } from '#market/bars/pastBars.ts';
import { drawable } from '#market/bars/rules/quoteBars.ts';
import type { PriceRange, PriceRanges } from '#market/rules/breadth.ts';
import { dayOf } from '#market/rules/localTime.ts';
import type { Stock } from '#market/rules/stock.ts';
import { addDays } from '#market/rules/sydneyTime.ts';
import type { Steps } from '#platform/http/readQueue.ts';
import { MAX_SESSIONS } from '../rules/valueCurve.ts';

/** A year of trading days. */
const YEAR_DAYS = 260;

/** About how much was traded on a day, a day number, AUD. */
export type DayValue = { day: number; value: number };

/** What the daily bars say of the days before a date. */
export type PastDays = {
  /** The highest and the lowest price of a year, of stocks whose source states none. */
  ranges: PriceRanges;
  /** The first day of those, a day number; null where there is none. */
  since: number | null;
  /** What each stock traded on the last days, oldest first. */
  traded: ReadonlyMap<string, readonly DayValue[]>;
};

/**
 * Reads the daily bars of all stocks once, one stock a step.
 * @param date those before it count, YYYY-MM-DD
 */
export function* readPastDays(
  past: Pick<PastBars, 'days'>,
  stocks: ReadonlyMap<string, Stock>,
  date: string,
): Steps<PastDays> {
  const end = dayOf(date);
  const first = dayOf(addDays(date, -364));
  const ranges = new Map<string, PriceRange>();
  const traded = new Map<string, DayValue[]>();
  let since = end;
  for (const { code, yearRange } of stocks.values()) {
    const bars = past
      .days(code, yearRange ? MAX_SESSIONS : YEAR_DAYS)
      .filter(({ key }) => key < end)
      .map(drawable);
    const last = bars.slice(-MAX_SESSIONS);
    traded.set(
      code,
      last.map(({ key, high, low, close, volume }) => ({
        day: key,
        value: ((high + low + close) / 3) * volume,
      })),
    );
    const year = yearRange ? [] : bars.filter(({ key }) => key >= first);
    if (year[0]) {
      const [high, low] = [Math.max(...year.map((bar) => bar.high)), Math.min(...year.map((bar) => bar.low))];
      ranges.set(code, { high, low });
      since = Math.min(since, year[0].key);
    }
    yield;
  }
  return { ranges, since: since === end ? null : since, traded };
}
