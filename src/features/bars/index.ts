import { Elysia } from 'elysia';
import type { Auth } from '../../http/auth.ts';
import type { Connections } from '../../http/connections.ts';
import { createEncodedAnswers, encode, sendEncoded } from '../../http/encodedAnswers.ts';
import { type CallerLimit, createCallerLimit } from '../../http/requestLimits.ts';
import type { ChartBars } from '../../market/bars/chartBars.ts';
import type { DayLines } from '../../market/bars/dayLines.ts';
import type { Market } from '../../market/types.ts';
import type { Core, Part } from '../../part.ts';
import type { BarsAnswer, DayLinesAnswer } from '../../domain/charts/bars.ts';
import { barsAnswer, barsQuery, dayLinesAnswer, dayLinesQuery } from './model.ts';
import { createReadQueue } from './queue.ts';
import { type Bars, createBarsService } from './service.ts';

export type BarsNeeds = Pick<Connections, 'clientAddress'> & {
  auth: Auth;
  market: Pick<Market, 'all'>;
  chart: ChartBars;
  lines: DayLines;
  later?: ((run: () => void) => void) | undefined;
};

/** Twenty charts that are opened at once, and then some, of each of an office's people. */
const MAX_A_MINUTE = 600;
/** Some thirty charts of 2,000 bars. */
const MAX_ENCODED = 8_000_000;

const routesOf = (auth: Auth, bars: Bars, countRead: CallerLimit) =>
  new Elysia({ name: 'bars', prefix: '/data' })
    .use(auth)
    .get(
      '/bars',
      async ({ user, query, request }) => {
        countRead(user, request);
        return sendEncoded<BarsAnswer>(await bars.encoded(query), request);
      },
      { visitor: true, query: barsQuery, response: { 200: barsAnswer } },
    )
    .get(
      '/day-lines',
      async ({ user, query, request }) => {
        countRead(user, request);
        return sendEncoded<DayLinesAnswer>(encode(await bars.dayLines(query.symbols), 1), request);
      },
      { visitor: true, query: dayLinesQuery, response: { 200: dayLinesAnswer } },
    );

/** The bars of a stock, and the day of many as lines. Anyone may read them, as the stream that they come from. */
export function createBars(
  { clock, log }: Pick<Core, 'clock' | 'log'>,
  { auth, clientAddress, market, chart, lines, later }: BarsNeeds,
) {
  const queue = createReadQueue({ stopwatch: clock, log: log.child('bars'), ...(later && { later }) });
  const encoded = createEncodedAnswers(MAX_ENCODED);
  const countRead = createCallerLimit({ clock, clientAddress }, MAX_A_MINUTE, 'Too many requests for bars.');
  const service = createBarsService({ chart, lines, market, queue, encoded });
  return {
    name: 'bars',
    service,
    routes: () => routesOf(auth, service, countRead),
    onJump: service.jump,
    stop: queue.stop,
    inspect: () => ({
      label: 'Bars for charts',
      description:
        'Answers with bars that wait for their turn, and the rows and encoded answers that are held for the next ones.',
      summary: { waiting: queue.waiting(), held: chart.held(), encoded: encoded.size() },
      data: () => ({ waiting: queue.waiting(), held: chart.held(), encoded: encoded.size() }),
    }),
  } satisfies Part;
}
