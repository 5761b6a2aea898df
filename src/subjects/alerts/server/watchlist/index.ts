import { Elysia } from 'elysia';
import { WATCHLIST, WATCHLISTS } from '#subjects/alerts/watchlistContract.ts';
import type { Auth } from '#platform/http/auth.ts';
import { routeSchemas } from '#platform/http/contract.ts';
import type { Core, Part } from '#src/part.ts';
import { Watchlists } from './lists.ts';
import { Watchlist, type WatchlistDeps } from './service.ts';
import { watchlistsKind } from './transfer.ts';
import { watchlistStore } from './store.ts';

const DONE = { success: true as const };

/** The symbols on a watchlist (specification 7.4). */
const routesOf = (auth: Auth, watchlist: Watchlist) =>
  new Elysia({ name: 'watchlist' })
    .use(auth)
    .get('/watchlist', ({ user, query }) => ({ items: watchlist.items(user.id, query.list) }), {
      minLevel: 1,
      ...routeSchemas(WATCHLIST['GET /api/watchlist']),
    })
    .post('/watchlist', ({ user, body }) => watchlist.add(user.id, body.symbol, body.list), {
      minLevel: 1,
      ...routeSchemas(WATCHLIST['POST /api/watchlist']),
    })
    .patch('/watchlist/:id', ({ user, params, body }) => watchlist.change(user.id, params.id, body), {
      minLevel: 1,
      ...routeSchemas(WATCHLIST['PATCH /api/watchlist/:id']),
    })
    .delete(
      '/watchlist/:id',
      ({ user, params }) => {
        watchlist.remove(user.id, params.id);
        return DONE;
      },
      { minLevel: 1, ...routeSchemas(WATCHLIST['DELETE /api/watchlist/:id']) },
    );

/** The lists themselves. */
const listRoutesOf = (auth: Auth, lists: Watchlists) =>
  new Elysia({ name: 'watchlists' })
    .use(auth)
    .get('/watchlists', ({ user }) => ({ lists: lists.lists(user.id) }), {
      minLevel: 1,
      ...routeSchemas(WATCHLISTS['GET /api/watchlists']),
    })
    .post('/watchlists', ({ user, body }) => lists.add(user.id, body.name), {
      minLevel: 1,
      ...routeSchemas(WATCHLISTS['POST /api/watchlists']),
    })
    .patch(
      '/watchlists/:id',
      ({ user, params, body }) => ({ lists: lists.change(user.id, params.id, body) }),
      {
        minLevel: 1,
        ...routeSchemas(WATCHLISTS['PATCH /api/watchlists/:id']),
      },
    )
    .delete(
      '/watchlists/:id',
      ({ user, params }) => {
        lists.remove(user.id, params.id);
        return DONE;
      },
      { minLevel: 1, ...routeSchemas(WATCHLISTS['DELETE /api/watchlists/:id']) },
    );

/** The symbols that each user watches. */
export function createWatchlist(
  { db, clock }: Pick<Core, 'db' | 'clock'>,
  { auth, market, scansOf }: Pick<WatchlistDeps, 'market' | 'scansOf'> & { auth: Auth },
) {
  const store = watchlistStore(db);
  const service = new Watchlist({ store, clock, market, scansOf });
  const lists = new Watchlists({ store, clock, items: service });
  return {
    name: 'watchlist',
    service: Object.assign(service, {
      transfer: watchlistsKind({ store, clock, market }, (userId, symbol) => service.told(userId, symbol)),
    }),
    routes: () =>
      new Elysia({ name: 'watchlist.all' }).use(routesOf(auth, service)).use(listRoutesOf(auth, lists)),
  } satisfies Part;
}
