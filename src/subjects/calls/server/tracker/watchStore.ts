import type { Quote } from '#subjects/calls/rules/pricePath.ts';
import type { PriceUpdate } from '#subjects/calls/rules/tracker.ts';
import type { LastTrade, SuspectPrint, TimedQuote, Watch } from '#subjects/calls/rules/watch.ts';
import type { Stock } from '#market/rules/stock.ts';
import { isRecord } from '#lib/json.ts';
import { readNumber } from '#lib/read.ts';
import type { App } from '#platform/app.ts';
import type { CallRow } from '../store.ts';

/** Quote time of a stock, epoch ms on the wall clock: the provider's, or now less the feed's delay. */
function timeOfQuote({ clock, market, source }: App, code: string): number {
  const stated = market.statedQuoteTime(code);
  if (stated === null) return clock.now() - source.delayMinutes() * 60_000;
  const age = Math.max(0, source.clock.now() - stated);
  // A stopped clock does not say how fast it ran at the quote.
  return clock.now() - age / (source.clock.speed || 1);
}

/**
 * The current quote of a stock, for a later comparison.
 * @param date the market's, if the caller has it
 */
export const quoteNow = (app: App, stock: Stock, date = app.market.date()): TimedQuote => ({
  quote: {
    date,
    open: stock.open,
    high: stock.high,
    low: stock.low,
    last: stock.last,
    volume: stock.volume,
    close: stock.close,
  },
  time: timeOfQuote(app, stock.code),
  takenAt: app.clock.now(),
  statedAt: app.market.statedQuoteTime(stock.code),
});

function readQuote(stored: unknown): Quote | null {
  if (!isRecord(stored) || typeof stored['date'] !== 'string') return null;
  return {
    date: stored['date'],
    open: readNumber(stored['open']),
    high: readNumber(stored['high']),
    low: readNumber(stored['low']),
    last: readNumber(stored['last']),
    volume: readNumber(stored['volume']),
    close: readNumber(stored['close']),
  };
}

function readTrade(stored: unknown): LastTrade | null {
  if (!isRecord(stored) || typeof stored['date'] !== 'string') return null;
  const price = readNumber(stored['price']);
  return price === null ? null : { price, date: stored['date'] };
}

function readPrint(stored: unknown): PriceUpdate[] {
  if (!isRecord(stored)) return [];
  const time = readNumber(stored['time']);
  if (time === null) return [];
  const print: PriceUpdate = { time };
  for (const member of ['since', 'open', 'high', 'low', 'last'] as const) {
    const value = readNumber(stored[member]);
    if (value !== null) print[member] = value;
  }
  return [print];
}

function readSuspectPrint(stored: unknown): SuspectPrint | null {
  if (!isRecord(stored) || !Array.isArray(stored['prints'])) return null;
  const before = readNumber(stored['before']);
  return before === null ? null : { before, prints: stored['prints'].flatMap(readPrint) };
}

export function storedWatch(stored: CallRow['watch']): Watch | null {
  if (stored === null) return null;
  const quote = readQuote(stored['quote']);
  const time = readNumber(stored['time']);
  const takenAt = readNumber(stored['takenAt']);
  if (quote === null || time === null || takenAt === null) return null;
  return {
    quote,
    time,
    takenAt,
    trade: readTrade(stored['trade']),
    doubt: readSuspectPrint(stored['doubt']),
  };
}
