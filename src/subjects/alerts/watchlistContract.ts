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
const LIST_GONE = 'The watchlist no longer exists.';

export const WATCHLIST = {
  'GET /api/watchlist': {
    access: 1,
    tag: 'Watchlist',
    summary: 'List watched symbols',
    description: 'Send the id of the watchlist as `list`; the default is the first one.',
    query: object({ list: optional(numeric) }),
    answer: itemsAnswer,
    refusals: { 404: LIST_GONE },
    example: {},
  },
  'POST /api/watchlist': {
    access: 1,
    tag: 'Watchlist',
    summary: 'Add a symbol to a watchlist',
    description: '`list` is the id of the watchlist; the default is the first one.',
    body: object({
      symbol: listedSymbol,
      list: optional(sent(integer, { error: '`list` must be the id of a watchlist.' }, {})),
    }),
    answer: addedAnswer,
    refusals: { 404: LIST_GONE },
    example: { body: { symbol: 'BHP' } },
  },
  'PATCH /api/watchlist/:id': {
    access: 1,
    tag: 'Watchlist',
    summary: 'Set the note and target of a symbol',
    params,
    body: object({
      note: optional(orNull(sent(text, { maxLength: 1000, error: '`note` must be text.' }, {}))),
      target: optional(sent(orNull(number), { error: '`target` must be a price.' }, {})),
    }),
    answer: watchlistItem,
    refusals: { 404: 'The symbol is no longer on the watchlist.' },
    example: { ...example, body: { note: 'Results on Tuesday', target: 52.5 } },
  },
  'DELETE /api/watchlist/:id': {
    access: 1,
    tag: 'Watchlist',
    summary: 'Remove a symbol from a watchlist',
    description: 'If no other watchlist has the symbol, its alerts are deleted too.',
    params,
    answer: removedAnswer,
    refusals: { 404: 'The symbol is no longer on the watchlist.' },
    example,
  },
} as const satisfies RouteContracts;

const ofList = { tag: 'Watchlist', params, refusals: { 404: LIST_GONE }, example } as const;
const listName = sent(text, { maxLength: 400, error: 'Enter a name for the watchlist.' }, {});

export const WATCHLISTS = {
  'GET /api/watchlists': {
    access: 1,
    tag: 'Watchlist',
    summary: 'List watchlists with their symbols',
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
    summary: 'Rename or move a watchlist',
    body: object({
      name: optional(listName),
      position: optional(
        sent(
          integer,
          { minimum: 0, maximum: MAX_WATCHLISTS, error: '`position` must be a whole number from 0.' },
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
    summary: 'Delete a watchlist',
    description: 'Alerts on symbols that are on no other watchlist are deleted too.',
    answer: removedAnswer,
  },
} as const satisfies RouteContracts;
