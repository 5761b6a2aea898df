import type { Quote } from '#subjects/calls/rules/pricePath.ts';
import { isQuotedOn } from '#market/rules/sessionClock.ts';
import type { Stock } from '#market/rules/stock.ts';

/**
 * The last traded figures of a stock in the current session (`quote`) and in the last earlier one with trades
 * (`prior`).
 */
export type DayMemory = { quote: Quote | null; prior: Quote | null };

const hasFiguresOf = (stock: Stock, { open, high, low, last, volume }: Quote): boolean =>
  stock.open === open &&
  stock.high === high &&
  stock.low === low &&
  stock.last === last &&
  stock.volume === volume;

/**
 * Whether a stock still shows the figures of its previous session.
 * @param date of the current session, YYYY-MM-DD
 * @param days as the source declares; independent days have nothing in common
 * @param statedAt when the last quote was made, according to its provider
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

export function noteDay(memory: DayMemory, stock: Stock, date: string): void {
  const { open, high, low, last, volume, close } = stock;
  const { quote } = memory;
  if (!quote) {
    memory.quote = { date, open, high, low, last, volume, close };
    return;
  }
  // Assigned one by one, because this runs for every stock at every change and must not allocate.
  quote.open = open;
  quote.high = high;
  quote.low = low;
  quote.last = last;
  quote.volume = volume;
  quote.close = close;
}
