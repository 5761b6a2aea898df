import { Elysia } from 'elysia';
import type { Deps } from '../../deps.ts';
import type { LeaderboardAnswer } from '../../domain/calls/types.ts';
import { auth } from '../../http/auth.ts';
import { acceptsGzip } from '../../lib/acceptEncoding.ts';
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
export const calls = (deps: Deps) =>
  new Elysia({ name: 'calls' })
    .use(auth(deps))
    .get(
      '/calls/leaderboard',
      ({ user, request }) =>
        asAnswer(deps.calls.leaderboard(user !== null && user.level >= 4 ? 'admin' : 'public'), request),
      { visitor: true, response: { 200: leaderboardAnswer } },
    )
    .get('/calls/mine', ({ user }) => ({ calls: deps.calls.mine(user) }), {
      minLevel: 1,
      response: { 200: ownCalls },
    })
    .post(
      '/calls',
      ({ user, body }) => {
        const { symbol, callType = null, stopLossType = 'NONE' } = body;
        const call = deps.calls.submit(user, {
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
        return { call: deps.calls.close(user, params.publicId, numberOf(body.pocketedValue)) };
      },
      { minLevel: 1, params: callParams, body: closeBody, response: { 200: ended } },
    )
    .post(
      '/calls/:publicId/cancel',
      ({ user, params }) => ({ call: deps.calls.cancel(user, params.publicId) }),
      { minLevel: 1, params: callParams, response: { 200: ended } },
    )
    .post(
      '/admin/calls/:publicId/admin-status',
      ({ params, body }) => ({ call: deps.calls.setAdminStatus(params.publicId, body.adminStatus) }),
      { minLevel: 4, params: callParams, body: moderateBody, response: { 200: moderated } },
    );
