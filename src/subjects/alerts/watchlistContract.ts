import { integer, number, numeric, orNull, text } from '#lib/contract/fields.ts';
import { object, optional } from '#lib/contract/objects.ts';
import { sent } from '#lib/contract/requests.ts';
import { listedSymbol } from '#market/rules/liveSymbols.ts';
import type { RouteContracts } from '#texts/routeContract.ts';
import {
  addedAnswer,
  itemsAnswer,
  removedAnswer,
  watchlist,
  watchlistItem,
  watchlistsAnswer,
} from './answers/watchlist.ts';
import { MAX_WATCHLISTS } from './rules/watchlist.ts';

const params = object({ id: numeric });
const example = { params: { id: '1' } };
const LIST_GONE = 'The list does not exist any more.';

/** The symbols that are watched: each route with what it is sent, what it answers, and its words. */
export const WATCHLIST = {
  'GET /api/watchlist': {
    access: 1,
    tag: 'Watchlist',
    summary: 'List the watched symbols',
    description: 'Of one list, `list`; of the first one without it.',
    query: object({ list: optional(numeric) }),
    answer: itemsAnswer,
    refusals: { 404: LIST_GONE },
    example: {},
  },
  'POST /api/watchlist': {
    access: 1,
    tag: 'Watchlist',
    summary: 'Watch a symbol',
    description: 'On the list `list`; on the first one without it.',
    body: object({
      symbol: listedSymbol,
      list: optional(sent(integer, { error: 'A list is named by its id.' }, {})),
    }),
    answer: addedAnswer,
    refusals: { 404: LIST_GONE },
    example: { body: { symbol: 'BHP' } },
  },
  'PATCH /api/watchlist/:id': {
    access: 1,
    tag: 'Watchlist',
    summary: 'Note something beside a symbol, or a price to wait for',
    params,
    body: object({
      note: optional(orNull(sent(text, { maxLength: 1000, error: 'The note on a symbol is a text.' }, {}))),
      target: optional(sent(orNull(number), { error: 'A target is a price.' }, {})),
    }),
    answer: watchlistItem,
    refusals: { 404: 'The symbol is not on the watchlist any more.' },
    example: { ...example, body: { note: 'Results on Tuesday', target: 52.5 } },
  },
  'DELETE /api/watchlist/:id': {
    access: 1,
    tag: 'Watchlist',
    summary: 'Take a symbol off a list; off the last one its alerts go too',
    params,
    answer: removedAnswer,
    refusals: { 404: 'The symbol is not on the watchlist any more.' },
    example,
  },
} as const satisfies RouteContracts;

const ofList = { tag: 'Watchlist', params, refusals: { 404: LIST_GONE }, example } as const;
const listName = sent(text, { maxLength: 400, error: 'A list has a name.' }, {});

/** The lists that symbols are watched on. */
export const WATCHLISTS = {
  'GET /api/watchlists': {
    access: 1,
    tag: 'Watchlist',
    summary: 'List the watchlists with the symbols on each',
    answer: watchlistsAnswer,
    example: {},
  },
  'POST /api/watchlists': {
    access: 1,
    tag: 'Watchlist',
    summary: 'Add a watchlist',
    body: object({ name: listName }),
    answer: watchlist,
    example: { body: { name: 'Miners' } },
  },
  'PATCH /api/watchlists/:id': {
    access: 1,
    ...ofList,
    summary: 'Rename a watchlist, or put it elsewhere among the others',
    body: object({
      name: optional(listName),
      position: optional(
        sent(
          integer,
          { minimum: 0, maximum: MAX_WATCHLISTS, error: 'A position is a whole number from 0.' },
          {},
        ),
      ),
    }),
    answer: watchlistsAnswer,
    example: { ...example, body: { name: 'Gold', position: 0 } },
  },
  'DELETE /api/watchlists/:id': {
    access: 1,
    ...ofList,
    summary: 'Delete a watchlist; the alerts on symbols that stand on no other go too',
    answer: removedAnswer,
  },
} as const satisfies RouteContracts;
