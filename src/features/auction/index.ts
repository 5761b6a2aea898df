import { Elysia } from 'elysia';
import { type AuctionAnswer, type DayEventsAnswer, emptyAuction } from '../../domain/charts/auction.ts';
import { checkLiveSymbol, normaliseSymbol } from '../../domain/market/liveSymbols.ts';
import type { Auth, AuthUser } from '../../http/auth.ts';
import type { Connections } from '../../http/connections.ts';
import { accepted, refusedFor } from '../../http/errors.ts';
import { isNotModified } from '../../lib/notModified.ts';
import { createRateLimit, waitText } from '../../lib/rateLimit.ts';
import type { Auctions } from '../../market/auctions/memory.ts';
import type { Market } from '../../market/types.ts';
import type { Core, Part } from '../../part.ts';
import { auctionAnswer, dayEventsAnswer, symbolQuery } from './model.ts';

export type AuctionNeeds = Pick<Connections, 'clientAddress'> & {
  auth: Auth;
  auctions: Auctions;
  market: Pick<Market, 'all'>;
};

/** Pictures of one caller in a minute: a reader who holds a key down in a table opens one after the other. */
const MAX_A_MINUTE = 600;

/** Counts the requests of a caller, by account or else by address. @throws AppError 429 with `Retry-After` */
function createLimit(core: Pick<Core, 'clock'>, clientAddress: Connections['clientAddress']) {
  const requests = createRateLimit({ clock: core.clock, limit: MAX_A_MINUTE, windowMs: 60_000 });
  return (user: AuthUser | null, request: Request): void => {
    const seconds = requests.take(user ? `user ${user.id}` : clientAddress(request));
    if (seconds === 0) return;
    throw refusedFor(seconds, 429, `Too many requests for charts. Try again in ${waitText(seconds)}.`);
  };
}

/** The answer as JSON; 304 where the caller has the same already. */
function send(request: Request, answer: AuctionAnswer | DayEventsAnswer): Response {
  const body = JSON.stringify(answer);
  const etag = `"${Bun.hash(body).toString(36)}"`;
  const headers = { 'cache-control': 'no-cache', 'content-type': 'application/json', etag };
  return isNotModified(request, etag)
    ? new Response(null, { status: 304, headers })
    : new Response(body, { headers });
}

/**
 * GET /data/auction and GET /data/day-events: how a stock's opening auction formed and its day went. Public, like the prices
 * of the stream, because the pictures of calls are.
 */
export function createAuction(core: Pick<Core, 'clock'>, needs: AuctionNeeds) {
  const { auth, auctions, market, clientAddress } = needs;
  const count = createLimit(core, clientAddress);

  /** A code of the live list; one that was taken off it stays readable for the day. */
  const symbolOf = (typed: string): string => {
    const symbol = normaliseSymbol(typed);
    return auctions.events(symbol) ? symbol : accepted(checkLiveSymbol(typed, market.all()));
  };

  function auctionOf(symbol: string): AuctionAnswer {
    const known = auctions.auction(symbol);
    return {
      symbol,
      date: auctions.date(),
      columns: known?.columns ?? emptyAuction(),
      thinned: known?.thinned ?? false,
    };
  }

  function eventsOf(symbol: string): DayEventsAnswer {
    const { statuses, auctions: traded } = auctions.events(symbol) ?? { statuses: [], auctions: [] };
    return {
      symbol,
      date: auctions.date(),
      knownSince: statuses[0]?.time ?? null,
      statuses,
      auctions: traded,
    };
  }

  const routes = new Elysia({ name: 'auction', prefix: '/data' })
    .use(auth)
    .get(
      '/auction',
      ({ user, request, query }) => {
        count(user, request);
        return send(request, auctionOf(symbolOf(query.symbol)));
      },
      { visitor: true, query: symbolQuery, response: { 200: auctionAnswer } },
    )
    .get(
      '/day-events',
      ({ user, request, query }) => {
        count(user, request);
        return send(request, eventsOf(symbolOf(query.symbol)));
      },
      { visitor: true, query: symbolQuery, response: { 200: dayEventsAnswer } },
    );
  return { name: 'auction', routes } satisfies Part;
}
