import { capitals, count, done, list, number, or, orNull, readBy, text } from '#lib/contract/fields.ts';
import { object, ours } from '#lib/contract/objects.ts';
import { readRecord } from '#lib/read.ts';

/** A symbol that a user watches. */
export const watchlistItem = object(
  {
    id: count,
    symbol: capitals,
    /** How many alerts its owner has on it, those that are switched off included. */
    alertCount: or(count, 0),
    /** How many of them are on until the open: their conditions read the opening auction. */
    untilOpen: ours(or(count, 0)),
    /** On which list it stands. */
    listId: ours(or(count, 0)),
    /** What its owner wrote beside it. */
    note: ours(orNull(text)),
    /** A price that its owner waits for, AUD. */
    target: ours(orNull(number)),
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

/** A list with the symbols on it, by code. */
export const watchlist = object({ id: count, name: text, symbols: list(capitals) }, ['id', 'name']);

/** `GET /api/watchlists`: in their order. */
export const watchlistsAnswer = object({ lists: list(watchlist) });
