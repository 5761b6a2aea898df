import { capitals, count, done, list, or, readBy } from '../../../lib/contract/fields.ts';
import { object, ours } from '../../../lib/contract/objects.ts';
import { readRecord } from '../../../lib/read.ts';

/** A symbol that a user watches. */
export const watchlistItem = object(
  {
    id: count,
    symbol: capitals,
    /** How many alerts its owner has on it, those that are switched off included. */
    alertCount: or(count, 0),
  },
  ['id', 'symbol'],
);

/** `GET /api/watchlist`. */
export const itemsAnswer = object({ items: list(watchlistItem) });

/** `POST /api/watchlist`: the item, which is read alone or as a member. */
export const addedAnswer = readBy(watchlistItem, (value) =>
  watchlistItem.read(readRecord(value).item ?? value),
);

/** `DELETE /api/watchlist/:id`. */
export const removedAnswer = object({ success: ours(done) });
