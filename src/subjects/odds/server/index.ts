import type { Part } from '#platform/app.ts';
import { refusedFor } from '#platform/http/errors.ts';
import { serve } from '#platform/http/routes.ts';
import { ODDS } from '../contract.ts';

function unready(): never {
  throw refusedFor(60, 503, 'Odds are not available yet.');
}

export function createOdds() {
  return {
    name: 'odds',
    routes: () =>
      serve(ODDS, {
        'POST /api/odds': unready,
        'GET /api/odds/:id': unready,
        'DELETE /api/odds/:id': unready,
        'GET /api/odds/:id/entries': unready,
        'GET /api/odds/:id/csv': unready,
        'GET /api/odds/day': unready,
        'GET /api/odds/saved': unready,
        'POST /api/odds/saved': unready,
        'DELETE /api/odds/saved/:id': unready,
        'GET /api/odds/saved/:id/entries': unready,
      }),
  } satisfies Part;
}
