import { Elysia } from 'elysia';
import type { LeaderboardAnswer } from '../../domain/calls/types.ts';
import type { Auth } from '../../http/auth.ts';
import { acceptsGzip } from '../../lib/acceptEncoding.ts';
import type { Part } from '../../part.ts';
import type { EncodedAnswer } from './board.ts';
import {
  callParams,
  closeBody,
  ended,
  leaderboardAnswer,
  moderateBody,
  moderated,
  ownCalls,
  submitBody,
  submitted,
} from './model.ts';
import { type Calls, type CallsCore, createCallsService, type CallsServiceNeeds } from './service.ts';

/** The bytes as an answer; typed as what is in them, so that callers of the typed client see it. */
function asAnswer(encoded: EncodedAnswer, request: Request): LeaderboardAnswer {
  const isPacked = acceptsGzip(request.headers.get('accept-encoding'));
  const headers = {
    'content-type': 'application/json',
    vary: 'accept-encoding',
    'cache-control': 'no-store',
  };
  return new Response(isPacked ? encoded.gzip : encoded.json, {
    headers: isPacked ? { ...headers, 'content-encoding': 'gzip' } : headers,
  }) as unknown as LeaderboardAnswer;
}

const numberOf = (sent: unknown): number | null => (typeof sent === 'number' ? sent : null);

/** The routes of calls (specification 7.5) and of their moderation (7.7). */
const routesOf = (auth: Auth, calls: Calls) =>
  new Elysia({ name: 'calls' })
    .use(auth)
    .get(
      '/calls/leaderboard',
      ({ user, request }) =>
        asAnswer(calls.leaderboard(user !== null && user.level >= 4 ? 'admin' : 'public'), request),
      { visitor: true, response: { 200: leaderboardAnswer } },
    )
    .get('/calls/mine', ({ user }) => ({ calls: calls.mine(user) }), {
      minLevel: 1,
      response: { 200: ownCalls },
    })
    .post(
      '/calls',
      ({ user, body }) => {
        const { symbol, callType = null, stopLossType = 'NONE' } = body;
        const call = calls.submit(user, {
          symbol,
          callType,
          entryPrice: numberOf(body.entryPrice),
          targetPrice: numberOf(body.targetPrice),
          stopLossType,
          stopLoss: numberOf(body.stopLoss),
        });
        return { publicId: call.publicId, call };
      },
      { minLevel: 1, body: submitBody, response: { 200: submitted } },
    )
    .post(
      '/calls/:publicId/close',
      ({ user, params, body }) => {
        return { call: calls.close(user, params.publicId, numberOf(body.pocketedValue)) };
      },
      { minLevel: 1, params: callParams, body: closeBody, response: { 200: ended } },
    )
    .post('/calls/:publicId/cancel', ({ user, params }) => ({ call: calls.cancel(user, params.publicId) }), {
      minLevel: 1,
      params: callParams,
      response: { 200: ended },
    })
    .post(
      '/admin/calls/:publicId/admin-status',
      ({ params, body }) => ({ call: calls.setAdminStatus(params.publicId, body.adminStatus) }),
      { minLevel: 4, params: callParams, body: moderateBody, response: { 200: moderated } },
    );

/**
 * Trade ideas: their routes, and the tracker that follows their prices on every tick. `start` takes up the calls of an
 * earlier run, `stop` writes what is not on disk yet.
 */
export function createCalls(core: CallsCore, { auth, ...needs }: CallsServiceNeeds & { auth: Auth }) {
  const service = createCallsService(core, needs);
  return {
    name: 'calls',
    service,
    routes: routesOf(auth, service),
    onChanges: service.track,
    start: service.resume,
    stop: service.flush,
    inspect: () => ({ label: 'Followed calls', summary: service.counts(), data: service.counts }),
  } satisfies Part;
}
