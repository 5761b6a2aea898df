import { Elysia } from 'elysia';
import type { Wire } from '#lib/contract/fields.ts';
import type { PastBars } from '#market/bars/pastBars.ts';
import { addDays } from '#market/rules/sydneyTime.ts';
import type { Market } from '#market/types.ts';
import type { Core, Part } from '#src/part.ts';
import type { Auth } from '#platform/http/auth.ts';
import { routeSchemas } from '#platform/http/contract.ts';
import { createEncodedAnswers, sendEncoded } from '#platform/http/encodedAnswers.ts';
import type { ReadQueue } from '#platform/http/readQueue.ts';
import { createUserLimit, type UserLimit } from '#platform/http/requestLimits.ts';
import type { priceRangesAnswer } from '../answers/priceRanges.ts';
import type { usualValueAnswer } from '../answers/usualValue.ts';
import { GLANCE } from '../contract.ts';
import { CurveRecorder } from './curveRecorder.ts';
import { curveStore } from './curveStore.ts';
import { GlanceService } from './service.ts';

export type GlanceNeeds = {
  auth: Auth;
  market: Pick<Market, 'all' | 'date'>;
  past: PastBars;
  reads: Pick<ReadQueue, 'runShared'>;
};

/** Requests of one user in a minute: each window asks once a session. */
const MAX_REQUESTS_A_MINUTE = 60;
/** Two answers, of which the ranges of 2,000 stocks are the larger. */
const MAX_ENCODED = 400_000;
/** Twenty sessions lie within it, and those of a holiday. */
const KEPT_DAYS = 60;

const routesOf = (auth: Auth, glance: GlanceService, count: UserLimit) =>
  new Elysia({ name: 'glance', prefix: '/data' })
    .use(auth)
    .get(
      '/usual-value',
      async ({ user, request }) => {
        count(user.id);
        const answer = await glance.usualValue(request);
        return sendEncoded<Wire<typeof usualValueAnswer>>(answer, request);
      },
      { minLevel: 1, ...routeSchemas(GLANCE['GET /api/data/usual-value']) },
    )
    .get(
      '/price-ranges',
      async ({ user, request }) => {
        count(user.id);
        const answer = await glance.priceRanges(request);
        return sendEncoded<Wire<typeof priceRangesAnswer>>(answer, request);
      },
      { minLevel: 1, ...routeSchemas(GLANCE['GET /api/data/price-ranges']) },
    );

/**
 * What the market at a glance compares the running session with. Where the source can't tell its past, the value traded by
 * each five minutes of a session is noted and kept for 60 days, each source's own.
 */
export function createGlance(
  core: Pick<Core, 'db' | 'clock' | 'log' | 'source'>,
  { auth, market, past, reads }: GlanceNeeds,
) {
  const { db, clock, source } = core;
  const store = source.history?.isDeep ? null : curveStore(db, source.name);
  const recorder = store && new CurveRecorder({ market, source, store, log: core.log.child('glance') });
  const encoded = createEncodedAnswers(MAX_ENCODED);
  const service = new GlanceService({ market, past, store, reads, encoded });
  const count = createUserLimit(clock, MAX_REQUESTS_A_MINUTE, 'Too many looks at the market.');
  const summary = () => ({
    encoded: encoded.size(),
    sessions: store?.count(market.date()) ?? null,
  });
  return {
    name: 'glance',
    service,
    routes: () => routesOf(auth, service, count),
    onChanges: () => recorder?.onTick(),
    onJump: () => service.jump(),
    stop: () => recorder?.save(),
    prune: () => ({ removed: store?.prune(addDays(market.date(), -KEPT_DAYS)) ?? 0, hasMore: false }),
    inspect: () => ({
      label: 'Market at a glance',
      description:
        'How many sessions are kept for the usual value, and the bytes of encoded answers that are held.',
      summary: summary(),
      data: summary,
    }),
  } satisfies Part;
}
