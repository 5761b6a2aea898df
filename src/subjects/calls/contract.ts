import { byRules, sent } from '#lib/contract/requests.ts';
import { anything, file, map, number, numeric, text } from '#lib/contract/fields.ts';
import { object, optional } from '#lib/contract/objects.ts';
import type { RouteContracts } from '#texts/routeContract.ts';
import {
  forAdmin,
  leaderboardAnswer,
  ledgerPage,
  mineAnswer,
  ownCall,
  recordAnswer,
} from './answers/board.ts';
import { adminStatus, call, lifeAnswer, postedCall, MARKS } from './answers/call.ts';
import { MAX_PAGE } from './rules/ledger/line.ts';
import { MAX_ROWS } from './rules/ledger/rows.ts';
import { TAKE_BACK_MS } from './rules/resultText.ts';

const params = object({ publicId: text });
const ended = object({ call: ownCall });
const moderated = object({ call: object({ ...call.members, ...forAdmin.members }) });

/** Delay before a call ends, ms; without it the call ends now. In the query, as the specification gives the bodies. */
const endDelay = object({
  inMs: optional(
    sent(numeric, {
      minimum: 0,
      maximum: TAKE_BACK_MS,
      multipleOf: 1,
      error: `A call ends in 0 to ${TAKE_BACK_MS} ms: inMs is a whole number from 0 to ${TAKE_BACK_MS}.`,
    }),
  ),
});

/** Which lines of the ledger: so many after a number. */
const ledgerStretch = (most: number) =>
  object({
    after: optional(
      sent(numeric, {
        minimum: 0,
        multipleOf: 1,
        error: 'The number of the line to begin after is a whole number, 0 or more.',
      }),
    ),
    limit: optional(
      sent(numeric, {
        minimum: 1,
        maximum: most,
        multipleOf: 1,
        error: `The limit is a whole number from 1 to ${most}.`,
      }),
    ),
  });

const NOT_YOURS = 'You have no such call.';
const NO_CALL = 'There is no such call.';
const TOO_OFTEN = 'Too often in a minute, or too much of the ledger within an hour by one address.';
const TOO_MANY = 'Too many pictures of calls in a minute.';
const SOON =
  'With `inMs` in the query the call ends after that delay, also over a restart, at the price of that moment. Until then ' +
  '`keep` takes it back, and `ending` of the call shows it.';
const EXAMPLE = { publicId: 'the-public-id-of-a-call' };

/** Trade ideas, and their moderation: each route with what it is sent, what it answers, and its words. */
export const CALLS = {
  'GET /api/calls/leaderboard': {
    access: 'visitor',
    tag: 'Calls',
    summary: 'Read all calls and who is best at them',
    description: 'Administrators also see what is under review.',
    answer: leaderboardAnswer,
    example: {},
  },
  'GET /api/calls/mine': {
    access: 1,
    tag: 'Calls',
    summary: 'List your own calls',
    answer: mineAnswer,
    example: {},
  },
  'GET /api/calls/ledger': {
    access: 'visitor',
    tag: 'Calls',
    summary: 'Read lines of the ledger of calls',
    description:
      'Each line carries the hash of the line before; its own hash is the SHA-256 of its bytes. `openings` tell what a commitment in a line was made of, as long as its account and its text are there. `head` is the last line of all. docs/ledger.md tells the members of a line, and how the chain is checked.',
    query: ledgerStretch(MAX_PAGE),
    answer: ledgerPage,
    refusals: { 429: TOO_OFTEN },
    example: { query: { after: '0', limit: '10' } },
  },
  'GET /api/calls/ledger/rows': {
    access: 'visitor',
    tag: 'Calls',
    summary: 'Read lines of the ledger of calls as text in UTF-8',
    description:
      'What a browser verifies by: it is given as bytes, so that they are hashed as they came. The first row is number and hash of the last line of all, 0 and zeros while there is none. A row for each line follows: its hash, a blank, the line exactly as it was hashed, and where something that it committed to is still told a tab and the `openings` as JSON.',
    query: ledgerStretch(MAX_ROWS),
    answer: file,
    answerType: 'application/octet-stream',
    refusals: { 429: TOO_OFTEN },
    example: { query: { after: '0', limit: '10' } },
  },
  'GET /api/calls/ledger/file': {
    access: 'visitor',
    tag: 'Calls',
    summary: 'Download the whole ledger of calls',
    description: 'A line a row, exactly as they were hashed, without the openings.',
    answer: file,
    answerType: 'application/x-ndjson',
    refusals: { 429: TOO_OFTEN },
    example: {},
  },
  'GET /api/calls/:publicId': {
    access: 'visitor',
    tag: 'Calls',
    summary: 'Read a call and the prices of its stock while it ran',
    description:
      'Bars as columns, times in epoch ms by the clock of the market that the call was made on; at most 500, in minutes while they are kept, else in days. `stop` is the line of a trailing stop. Where no prices are known `whyNoPath` says why.',
    params,
    answer: lifeAnswer,
    refusals: { 404: NO_CALL, 429: TOO_MANY },
    example: { params: EXAMPLE },
  },
  'GET /api/calls/by/:name': {
    access: 'visitor',
    tag: 'Calls',
    summary: 'Read what the verified results of a submitter say',
    description:
      'A record for each source of prices, as their results can’t be compared. Percents; of an ended call from the first trade after the posting to the first one after the end.',
    params: object({ name: sent(text, { maxLength: 200 }) }),
    answer: recordAnswer,
    refusals: { 404: 'Nobody of that name has posted a call.', 429: TOO_MANY },
    example: { params: { name: 'the-name-of-a-submitter' } },
  },
  'POST /api/calls': {
    access: 1,
    tag: 'Calls',
    summary: 'Submit a call',
    description:
      'The server stamps time and price. Calls are never edited or deleted. A request that is sent again with the same ' +
      '`Idempotency-Key` (8 to 64 letters and digits) within ten minutes makes no second call.',
    body: postedCall,
    // `publicId` stands beside the call for callers that read nothing else of it.
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
    summary: 'Close an open call of yours',
    description: SOON,
    params,
    query: endDelay,
    body: object({ pocketedValue: byRules(number, { description: 'AUD a share.' }) }),
    answer: ended,
    refusals: { 404: NOT_YOURS, 409: 'The call has ended already.' },
    example: { params: EXAMPLE, body: { pocketedValue: 0 } },
  },
  'POST /api/calls/:publicId/cancel': {
    access: 1,
    tag: 'Calls',
    summary: 'Cancel a call of yours',
    description: SOON,
    params,
    query: endDelay,
    answer: ended,
    refusals: { 404: NOT_YOURS, 409: 'The call has ended already.' },
    example: { params: EXAMPLE },
  },
  'POST /api/calls/:publicId/keep': {
    access: 1,
    tag: 'Calls',
    summary: 'Take back the end of a call of yours before it comes',
    params,
    answer: ended,
    refusals: { 404: NOT_YOURS, 409: 'The call has ended already.' },
    example: { params: EXAMPLE },
  },
  'POST /api/admin/calls/:publicId/admin-status': {
    access: 4,
    tag: 'Administration',
    summary: 'Approve or reject a call, or put it under review',
    params,
    body: object({
      adminStatus: sent(adminStatus, { error: 'The admin status is one of normal, review, rejected' }),
    }),
    answer: moderated,
    refusals: { 404: NO_CALL },
    example: { params: EXAMPLE, body: { adminStatus: 'rejected' } },
  },
  'POST /api/admin/calls/:publicId/corrections': {
    access: 4,
    tag: 'Administration',
    summary: 'Put right what the tracker recorded of a call',
    description: `Marks: ${MARKS.join(', ')}. Null strikes one out, and the tracker awaits it again.`,
    params,
    // What is wrong with it is for `checkCorrection` to say.
    body: object({
      reason: byRules(text),
      marks: byRules(map(anything), {
        description:
          'A trade (`price`, and `at` where the time changes too), a price, true or false, or null.',
      }),
    }),
    answer: moderated,
    refusals: { 404: NO_CALL },
    example: {
      params: EXAMPLE,
      body: { reason: 'A wrong print of the feed', marks: { highestSinceFill: 41 } },
    },
  },
} as const satisfies RouteContracts;
