import { MINUTE_MS, DAY_MS } from '#lib/units.ts';
import { createMinuteKeys, dateOf, dayOf, dayOfKey, minuteOfKey } from '#market/rules/localTime.ts';
import { isTradingDay, specialDaysRevision } from '#market/rules/tradingDay.ts';
import type { BarColumns, ChartTimeframe } from './bars.ts';
import { appendBar, noBars, type QuoteInBars } from './barsAnswer.ts';
import { dayBucket, minuteBucket, minutesOf } from './buckets.ts';
import {
  closeOnly,
  correctedRange,
  cutBar,
  dayAfter,
  drawable,
  FIRST_TRADE,
  isSameQuote,
  JUST_OPENED,
  type KeyedBar,
  type QuotedFigures,
  quotedOn,
  showsSession,
  type ShownFigures,
  type Trade,
  tradeOf,
  withTrade,
} from './quoteBars.ts';

export type LiveBars = {
  readonly tf: ChartTimeframe;
  readonly columns: BarColumns;
  readonly partial?: readonly number[];
  /** The newest quote in the columns; null if unknown: shares then count from the next quote on. */
  readonly quote: QuoteInBars | null;
  /**
   * True if the columns must be requested again, because only the server has the answer: after a correction
   * that depends on earlier days, for a first quote of a day without an open, and for a quote equal to an
   * earlier day's last one.
   */
  readonly isOutdated?: boolean;
};

function barAt({ time, open, high, low, close, volume }: BarColumns, at: number): KeyedBar | undefined {
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

const lastBar = (columns: BarColumns): KeyedBar | undefined => barAt(columns, columns.time.length - 1);

function cutBars(columns: BarColumns, from: number, range: Parameters<typeof cutBar>[1]): BarColumns {
  const cut = noBars();
  for (const [at, time] of columns.time.entries()) {
    const bar = barAt(columns, at);
    if (bar) appendBar(cut, time, time < from ? bar : cutBar(bar, range));
  }
  return cut;
}

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

const isPartialAt = ({ partial = [] }: LiveBars, time: number): boolean => partial.at(-1) === time;

function extendMinutes(
  live: LiveBars,
  columns: BarColumns,
  minutes: number,
  { key, quoteTime }: { key: number; quoteTime: number },
  tradeFrom: (lastKey: number) => Trade | null,
): BarColumns {
  const newest = lastBar(columns);
  const minute = Math.floor(quoteTime / MINUTE_MS);
  // Clock and key differ by a constant, because daylight saving never changes on a trading day.
  const lastKey = newest ? key - (minute - newest.key / MINUTE_MS) : key;
  const trade = tradeFrom(lastKey);
  if (!trade) return columns;
  const bucket = minuteBucket(minutes, trade.key);
  const time = (minute - (key - bucket)) * MINUTE_MS;
  const next = withTrade(newest, { ...trade, key: time });
  return put(columns, isPartialAt(live, time) ? withClose(next) : next);
}

const withClose = (bar: KeyedBar): KeyedBar => ({ ...drawable(closeOnly(bar)), volume: bar.volume });

const beganOn = ({ tf }: LiveBars, day: number): boolean => dayBucket(tf, day) === day;

function hasOtherOpen(live: LiveBars, { open }: ShownFigures, day: number): boolean {
  const newest = lastBar(live.columns);
  if (minutesOf(live.tf) !== null || open === null || newest?.key !== day * DAY_MS) return false;
  return open !== newest.open;
}

/**
 * Whether only the server knows the open of the running day: no bar of it exists, or its open became known.
 * @param key the quote's minute key
 */
function isOpenUnclear(live: LiveBars, { open }: ShownFigures, key: number): boolean {
  const newest = live.columns.time.at(-1) ?? Number.NEGATIVE_INFINITY;
  if (newest >= dayOfKey(key) * DAY_MS) return live.tf === 'D' && open !== null && isPartialAt(live, newest);
  return open === null && minuteOfKey(key) > JUST_OPENED;
}

function extendDays(live: LiveBars, stock: ShownFigures, quote: QuotedFigures, shares: number): BarColumns {
  const { tf, columns } = live;
  const time = dayBucket(tf, quote.day) * DAY_MS;
  const newest = lastBar(columns);
  if (newest && newest.key > time) return columns;
  const running = newest?.key === time ? newest : null;
  const volume = (running?.volume ?? 0) + shares;
  if (running !== null && isPartialAt(live, time)) {
    const next = { ...dayAfter(null, stock, quote, 0, false), key: time, volume };
    return put(columns, beganOn(live, quote.day) ? drawable(next) : withClose(next));
  }
  if (running === null || beganOn(live, quote.day)) {
    return put(columns, { ...dayAfter(running, stock, quote, 0), key: time, volume });
  }
  const { high, low, close } = dayAfter(null, stock, quote, 0);
  return put(columns, {
    key: time,
    open: running.open,
    close,
    volume,
    high: Math.max(high, running.high),
    low: Math.min(low, running.low),
  });
}

function newShares(
  { tf, columns }: LiveBars,
  before: QuotedFigures | null,
  { day, volume }: QuotedFigures,
): number {
  if (volume === null) return 0;
  if (before?.day === day) return before.volume === null ? 0 : Math.max(0, volume - before.volume);
  const isRunning = columns.time.at(-1) === dayBucket(tf, day) * DAY_MS;
  // Without an earlier quote it is unknown whether a running bar contains the day's shares.
  return before || !isRunning ? volume : 0;
}

/** A stream behind the server's answer shows fewer shares. The difference would be added twice. */
const notBehind = (before: QuotedFigures | null, quote: QuotedFigures): QuotedFigures =>
  before?.day === quote.day && before.volume !== null && quote.volume !== null
    ? { ...quote, volume: Math.max(before.volume, quote.volume) }
    : quote;

const readQuote = (quote: QuoteInBars | null): QuotedFigures | null => {
  if (!quote) return null;
  const { date, ...figures } = quote;
  return { day: dayOf(date), ...figures };
};

function isStale({ tf, columns }: LiveBars, before: QuotedFigures | null, quote: QuotedFigures): boolean {
  if (before) return before.day !== quote.day && isSameQuote({ ...before, day: quote.day }, quote);
  const newest = lastBar(columns);
  return tf === 'D' && newest?.key !== quote.day * DAY_MS && showsSession(newest, quote);
}

/**
 * Makes the function that extends a chart by the stream. One serves many charts, because it caches Sydney's
 * clock.
 * The bars equal the server's for the same quotes. Quotes that the browser misses, such as two within a
 * second, can make extremes or volumes differ until the next request.
 * The function returns the identical object for a known quote. Its `quoteTime` is epoch ms on the market's
 * clock, less the source's delay.
 */
export function createBarExtender(): (live: LiveBars, stock: ShownFigures, quoteTime: number) => LiveBars {
  const keyAt = createMinuteKeys();
  let today = { day: Number.NaN, revision: 0, date: '', isTrading: false };

  function dayAt(key: number): typeof today {
    const day = dayOfKey(key);
    const revision = specialDaysRevision();
    if (today.day !== day || today.revision !== revision) {
      today = { day, revision, date: dateOf(day), isTrading: isTradingDay(dateOf(day)) };
    }
    return today;
  }

  return (live, stock, quoteTime) => {
    const key = keyAt(quoteTime);
    const { day, date, isTrading } = dayAt(key);
    const shown = quotedOn(day, stock);
    if (!shown || !isTrading || minuteOfKey(key) < FIRST_TRADE) return live;
    const before = readQuote(live.quote);
    const quote = notBehind(before, shown);
    if (before && (before.day > day || (isSameQuote(before, quote) && !hasOtherOpen(live, stock, day)))) {
      return live;
    }
    if (isStale(live, before, quote)) return { ...live, isOutdated: true };
    const { last, high, low, volume } = quote;
    const next = { ...live, quote: { date, last, high, low, volume } };
    if (volume === 0) return next;
    const range = volume === shown.volume ? correctedRange(before, stock, quote) : null;
    const minutes = minutesOf(live.tf);
    if (minutes === null) {
      const columns = extendDays(live, stock, quote, newShares(live, before, quote));
      const isOutdated = (range !== null && !beganOn(live, day)) || isOpenUnclear(live, stock, key);
      return { ...next, columns, ...(isOutdated && { isOutdated }) };
    }
    const midnight = (Math.floor(quoteTime / MINUTE_MS) - minuteOfKey(key)) * MINUTE_MS;
    const known = range ? cutBars(live.columns, midnight, range) : live.columns;
    const columns = extendMinutes(live, known, minutes, { key, quoteTime }, (lastKey) =>
      tradeOf(before, quote, key, lastKey),
    );
    return { ...next, columns };
  };
}
