import type { Stock, StockStatus } from './stock.ts';

/** What keeps a stock from trading, as its status; null for one that is not halted. */
export const haltOf = ({ status }: Pick<Stock, 'status'>): 'Halted' | 'Suspended' | null =>
  status === 'Halted' || status === 'Suspended' ? status : null;

/**
 * Whether the exchange has stopped trading in a stock: for some hours or days (a trading halt) or until further
 * notice (a suspension), whatever phase the rest of the market is in. Nothing trades then: the stock is in no scanner
 * but the custom one, no condition is evaluated for it but that of an alert on a
 * price-sensitive announcement, and no call on it is filled or ended by its prices, which are
 * those of before the halt.
 */
export const isHalted = (stock: Pick<Stock, 'status'>): boolean => haltOf(stock) !== null;

/** 'BHP is halted', 'BHP is suspended'; null for a stock that is neither. */
export function haltText(symbol: string, stock: Pick<Stock, 'status'> | null): string | null {
  const halt = stock && haltOf(stock);
  return halt && `${symbol} is ${halt.toLowerCase()}`;
}

const ACTIVE_STATUSES: ReadonlySet<StockStatus> = new Set([
  'Open',
  'CSPA',
  'Post Close',
  'Post Trading',
  'Adjust',
]);

/**
 * Whether a stock is in the active set of the specification (section 9): past the pre-open and not halted, so that its
 * prices are those of the session that runs or has just ended.
 */
export const isActive = ({ status }: Pick<Stock, 'status'>): boolean => ACTIVE_STATUSES.has(status);
