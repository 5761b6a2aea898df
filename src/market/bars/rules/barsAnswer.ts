import { boolean, choice, epochMs, list, number, or, orNull, text, words } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';
import { adjustment, barColumns, timeSpan } from './barFields.ts';
import { CHART_TIMEFRAMES } from './bars.ts';

/**
 * What the stock showed when bars were made of it; AUD and shares. Who goes on with them needs it to tell what is new.
 * `date` is a date of Sydney, YYYY-MM-DD.
 */
export const quoteInBars = object(
  { date: text, last: number, high: number, low: number, volume: orNull(number) },
  ['date', 'last', 'high', 'low'],
);

/** `GET /api/data/bars`. */
export const barsAnswer = object({
  symbol: or(text, ''),
  tf: or(choice(CHART_TIMEFRAMES), '1'),
  bars: barColumns,
  /**
   * The times of bars whose beginning was not seen. Their close is known; it has the place of their open, and of high and low
   * unless the source states these.
   */
  partial: list(epochMs),
  /** The newest quote in the bars; null in an answer with `before`, and while there is none. */
  quote: orNull(quoteInBars),
  /** What else is to be said: a sentence, as of a stock that is not in the live list; null when there is nothing. */
  note: orNull(words),
  /** The earliest moment from which this source's bars are known, epoch ms; null while nothing is. */
  knownSince: orNull(epochMs),
  /** There are older bars: ask again with `before` = the first time. */
  hasMore: or(boolean, false),
  /** Stretches within the answer that are not known, as the server was off or the source silent: shown as gaps. */
  unknown: list(timeSpan),
  /** The splits and consolidations of the stock, oldest first: its bars are in the prices of after them. */
  adjustments: list(adjustment),
});
