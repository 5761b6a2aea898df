import { type AuctionAnswer, type DayEventsAnswer, emptyAuction } from '#market/auctions/rules/auction.ts';
import { STOCK } from '#subjects/stock/contract.ts';
import { serve } from '#platform/http/routes.ts';
import { MARKET_LOADING, normaliseSymbol, unknownCode } from '#market/rules/liveSymbols.ts';
import type { AuthUser } from '#platform/http/auth.ts';
import { createCallerKey, createCallerLimit } from '#platform/http/requestLimits.ts';
import { encodeInSteps, sendEncoded } from '#platform/http/encodedAnswers.ts';
import { AppError, refusedFor } from '#platform/http/errors.ts';
import type { Steps } from '#platform/http/readQueue.ts';
import type { App, Part } from '#platform/app.ts';

/** Limit per caller; holding a key down in a table opens one stock after the other. */
const MAX_A_MINUTE = 600;

/**
 * A code in the live list, or one that was removed today.
 * @throws AppError as `/data/bars`: 404 for an unknown code, 503 before the first stock
 */
function symbolOf({ auctions, market }: App, typed: string): string {
  const symbol = normaliseSymbol(typed);
  const listed = market.all();
  if (auctions.events(symbol) || listed.has(symbol)) return symbol;
  if (listed.size === 0) throw refusedFor(2, 503, MARKET_LOADING);
  throw new AppError(404, { field: 'symbol', message: unknownCode(symbol) });
}

/** @throws AppError 404, 503 */
function* readAuction(app: App, typed: string): Steps<AuctionAnswer> {
  const { auctions } = app;
  const symbol = symbolOf(app, typed);
  yield;
  const { columns, thinned } = auctions.auction(symbol) ?? { columns: emptyAuction(), thinned: false };
  return { symbol, date: auctions.date(), columns, thinned };
}

/** @throws AppError 404, 503 */
function* readEvents(app: App, typed: string): Steps<DayEventsAnswer> {
  const { auctions } = app;
  const symbol = symbolOf(app, typed);
  yield;
  const { statuses, auctions: traded } = auctions.events(symbol) ?? { statuses: [], auctions: [] };
  const knownSince = statuses[0]?.time ?? null;
  return { symbol, date: auctions.date(), knownSince, statuses, auctions: traded };
}

type Asking = { user: AuthUser | null; request: Request; query: { symbol: string } };

/** Routes on how a stock's auctions formed and how its day went. Public, because timelines of calls are. */
export function createAuction(app: App) {
  const { auctions, reads } = app;
  const callerKey = createCallerKey(app);
  const count = createCallerLimit(app, MAX_A_MINUTE, 'Too many requests for charts.');

  async function answer(
    { user, request, query }: Asking,
    read: (app: App, typed: string) => Steps<object>,
  ): Promise<Response> {
    count(user, request);
    await auctions.ready();
    const steps = encodeInSteps(read(app, query.symbol), request, 1);
    return sendEncoded(await reads.run(callerKey(user, request), 'auction', steps), request);
  }

  const routes = () =>
    serve(STOCK, {
      'GET /api/data/auction': (asking) => answer(asking, readAuction),
      'GET /api/data/day-events': (asking) => answer(asking, readEvents),
    });
  return { name: 'auction', routes } satisfies Part;
}
