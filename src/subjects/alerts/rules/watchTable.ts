import type { Stock } from '#market/rules/stock.ts';

/** The two tables of the watchlist. */
export type WatchTable = 'preOpen' | 'trading';

/**
 * The table that a symbol stands in (specification, section 2.7): with the auction's figures while it is in the
 * pre-open, with those of trading at any other time, halted or not listed any more.
 * @param stock null when the live list does not have it
 */
export const watchTableOf = (stock: Pick<Stock, 'status'> | null): WatchTable =>
  stock?.status === 'Pre Open' ? 'preOpen' : 'trading';
