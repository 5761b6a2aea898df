import { appendBar, noBars } from '../../../src/domain/charts/barColumns.ts';
import {
  type BarColumns,
  type BarsAnswer,
  CHART_TIMEFRAMES,
  type QuoteInBars,
  type TimeSpan,
} from '../../../src/domain/charts/bars.ts';
import {
  readBoolean,
  readChoice,
  readList,
  readNumber,
  readRecord,
  readText,
  readTime,
} from '../../../src/lib/read.ts';
import { readAnswer } from '../api/client.ts';

const readTimeframe = readChoice(CHART_TIMEFRAMES);

const EMPTY = noBars();

/** Bars with all of their prices, in ascending order: whatever is not is left out. */
export function readColumns(value: unknown): BarColumns {
  const given = readRecord(value);
  const column = (name: keyof BarColumns): unknown[] => (Array.isArray(given[name]) ? given[name] : []);
  const [times, open, high, low, close, volume] = [
    column('time'),
    column('open'),
    column('high'),
    column('low'),
    column('close'),
    column('volume'),
  ];
  const bars = noBars();
  times.forEach((time, index) => {
    const at = readNumber(time);
    const prices = [open[index], high[index], low[index], close[index]].map(readNumber);
    const [first, top, bottom, last] = prices;
    if (at === null || first == null || top == null || bottom == null || last == null) return;
    if (at <= (bars.time.at(-1) ?? Number.NEGATIVE_INFINITY)) return;
    const bar = { open: first, high: top, low: bottom, close: last, volume: readNumber(volume[index]) ?? 0 };
    appendBar(bars, at, bar);
  });
  return bars.time.length === 0 ? EMPTY : bars;
}

/** A stretch of time; null for what is none. */
export function readSpan(value: unknown): TimeSpan | null {
  const { from, until } = readRecord(value);
  const [begins, ends] = [readTime(from), readTime(until)];
  return begins === null || ends === null || ends <= begins ? null : { from: begins, until: ends };
}

function readQuote(value: unknown): QuoteInBars | null {
  const given = readRecord(value);
  const date = readText(given['date']);
  const [last, high, low] = [given['last'], given['high'], given['low']].map(readNumber);
  if (date === null || last == null || high == null || low == null) return null;
  return { date, last, high, low, volume: readNumber(given['volume']) };
}

/** `GET /api/data/bars`. */
export function readBars(body: unknown): BarsAnswer {
  const given = readAnswer(body);
  return {
    symbol: readText(given['symbol']) ?? '',
    tf: readTimeframe(given['tf']) ?? '1',
    bars: readColumns(given['bars']),
    quote: readQuote(given['quote']),
    note: readText(given['note']) || null,
    knownSince: readTime(given['knownSince']),
    hasMore: readBoolean(given['hasMore']) ?? false,
    unknown: readList(given['unknown'], readSpan),
  };
}
