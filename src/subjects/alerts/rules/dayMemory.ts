import type { Quote } from '#subjects/calls/rules/pricePath.ts';
import { isQuotedOn } from '#market/rules/sessionClock.ts';
import type { Stock } from '#market/rules/stock.ts';

/**
 * What is remembered of a stock's days: the last traded figures of the session that is shown, and those of the one
 * before it in which it traded.
 */
export type DayMemory = { quote: Quote | null; prior: Quote | null };

const hasFiguresOf = (stock: Stock, { open, high, low, last, volume }: Quote): boolean =>
  stock.open === open &&
  stock.high === high &&
  stock.low === low &&
  stock.last === last &&
  stock.volume === volume;

/**
 * Whether a stock shows the figures of the last session before this one in which it traded.
 * @param date of the session that is shown, YYYY-MM-DD
 * @param days what the source declares: days that do not follow each other have nothing in common
 * @param statedAt when the stock's last quote was made, as its provider states it
 */
export function showsEarlierDay(
  memory: DayMemory,
  stock: Stock,
  date: string,
  days: 'consecutive' | 'independent',
  statedAt: number | null,
): boolean {
  if (memory.quote && memory.quote.date !== date) {
    memory.prior = memory.quote;
    memory.quote = null;
  }
  const { prior } = memory;
  if (prior === null || days === 'independent' || !hasFiguresOf(stock, prior)) return false;
  return !isQuotedOn(statedAt, date);
}

/** Takes note of the traded figures of a stock. */
export function noteDay(memory: DayMemory, stock: Stock, date: string): void {
  const { open, high, low, last, volume, close } = stock;
  const { quote } = memory;
  if (!quote) {
    memory.quote = { date, open, high, low, last, volume, close };
    return;
  }
  // Member by member: this is done for every stock at every change, and leaves no object behind.
  quote.open = open;
  quote.high = high;
  quote.low = low;
  quote.last = last;
  quote.volume = volume;
  quote.close = close;
}
