import { capitals, count, done, list, number, or, orNull, readBy, text } from '#lib/contract/fields.ts';
import { object, extension } from '#lib/contract/objects.ts';
import { readRecord } from '#lib/read.ts';

export const watchlistItem = object(
  {
    id: count,
    symbol: capitals,
    /** Number of the owner's alerts on the symbol, including those that are off. */
    alertCount: or(count, 0),
    /** Number of alerts that work only until the open, because their conditions read the opening auction. */
    untilOpen: extension(or(count, 0)),
    listId: extension(or(count, 0)),
    note: extension(orNull(text)),
    /** The owner's target price, AUD. */
    target: extension(orNull(number)),
  },
  ['id', 'symbol'],
);

export const itemsAnswer = object({ items: list(watchlistItem) });

/** Answer of `POST /api/watchlist`: the item itself, or an object with the item as a member. */
export const addedAnswer = readBy(watchlistItem, (value) =>
  watchlistItem.read(readRecord(value).item ?? value),
);

export const removedAnswer = object({ success: extension(done) });

export const watchlist = object({ id: count, name: text, symbols: list(capitals) }, ['id', 'name']);

/** Answer of `GET /api/watchlists`, in the user's order. */
export const watchlistsAnswer = object({ lists: list(watchlist) });
