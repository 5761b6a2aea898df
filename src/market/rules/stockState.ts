import type { Stock, StockStatus } from './stock.ts';

/**
 * The live price of a stock: last, else match price, else previous close (specification, section 3).
 * @returns AUD; null when none of them is known
 */
export const livePrice = (
  stock: { last: number | null; match_price: number | null; close: number | null } | undefined,
): number | null => stock?.last ?? stock?.match_price ?? stock?.close ?? null;

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

/** Which kind of security something is narrowed to. */
export type Securities = 'shares' | 'funds';

export const SECURITIES: readonly { id: Securities | undefined; label: string }[] = [
  { id: undefined, label: 'All' },
  { id: 'shares', label: 'Shares' },
  { id: 'funds', label: 'Funds' },
];

/** A fund is what the source calls one: an ETF, a listed investment company. All else, the unknown too, is a share. */
export const isFund = (stock: Pick<Stock, 'securityType'>): boolean => stock.securityType === 'fund';

/** Whether a stock is of a kind; each is where none is named. */
export const isOfSecurities = (
  stock: Pick<Stock, 'securityType'>,
  securities: Securities | undefined,
): boolean => securities === undefined || isFund(stock) === (securities === 'funds');
