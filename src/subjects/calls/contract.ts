import { byRules, sent } from '#lib/contract/requests.ts';
import { anything, boolean, file, map, number, numeric, text } from '#lib/contract/fields.ts';
import { object, optional } from '#lib/contract/objects.ts';
import type { RouteContracts } from '#texts/routeContract.ts';
import {
  forAdmin,
  leaderboardAnswer,
  ledgerPage,
  mineAnswer,
  ownCall,
  ranksAnswer,
  recordAnswer,
} from './answers/board.ts';
import { adminStatus, call, timelineAnswer, postedCall, MARKS } from './answers/call.ts';
import { followsAnswer } from './answers/follows.ts';
import { MAX_PAGE } from './rules/ledger/entry.ts';
import { MAX_ROWS } from './rules/ledger/rows.ts';
import { TAKE_BACK_MS } from './rules/resultText.ts';

const params = object({ publicId: text });
const ended = object({ call: ownCall });
const moderated = object({ call: object({ ...call.members, ...forAdmin.members }) });

/** Delay before a call ends, ms; omit to end it now. In the query, because the specification defines the bodies. */
const endDelay = object({
  inMs: optional(
    sent(numeric, {
      minimum: 0,
      maximum: TAKE_BACK_MS,
      multipleOf: 1,
      error: `inMs must be a whole number from 0 to ${TAKE_BACK_MS}.`,
    }),
  ),
});

/** Page: up to `limit` entries after entry `after`. */
const ledgerStretch = (most: number) =>
  object({
    after: optional(
      sent(numeric, {
        minimum: 0,
        multipleOf: 1,
        error: '`after` must be the number of an entry, or 0.',
      }),
    ),
    limit: optional(
      sent(numeric, {
        minimum: 1,
        maximum: most,
        multipleOf: 1,
        error: `The limit must be a whole number from 1 to ${most}.`,
      }),
    ),
  });

const NOT_YOURS = 'You have no call with this id.';
const NO_SUBMITTER = 'No user with this name has posted a call.';
const NO_CALL = 'The call does not exist.';
const OWN_CALL = 'It is your own call, and there is another administrator.';
const TOO_OFTEN = 'Too many requests in one minute, or too much of the ledger in one hour.';
const TOO_MANY = 'Too many requests in one minute.';
const SOON =
  '`inMs` delays the end and the price; until then `POST …/keep` undoes it. Omit it to end the call immediately.';
const EXAMPLE = { publicId: 'the-public-id-of-a-call' };

export const CALLS = {
  'GET /api/calls/leaderboard': {
    access: 'visitor',
    tag: 'Calls',
    summary: 'List calls and the leaderboard',
    description: 'Administrators also see calls under review.',
    answer: leaderboardAnswer,
    example: {},
  },
  'GET /api/calls/mine': {
    access: 1,
    tag: 'Calls',
    summary: 'List your calls',
    answer: mineAnswer,
    example: {},
  },
  'GET /api/calls/ledger': {
    access: 'visitor',
    tag: 'Calls',
    summary: 'List ledger entries',
    description:
      'Each entry contains the hash of the previous one; `head` is the latest entry. See docs/ledger.md for the members and how to verify them.',
    query: ledgerStretch(MAX_PAGE),
    answer: ledgerPage,
    refusals: { 429: TOO_OFTEN },
    example: { query: { after: '0', limit: '10' } },
  },
  'GET /api/calls/ledger/rows': {
    access: 'visitor',
    tag: 'Calls',
    summary: 'Read ledger entries as text',
    description:
      'The first row is the number and hash of the latest entry. Each further row is the hash, a space and the entry, then a tab and `openings` as JSON if there are any.',
    query: ledgerStretch(MAX_ROWS),
    answer: file,
    answerType: 'application/octet-stream',
    refusals: { 429: TOO_OFTEN },
    example: { query: { after: '0', limit: '10' } },
  },
  'GET /api/calls/ledger/file': {
    access: 'visitor',
    tag: 'Calls',
    summary: 'Download the ledger',
    description: 'One entry per line, exactly as hashed, without `openings`.',
    answer: file,
    answerType: 'application/x-ndjson',
    refusals: { 429: TOO_OFTEN },
    example: {},
  },
  'GET /api/calls/follows': {
    access: 1,
    tag: 'Calls',
    summary: 'List the submitters that you follow',
    description: '`muted` lists stocks whose calls send you no messages.',
    answer: followsAnswer,
    example: {},
  },
  'PUT /api/calls/follows/:name': {
    access: 1,
    tag: 'Calls',
    summary: 'Follow or unfollow a submitter',
    description: 'Followers get a message for each new call, fill, reached target and reached stop.',
    params: object({ name: sent(text, { maxLength: 200 }) }),
    body: object({ follow: sent(boolean, { error: '`follow` must be true or false.' }) }),
    answer: followsAnswer,
    refusals: { 404: NO_SUBMITTER },
    example: { params: { name: 'the-name-of-a-submitter' }, body: { follow: true } },
  },
  'PUT /api/calls/mutes/:symbol': {
    access: 1,
    tag: 'Calls',
    summary: 'Mute or unmute a stock of followed calls',
    params: object({ symbol: sent(text, { minLength: 1, maxLength: 12 }) }),
    body: object({ mute: sent(boolean, { error: '`mute` must be true or false.' }) }),
    answer: followsAnswer,
    example: { params: { symbol: 'BHP' }, body: { mute: true } },
  },
  'GET /api/calls/:publicId': {
    access: 'visitor',
    tag: 'Calls',
    summary: 'Read a call with its price history',
    description:
      'At most 500 bars as columns, with times in epoch ms on the market’s clock. `stop` is the trailing stop, and `whyNoPath` says why there are no prices.',
    params,
    answer: timelineAnswer,
    refusals: { 404: NO_CALL, 429: TOO_MANY },
    example: { params: EXAMPLE },
  },
  'GET /api/calls/ranks': {
    access: 'visitor',
    tag: 'Calls',
    summary: 'List the ranks of a quarter or overall',
    description:
      '`quarter` as in 2026-Q4: only calls posted in that quarter of the Sydney calendar count, also if they end later. Omit it for all calls.',
    query: object({
      quarter: optional(
        sent(text, { pattern: '^20[0-9]{2}-Q[1-4]$', error: 'The quarter must look like 2026-Q4.' }),
      ),
    }),
    answer: ranksAnswer,
    refusals: { 429: TOO_MANY },
    example: { query: { quarter: '2026-Q4' } },
  },
  'GET /api/calls/by/:name': {
    access: 'visitor',
    tag: 'Calls',
    summary: 'Read the track record of a submitter',
    description:
      'One record per price source, because results of different sources cannot be compared. Results are percentages.',
    params: object({ name: sent(text, { maxLength: 200 }) }),
    answer: recordAnswer,
    refusals: { 404: NO_SUBMITTER, 429: TOO_MANY },
    example: { params: { name: 'the-name-of-a-submitter' } },
  },
  'POST /api/calls': {
    access: 1,
    tag: 'Calls',
    summary: 'Submit a call',
    description:
      'The server adds time and price; calls cannot be edited or deleted. Repeating a request with the same `Idempotency-Key` (8 to 64 letters and digits) within ten minutes adds no second call.',
    body: postedCall,
    // `publicId` is also a member of its own, for clients that read only that.
    answer: object({ publicId: text, call: ownCall }),
    refusals: { 429: 'Too many calls today.' },
    example: {
      body: {
        symbol: 'BHP',
        callType: 'bought',
        entryPrice: 40,
        targetPrice: 44,
        stopLossType: 'HARD',
        stopLoss: 38,
      },
    },
  },
  'POST /api/calls/:publicId/close': {
    access: 1,
    tag: 'Calls',
    summary: 'Close an open call',
    description: SOON,
    params,
    query: endDelay,
    body: object({ pocketedValue: byRules(number, { description: 'AUD per share.' }) }),
    answer: ended,
    refusals: { 404: NOT_YOURS, 409: 'The call has already ended.' },
    example: { params: EXAMPLE, body: { pocketedValue: 0 } },
  },
  'POST /api/calls/:publicId/cancel': {
    access: 1,
    tag: 'Calls',
    summary: 'Cancel a call',
    description: SOON,
    params,
    query: endDelay,
    answer: ended,
    refusals: { 404: NOT_YOURS, 409: 'The call has already ended.' },
    example: { params: EXAMPLE },
  },
  'POST /api/calls/:publicId/keep': {
    access: 1,
    tag: 'Calls',
    summary: 'Keep a call that is about to end',
    params,
    answer: ended,
    refusals: { 404: NOT_YOURS, 409: 'The call has already ended.' },
    example: { params: EXAMPLE },
  },
  'POST /api/admin/calls/:publicId/admin-status': {
    access: 4,
    tag: 'Administration',
    summary: 'Set the review status of a call',
    params,
    body: object({
      adminStatus: sent(adminStatus, { error: '`adminStatus` must be normal, review or rejected.' }),
    }),
    answer: moderated,
    refusals: { 403: OWN_CALL, 404: NO_CALL },
    example: { params: EXAMPLE, body: { adminStatus: 'rejected' } },
  },
  'POST /api/admin/calls/:publicId/corrections': {
    access: 4,
    tag: 'Administration',
    summary: 'Correct the recorded values of a call',
    description: `Marks: ${MARKS.join(', ')}. Null removes a mark, and the tracker waits for it again.`,
    params,
    // `checkCorrection` reports what is wrong with the values.
    body: object({
      reason: byRules(text),
      marks: byRules(map(anything), {
        description: 'A trade (`price`, and `at` if the time changes), a price, true, false or null.',
      }),
    }),
    answer: moderated,
    refusals: { 403: OWN_CALL, 404: NO_CALL },
    example: {
      params: EXAMPLE,
      body: { reason: 'A wrong print of the feed', marks: { highestSinceFill: 41 } },
    },
  },
} as const satisfies RouteContracts;
