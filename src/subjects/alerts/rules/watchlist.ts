import type { Wire } from '../../../lib/contract/fields.ts';
import type { watchlistItem } from '../answers/watchlist.ts';

/** Symbols on one user's watchlist. */
export const MAX_WATCHED = 100;

/** A symbol that a user watches, as answers carry it. */
export type WatchlistItem = Wire<typeof watchlistItem>;
