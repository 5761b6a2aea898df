import { Elysia } from 'elysia';
import type { AuthUser, Auth } from '../../http/auth.ts';
import type { Connections } from '../../http/connections.ts';
import { refusedFor } from '../../http/errors.ts';
import { addressKey } from '../../lib/addressKey.ts';
import type { Stopwatch } from '../../lib/clock.ts';
import { createRateLimit, waitText } from '../../lib/rateLimit.ts';
import type { ChartBars } from '../../market/bars/chartBars.ts';
import type { DayLines } from '../../market/bars/dayLines.ts';
import type { Market } from '../../market/types.ts';
import type { Core, Part } from '../../part.ts';
import type { BarsAnswer, DayLinesAnswer } from '../../domain/charts/bars.ts';
import { createEncodedAnswers, encode, respondWith } from './encodedAnswers.ts';
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

/** Counts a question of a user, else of an address. @throws AppError 429 with `Retry-After` */
function createReadLimit(clock: Stopwatch, clientAddress: (request: Request) => string) {
  const reads = createRateLimit({ clock, limit: MAX_A_MINUTE, windowMs: 60_000 });
  return (user: AuthUser | null, request: Request): void => {
    const seconds = reads.take(user ? `user ${user.id}` : addressKey(clientAddress(request)));
    if (seconds > 0)
      throw refusedFor(seconds, 429, `Too many requests for bars. Try again in ${waitText(seconds)}.`);
  };
}

type Limit = ReturnType<typeof createReadLimit>;

const routesOf = (auth: Auth, bars: Bars, countRead: Limit) =>
  new Elysia({ name: 'bars', prefix: '/data' })
    .use(auth)
    .get(
      '/bars',
      async ({ user, query, request }) => {
        countRead(user, request);
        // Typed as what is in it, so that callers of the typed client see it.
        return respondWith(await bars.encoded(query), request) as unknown as BarsAnswer;
      },
      { visitor: true, query: barsQuery, response: { 200: barsAnswer } },
    )
    .get(
      '/day-lines',
      async ({ user, query, request }) => {
        countRead(user, request);
        const answer = encode(await bars.dayLines(query.symbols));
        return respondWith(answer, request) as unknown as DayLinesAnswer;
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
  const service = createBarsService({ chart, lines, market, queue, encoded });
  return {
    name: 'bars',
    service,
    routes: routesOf(auth, service, createReadLimit(clock, clientAddress)),
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
