import { Elysia } from 'elysia';
import { STOCK } from '#subjects/stock/contract.ts';
import type { Auth } from '#platform/http/auth.ts';
import type { Connections } from '#platform/http/connections.ts';
import { routeSchemas } from '#platform/http/contract.ts';
import { createCallerKey, type CallerKey } from '#platform/http/callerKey.ts';
import { createEncodedAnswers, sendEncoded } from '#platform/http/encodedAnswers.ts';
import { type CallerLimit, createCallerLimit } from '#platform/http/requestLimits.ts';
import type { ReadQueue } from '#platform/http/readQueue.ts';
import type { ChartBars } from '#market/bars/chartBars.ts';
import type { DayLines } from '#market/bars/dayLines.ts';
import type { Market } from '#market/types.ts';
import type { Core, Part } from '#src/part.ts';
import type { BarsAnswer, DayLinesAnswer } from '#market/bars/rules/bars.ts';
import { Bars } from './service.ts';

export type BarsNeeds = Pick<Connections, 'clientAddress'> & {
  auth: Auth;
  market: Pick<Market, 'all'>;
  chart: ChartBars;
  lines: DayLines;
  reads: Pick<ReadQueue, 'run'>;
};

/** Twenty charts that are opened at once, and then some, of each of an office's people. */
const MAX_A_MINUTE = 600;
/** Some thirty charts of 2,000 bars. */
const MAX_ENCODED = 8_000_000;

const routesOf = (auth: Auth, bars: Bars, countRead: CallerLimit, callerKey: CallerKey) =>
  new Elysia({ name: 'bars', prefix: '/data' })
    .use(auth)
    .get(
      '/bars',
      async ({ user, query, request }) => {
        countRead(user, request);
        const caller = callerKey(user, request);
        return sendEncoded<BarsAnswer>(await bars.bars(query, { caller, request }), request);
      },
      { visitor: true, ...routeSchemas(STOCK['GET /api/data/bars']) },
    )
    .get(
      '/day-lines',
      async ({ user, query, request }) => {
        countRead(user, request);
        const caller = callerKey(user, request);
        return sendEncoded<DayLinesAnswer>(await bars.dayLines(query.symbols, { caller, request }), request);
      },
      { visitor: true, ...routeSchemas(STOCK['GET /api/data/day-lines']) },
    );

/** The bars of a stock, and the day of many as lines. Anyone may read them, as the stream that they come from. */
export function createBars(
  { clock }: Pick<Core, 'clock'>,
  { auth, clientAddress, market, chart, lines, reads }: BarsNeeds,
) {
  const encoded = createEncodedAnswers(MAX_ENCODED);
  const countRead = createCallerLimit({ clock, clientAddress }, MAX_A_MINUTE, 'Too many requests for bars.');
  const service = new Bars({ chart, lines, market, reads, encoded });
  const figures = () => ({ held: chart.held(), encoded: encoded.size() });
  return {
    name: 'bars',
    service,
    routes: () => routesOf(auth, service, countRead, createCallerKey({ clientAddress })),
    onJump: () => service.jump(),
    inspect: () => ({
      label: 'Bars for charts',
      description: 'The rows and encoded answers that are held for the next ones who ask.',
      summary: figures(),
      data: figures,
    }),
  } satisfies Part;
}
