import { CALLS } from '../contract.ts';
import type { Wire } from '#lib/contract/fields.ts';
import type { SentCall } from '../rules/callRules.ts';
import type { CallTimeline, Ranks } from '../rules/types.ts';
import type { SubmitterRecord } from '../rules/trackRecord.ts';
import { serve } from '#platform/http/routes.ts';
import { encode, sendEncoded } from '#platform/http/encodedAnswers.ts';
import { createCallerLimit } from '#platform/http/requestLimits.ts';
import type { ChangeSet } from '#market/types.ts';
import type { Part, App } from '#platform/app.ts';
import { ledgerRoutes } from './ledger/routes.ts';
import { Calls } from './service.ts';

/** Keeps a number and makes anything else null, so that the rules report it as missing. */
const numberOrNull = (sent: unknown): number | null => (typeof sent === 'number' ? sent : null);

const sentCall = (body: Wire<(typeof CALLS)['POST /api/calls']['body']>): SentCall => ({
  callType: null,
  stopLossType: 'NONE',
  ...body,
  entryPrice: numberOrNull(body.entryPrice),
  targetPrice: numberOrNull(body.targetPrice),
  stopLoss: numberOrNull(body.stopLoss),
});

const followRoutes = ({ following }: Calls) =>
  serve(CALLS, {
    'GET /api/calls/follows': ({ user }) => following.of(user.id),
    'PUT /api/calls/follows/:name': ({ user, params, body }) =>
      following.choose(user, params.name, body.follow),
    'PUT /api/calls/mutes/:symbol': ({ user, params, body }) =>
      following.mute(user.id, params.symbol, body.mute),
  });

const ownerRoutes = (calls: Calls) =>
  serve(CALLS, {
    'GET /api/calls/mine': ({ user }) => ({ calls: calls.mine(user) }),
    'POST /api/calls': ({ user, body, request }) => {
      const call = calls.submit(user, sentCall(body), request.headers.get('idempotency-key'));
      return { publicId: call.publicId, call };
    },
    'POST /api/calls/:publicId/close': ({ user, params, body, query: { inMs } }) => ({
      call: calls.end(user, params.publicId, {
        kind: 'close',
        pocketedValue: numberOrNull(body.pocketedValue),
        inMs,
      }),
    }),
    'POST /api/calls/:publicId/cancel': ({ user, params, query: { inMs } }) => ({
      call: calls.end(user, params.publicId, {
        kind: 'cancel',
        pocketedValue: null,
        inMs,
      }),
    }),
    'POST /api/calls/:publicId/keep': ({ user, params }) => ({
      call: calls.keep(user, params.publicId),
    }),
  });

/** Requests of call timelines and track records per caller and minute. */
const MAX_PICTURES_A_MINUTE = 120;

/** Sends an answer that depends on the viewer. */
const sendPersonal = (answer: CallTimeline | SubmitterRecord | Ranks, request: Request): Response =>
  sendEncoded(encode(answer), request, { isPersonal: true });

/** Routes of call timelines and track records, which are public like the Calls page. */
function pictureRoutes(app: App, calls: Calls) {
  const count = createCallerLimit(app, MAX_PICTURES_A_MINUTE, 'Too many requests for call images.');
  return serve(CALLS, {
    'GET /api/calls/:publicId': ({ user, params, request }) => {
      count(user, request);
      return sendPersonal(calls.timeline(user, params.publicId), request);
    },
    'GET /api/calls/ranks': ({ user, query, request }) => {
      count(user, request);
      return sendPersonal(calls.ranksIn(query.quarter ?? null), request);
    },
    'GET /api/calls/by/:name': ({ user, params, request }) => {
      count(user, request);
      return sendPersonal(calls.record(params.name), request);
    },
  });
}

const routesOf = (app: App, calls: Calls) => [
  ...serve(CALLS, {
    'GET /api/calls/leaderboard': ({ user, request }) =>
      sendEncoded(
        calls.leaderboard(user !== null && user.level >= 4 ? 'admin' : 'public'),
        request,
        // All visitors share a cached answer; an account's answer is not cached.
        { isPersonal: true, isKept: user === null },
      ),
    'POST /api/admin/calls/:publicId/admin-status': ({ user, params, body }) => ({
      call: calls.setAdminStatus(user, params.publicId, body.adminStatus),
    }),
    'POST /api/admin/calls/:publicId/corrections': ({ user, params, body }) => ({
      call: calls.correct(user, params.publicId, {
        reason: body.reason,
        marks: body.marks,
      }),
    }),
  }),
  ...ledgerRoutes(app, calls.marketTime),
  ...pictureRoutes(app, calls),
  ...ownerRoutes(calls),
  ...followRoutes(calls),
];

/**
 * Trade ideas: routes, and the tracker that follows prices on every batch and tick. `start` resumes the calls of an earlier
 * run, `stop` writes pending changes.
 */
export function createCalls(app: App) {
  const service = new Calls(app);
  app.market.observe({
    name: 'calls',
    applied: (codes) => service.update(codes),
    removed: () => {},
    beforeFlush: () => {},
  });
  return {
    name: 'calls',
    service,
    routes: () => routesOf(app, service),
    onChanges: (changes: ChangeSet | null) => service.track(changes),
    onJump: () => service.jump(),
    start: () => service.resume(),
    stop: () => service.flush(),
    inspect: () => ({
      label: 'Followed calls',
      description: 'Calls whose prices are followed, or that wait for their next trade.',
      summary: service.counts(),
      data: () => ({ ...service.counts(), calls: service.held() }),
    }),
  } satisfies Part;
}

declare module '#platform/app.ts' {
  interface App {
    calls: Calls;
  }
}
