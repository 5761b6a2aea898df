import { t } from 'elysia';
import { TAKE_BACK_MS } from '../../../domain/calls/endText.ts';
import { MARKS, STOP_LOSS_TYPES } from '../../../domain/calls/types.ts';
import type { RouteDescriptions } from '../description.ts';

const oneOf = (values: readonly string[]) => t.Unsafe({ enum: values });
const CALL = {
  symbol: 'BHP',
  callType: 'bought',
  entryPrice: 40,
  targetPrice: 44,
  stopLossType: 'HARD',
  stopLoss: 38,
};
const NOT_YOURS = 'You have no such call.';
const NO_CALL = 'There is no such call.';
const TOO_MANY = 'Too many pictures of calls in a minute.';
const SOON =
  'With `inMs` it ends in so many ms, also over a restart, at the price of then, and until then `keep` takes it back; ' +
  '`ending` of the call says so. Without it the call ends at once.';
const IN_MS = t.Optional(t.Integer({ minimum: 0, maximum: TAKE_BACK_MS, description: 'ms' }));
const params = { publicId: 'the-public-id-of-a-call' };

/** Trade ideas, and their moderation. */
export const CALLS: RouteDescriptions = {
  'GET /api/calls/leaderboard': {
    tag: 'Calls',
    summary: 'Read all calls and who is best at them',
    description: 'Administrators also see what is under review.',
    example: {},
  },
  'GET /api/calls/mine': { tag: 'Calls', summary: 'List your own calls', example: {} },
  'GET /api/calls/:publicId': {
    tag: 'Calls',
    summary: 'Read a call and the prices of its stock while it ran',
    description:
      'Bars as columns, times in epoch ms by the clock of the market that the call was made on; at most 500, in minutes while they are kept, else in days. `stop` is the line of a trailing stop. Where no prices are known `whyNoPath` says why.',
    refusals: { 404: NO_CALL, 429: TOO_MANY },
    example: { params },
  },
  'GET /api/calls/by/:name': {
    tag: 'Calls',
    summary: 'Read what the verified results of a submitter say',
    description:
      'A record for each source of prices, as their results can’t be compared. Percents; of an ended call from the first trade after the posting to the first one after the end.',
    refusals: { 404: 'Nobody of that name has posted a call.', 429: TOO_MANY },
    example: { params: { name: 'the-name-of-a-submitter' } },
  },
  'POST /api/calls': {
    tag: 'Calls',
    summary: 'Submit a call',
    description:
      'The server stamps time and price. Calls are never edited or deleted. A request that is sent again with the same ' +
      '`Idempotency-Key` (8 to 64 letters and digits) within ten minutes makes no second call.',
    body: t.Object({
      symbol: t.String(),
      callType: oneOf(['buy', 'bought']),
      entryPrice: t.Number(),
      targetPrice: t.Number(),
      stopLossType: t.Optional(oneOf(STOP_LOSS_TYPES)),
      stopLoss: t.Optional(t.Nullable(t.Number())),
      rationale: t.Optional(t.Nullable(t.String())),
    }),
    refusals: { 429: 'Too many calls today.' },
    example: { body: CALL },
  },
  'POST /api/calls/:publicId/close': {
    tag: 'Calls',
    summary: 'Close an open call of yours',
    description: SOON,
    body: t.Object({ pocketedValue: t.Number({ description: 'AUD a share.' }), inMs: IN_MS }),
    refusals: { 404: NOT_YOURS, 409: 'The call has ended already.' },
    example: { params, body: { pocketedValue: 0 } },
  },
  'POST /api/calls/:publicId/cancel': {
    tag: 'Calls',
    summary: 'Cancel a call of yours',
    description: SOON,
    body: t.Optional(t.Object({ inMs: IN_MS })),
    refusals: { 404: NOT_YOURS, 409: 'The call has ended already.' },
    example: { params },
  },
  'POST /api/calls/:publicId/keep': {
    tag: 'Calls',
    summary: 'Take back the end of a call of yours before it comes',
    refusals: { 404: NOT_YOURS, 409: 'The call has ended already.' },
    example: { params },
  },
  'POST /api/admin/calls/:publicId/admin-status': {
    tag: 'Administration',
    summary: 'Approve or reject a call, or put it under review',
    refusals: { 404: NO_CALL },
    example: { params, body: { adminStatus: 'rejected' } },
  },
  'POST /api/admin/calls/:publicId/corrections': {
    tag: 'Administration',
    summary: 'Put right what the tracker recorded of a call',
    description: `Marks: ${MARKS.join(', ')}. Null strikes one out, and the tracker awaits it again.`,
    body: t.Object({
      reason: t.String(),
      marks: t.Record(t.String(), t.Any(), {
        description:
          'A trade (`price`, and `at` where the time changes too), a price, true or false, or null.',
      }),
    }),
    refusals: { 404: NO_CALL },
    example: { params, body: { reason: 'A wrong print of the feed', marks: { highestSinceFill: 41 } } },
  },
};
