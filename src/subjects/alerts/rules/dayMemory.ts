import type { Quote } from '../../calls/rules/pricePath.ts';
import { isSplit } from '../../calls/rules/splits.ts';
import type { Stock } from '../../../market/rules/stock.ts';

/**
 * What is remembered of a stock's days: the last traded figures of the session that is shown, and those of the one
 * before it in which it traded.
 */
export type DayMemory = { quote: Quote | null; prior: Quote | null };

/** What a look at a stock found: its figures are those of an earlier session, or old prices can't be compared any more. */
export type DayLook = 'same' | 'earlierDay' | 'split';

const hasFiguresOf = (stock: Stock, { open, high, low, last, volume }: Quote): boolean =>
  stock.open === open &&
  stock.high === high &&
  stock.low === low &&
  stock.last === last &&
  stock.volume === volume;

const isSplitSince = (close: number | null, { last, close: before }: Quote): boolean =>
  last !== null && close !== null && close !== before && isSplit(last, close);

/**
 * Compares a stock with what is remembered of the last session before this one in which it traded. A split or a
 * consolidation is a previous close that is that session's last trade times a usual ratio; it is told once.
 * @param date of the session that is shown, YYYY-MM-DD
 * @param days what the source declares: days that do not follow each other prove nothing
 */
export function lookAtDay(
  memory: DayMemory,
  stock: Stock,
  date: string,
  days: 'consecutive' | 'independent',
): DayLook {
  if (memory.quote && memory.quote.date !== date) {
    memory.prior = memory.quote;
    memory.quote = null;
  }
  const { prior } = memory;
  if (!prior || days === 'independent') return 'same';
  if (isSplitSince(stock.close, prior)) {
    memory.prior = null;
    return 'split';
  }
  return hasFiguresOf(stock, prior) ? 'earlierDay' : 'same';
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
