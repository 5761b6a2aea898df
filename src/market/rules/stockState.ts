import type { Stock, StockStatus } from './stock.ts';

/** Last, else match price, else previous close, AUD (specification, section 3). @returns null if unknown */
export const livePrice = (
  stock: { last: number | null; match_price: number | null; close: number | null } | undefined,
): number | null => stock?.last ?? stock?.match_price ?? stock?.close ?? null;

export const haltOf = ({ status }: Pick<Stock, 'status'>): 'Halted' | 'Suspended' | null =>
  status === 'Halted' || status === 'Suspended' ? status : null;

/**
 * Whether trading is stopped for hours or days (a trading halt) or until further notice (a suspension). The
 * stock is then only in the custom scanner. Only alerts on price-sensitive announcements are evaluated, and
 * its prices, from before the halt, do not fill or end calls.
 */
export const isHalted = (stock: Pick<Stock, 'status'>): boolean => haltOf(stock) !== null;

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
 * Whether a stock is in the active set (specification, section 9): past the pre-open and not halted, so its
 * prices are those of the current or last session.
 */
export const isActive = ({ status }: Pick<Stock, 'status'>): boolean => ACTIVE_STATUSES.has(status);

export type Securities = 'shares' | 'funds';

export const SECURITIES: readonly { id: Securities | undefined; label: string }[] = [
  { id: undefined, label: 'All' },
  { id: 'shares', label: 'Shares' },
  { id: 'funds', label: 'Funds' },
];

/** Whether the source calls it a fund: an ETF, a listed investment company. Anything else is a share. */
export const isFund = (stock: Pick<Stock, 'securityType'>): boolean => stock.securityType === 'fund';

export const isOfSecurities = (
  stock: Pick<Stock, 'securityType'>,
  securities: Securities | undefined,
): boolean => securities === undefined || isFund(stock) === (securities === 'funds');
