import type { DailyBar } from '#market/bars/rules/bars.ts';
import { addDays } from '#lib/sydneyTime.ts';
import { previousTradingDay } from '#market/rules/tradingDay.ts';
import { eachOutlineUntil, type Past } from './history.ts';
import type { Listing } from './listings.ts';
import { putBar } from './record.ts';

const YEAR_DAYS = 364;

/** Prices in AUD; infinite if nothing traded, which a session's file states as unknown. */
export type YearRange = { yearHigh: number; yearLow: number };

/**
 * High and low of the 52 weeks before each date. All dates of a listing are computed together, because its daily bars
 * cost more than the search in them.
 * @param dates newest first
 */
export function createYearRanges(
  past: Past,
  dates: readonly string[],
): (listing: Listing, date: string) => YearRange {
  const [newest = '', oldest = ''] = [dates[0], dates.at(-1)];
  const days: string[] = [];
  for (let date = newest; date >= addDays(oldest, -YEAR_DAYS); date = previousTradingDay(date))
    days.unshift(date);
  const spans = dates.map((date) => ({
    from: days.findIndex((day) => day >= addDays(date, -YEAR_DAYS)),
    until: days.indexOf(date),
  }));
  const highs = new Float64Array(days.length);
  const lows = new Float64Array(days.length);
  const bar: DailyBar = { date: '', open: 0, high: 0, low: 0, close: 0, volume: 0 };

  function rangesOf(listing: Listing): YearRange[] {
    let index = 0;
    eachOutlineUntil(past, listing, newest, days.length, (outline) => {
      putBar(bar, listing, outline);
      highs[index] = bar.volume > 0 ? bar.high : Number.NEGATIVE_INFINITY;
      lows[index] = bar.volume > 0 ? bar.low : Number.POSITIVE_INFINITY;
      index += 1;
    });
    return spans.map(({ from, until }) => {
      let [yearHigh, yearLow] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
      for (let day = from; day < until; day += 1) {
        yearHigh = Math.max(yearHigh, highs[day] ?? yearHigh);
        yearLow = Math.min(yearLow, lows[day] ?? yearLow);
      }
      return { yearHigh, yearLow };
    });
  }

  const known = new Map<Listing, YearRange[]>();
  return (listing, date) => {
    const ranges = known.get(listing) ?? rangesOf(listing);
    known.set(listing, ranges);
    const range = ranges[dates.indexOf(date)];
    if (!range) throw new RangeError(`The range before ${date} was not requested.`);
    return range;
  };
}
