/** Symbols on one user's watchlist. */
export const MAX_WATCHED = 100;

/** A symbol that a user watches, as answers carry it. */
export type WatchlistItem = {
  id: number;
  symbol: string;
  /** How many alerts its owner has on it, those that are switched off included. */
  alertCount: number;
};
