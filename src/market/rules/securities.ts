import type { Stock } from './stock.ts';

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
