import { numeric } from '../../lib/contract/fields.ts';
import { object } from '../../lib/contract/objects.ts';
import { listedSymbol } from '../../market/rules/listedSymbol.ts';
import type { RouteContracts } from '../../texts/routeContract.ts';
import { addedAnswer, itemsAnswer, removedAnswer } from './answers/watchlist.ts';

/** The symbols that are watched: each route with what it is sent, what it answers, and its words. */
export const WATCHLIST = {
  'GET /api/watchlist': {
    tag: 'Watchlist',
    summary: 'List the watched symbols',
    answer: itemsAnswer,
    example: {},
  },
  'POST /api/watchlist': {
    tag: 'Watchlist',
    summary: 'Watch a symbol',
    body: object({ symbol: listedSymbol }),
    answer: addedAnswer,
    example: { body: { symbol: 'BHP' } },
  },
  'DELETE /api/watchlist/:id': {
    tag: 'Watchlist',
    summary: 'Stop watching a symbol; its alerts go too',
    params: object({ id: numeric }),
    answer: removedAnswer,
    refusals: { 404: 'The symbol is not on the watchlist any more.' },
    example: { params: { id: '1' } },
  },
} as const satisfies RouteContracts;
