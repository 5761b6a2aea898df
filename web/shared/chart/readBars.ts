import { barColumns, timeSpan } from '../../../src/domain/charts/barFields.ts';
import { type BarsAnswer, CHART_TIMEFRAMES, type QuoteInBars } from '../../../src/domain/charts/bars.ts';
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
    bars: barColumns.read(given['bars']),
    quote: readQuote(given['quote']),
    note: readText(given['note']) || null,
    knownSince: readTime(given['knownSince']),
    hasMore: readBoolean(given['hasMore']) ?? false,
    unknown: readList(given['unknown'], timeSpan.read),
  };
}
