import { barColumns, timeSpan } from '../../../../../market/bars/rules/barFields.ts';
import {
  type BarsAnswer,
  CHART_TIMEFRAMES,
  type QuoteInBars,
} from '../../../../../market/bars/rules/bars.ts';
import {
  readBoolean,
  readChoice,
  readList,
  readNumber,
  readRecord,
  readText,
  readTime,
} from '../../../../../lib/read.ts';
import { readAnswer } from '../../../../../../web/api/client.ts';

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
