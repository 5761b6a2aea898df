import { Elysia } from 'elysia';
import { WATCHLIST } from '../../contract.ts';
import type { Auth } from '../../../../platform/http/auth.ts';
import { routeSchemas } from '../../../../platform/http/contract.ts';
import type { Core, Part } from '../../../../part.ts';
import { Watchlist, type WatchlistDeps, watchlistStore } from './service.ts';

/** The watchlist (specification 7.4). */
const routesOf = (auth: Auth, watchlist: Watchlist) =>
  new Elysia({ name: 'watchlist' })
    .use(auth)
    .get('/watchlist', ({ user }) => ({ items: watchlist.items(user.id) }), {
      minLevel: 1,
      ...routeSchemas(WATCHLIST['GET /api/watchlist']),
    })
    .post('/watchlist', ({ user, body }) => watchlist.add(user.id, body.symbol), {
      minLevel: 1,
      ...routeSchemas(WATCHLIST['POST /api/watchlist']),
    })
    .delete(
      '/watchlist/:id',
      ({ user, params }) => {
        watchlist.remove(user.id, params.id);
        return { success: true as const };
      },
      { minLevel: 1, ...routeSchemas(WATCHLIST['DELETE /api/watchlist/:id']) },
    );

/** The symbols that each user watches. */
export function createWatchlist(
  { db, clock }: Pick<Core, 'db' | 'clock'>,
  { auth, market }: Pick<WatchlistDeps, 'market'> & { auth: Auth },
) {
  const service = new Watchlist({ store: watchlistStore(db), clock, market });
  return { name: 'watchlist', service, routes: () => routesOf(auth, service) } satisfies Part;
}
