import { createMinuteKeys, dateOf, dayOf, dayOfKey, minuteOfKey } from '../../rules/localTime.ts';
import { isTradingDay } from '../../rules/tradingDay.ts';
import type { BarColumns, ChartTimeframe, QuoteInBars } from './bars.ts';
import { dayBucket, minuteBucket, minutesOf } from './buckets.ts';
import {
  FIRST_TRADE,
  isSameQuote,
  type KeyedBar,
  type QuotedFigures,
  quotedOn,
  showsSession,
  type ShownFigures,
  type Trade,
  tradeOf,
  withTrade,
} from './quoteBars.ts';

/** Bars that go on with each tick. The columns are never changed: a tick that brings something makes new ones. */
export type LiveBars = {
  readonly tf: ChartTimeframe;
  readonly columns: BarColumns;
  /** The newest quote in the columns; null while none is known: then shares are counted from the next one on. */
  readonly quote: QuoteInBars | null;
};

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

function lastBar({ time, open, high, low, close, volume }: BarColumns): KeyedBar | undefined {
  const at = time.length - 1;
  const key = time[at];
  if (key === undefined) return undefined;
  const closing = close[at] ?? 0;
  return {
    key,
    open: open[at] ?? closing,
    high: high[at] ?? closing,
    low: low[at] ?? closing,
    close: closing,
    volume: volume[at] ?? 0,
  };
}

/** New columns whose last bar is this one; `key` is its time. One of a later time than the last is added. */
function put(columns: BarColumns, { key, open, high, low, close, volume }: KeyedBar): BarColumns {
  const { time } = columns;
  const at = time.at(-1) === key ? time.length - 1 : time.length;
  const placed = (values: readonly number[], value: number): number[] => {
    const copy = [...values];
    copy[at] = value;
    return copy;
  };
  return {
    time: placed(time, key),
    open: placed(columns.open, open),
    high: placed(columns.high, high),
    low: placed(columns.low, low),
    close: placed(columns.close, close),
    volume: placed(columns.volume, volume),
  };
}

/** @param key the quote's minute key; @param quoteTime its time, epoch ms */
function extendMinutes(
  columns: BarColumns,
  minutes: number,
  { key, quoteTime }: { key: number; quoteTime: number },
  tradeFrom: (lastKey: number) => Trade | null,
): BarColumns {
  const newest = lastBar(columns);
  const minute = Math.floor(quoteTime / MINUTE_MS);
  // Daylight saving never changes within a trading day, so minutes of the clock and of the key differ by a constant.
  const lastKey = newest ? key - (minute - newest.key / MINUTE_MS) : key;
  const trade = tradeFrom(lastKey);
  if (!trade) return columns;
  const bucket = minuteBucket(minutes, trade.key);
  const time = (minute - (key - bucket)) * MINUTE_MS;
  return put(columns, withTrade(newest, { ...trade, key: time }));
}

/** @param shares those that are not in the bar yet */
function extendDays(
  { tf, columns }: LiveBars,
  stock: ShownFigures,
  { day, last, high, low }: QuotedFigures,
  shares: number,
): BarColumns {
  const time = dayBucket(tf, day) * DAY_MS;
  const newest = lastBar(columns);
  if (newest && newest.key > time) return columns;
  const running = newest?.key === time ? newest : null;
  return put(columns, {
    key: time,
    open: running?.open ?? stock.open ?? last,
    high: Math.max(high, last, running?.high ?? last),
    low: Math.min(low, last, running?.low ?? last),
    close: last,
    volume: (running?.volume ?? 0) + shares,
  });
}

/** Shares of the day that the bars do not hold yet, as far as that is known. */
function newShares(
  { tf, columns }: LiveBars,
  before: QuotedFigures | null,
  { day, volume }: QuotedFigures,
): number {
  if (volume === null) return 0;
  if (before?.day === day) return before.volume === null ? 0 : Math.max(0, volume - before.volume);
  const isRunning = columns.time.at(-1) === dayBucket(tf, day) * DAY_MS;
  // Whether a running bar holds a day of which no quote is known can't be told.
  return before || !isRunning ? volume : 0;
}

/**
 * A quote as it counts after another one: a stream that is behind the answer of the server shows fewer shares than the bars
 * hold, and those between would be added a second time.
 */
const notBehind = (before: QuotedFigures | null, quote: QuotedFigures): QuotedFigures =>
  before?.day === quote.day && before.volume !== null && quote.volume !== null
    ? { ...quote, volume: Math.max(before.volume, quote.volume) }
    : quote;

const readQuote = (quote: QuoteInBars | null): QuotedFigures | null => {
  if (!quote) return null;
  const { date, ...figures } = quote;
  return { day: dayOf(date), ...figures };
};

/** Whether a quote of a new day still shows the figures of the last session. */
function isStale({ tf, columns }: LiveBars, before: QuotedFigures | null, quote: QuotedFigures): boolean {
  if (before) return before.day !== quote.day && isSameQuote({ ...before, day: quote.day }, quote);
  const newest = lastBar(columns);
  return tf === 'D' && newest?.key !== quote.day * DAY_MS && showsSession(newest, quote);
}

/**
 * Makes the function by which a chart goes on with the stream. It knows Sydney's clock of the last minute, so one serves
 * many charts best.
 *
 * The bars agree with those that the server makes of the same quotes; a quote that the browser does not see, as two within
 * a second, can make an extreme or the moment of some shares differ until the bars are asked for again.
 *
 * The function gives back the same object when the quote is not new. Its `quoteTime` is epoch ms on the market's clock,
 * less the delay of the source, as far as the source's quotes tell their time.
 */
export function createBarExtender(): (live: LiveBars, stock: ShownFigures, quoteTime: number) => LiveBars {
  const keyAt = createMinuteKeys();
  let known = { day: Number.NaN, date: '', isTrading: false };

  function dayAt(key: number): typeof known {
    const day = dayOfKey(key);
    if (known.day !== day) known = { day, date: dateOf(day), isTrading: isTradingDay(dateOf(day)) };
    return known;
  }

  return (live, stock, quoteTime) => {
    const key = keyAt(quoteTime);
    const { day, date, isTrading } = dayAt(key);
    const shown = quotedOn(day, stock);
    if (!shown || !isTrading || minuteOfKey(key) < FIRST_TRADE) return live;
    const before = readQuote(live.quote);
    const quote = notBehind(before, shown);
    if (before && (before.day > day || isSameQuote(before, quote))) return live;
    if (isStale(live, before, quote)) return live;
    const { last, high, low, volume } = quote;
    const next = { ...live, quote: { date, last, high, low, volume } };
    if (volume === 0) return next;
    const minutes = minutesOf(live.tf);
    const columns =
      minutes === null
        ? extendDays(live, stock, quote, newShares(live, before, quote))
        : extendMinutes(live.columns, minutes, { key, quoteTime }, (lastKey) =>
            tradeOf(before, quote, key, lastKey),
          );
    return { ...next, columns };
  };
}
