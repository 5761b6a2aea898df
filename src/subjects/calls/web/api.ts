import type { CheckedCall } from '../rules/callRules.ts';
import { TAKE_BACK_MS } from '../rules/resultText.ts';
import { leaderboardAnswer, mineAnswer } from '../answers/board.ts';
import type { Call, ComingEnd, Mark } from '../rules/types.ts';
import { MESSAGES } from '#texts/messages.ts';
import type { Refusal } from '#lib/result.ts';
import type { Known } from '#lib/contract/fields.ts';
import { readerOf, readRefusal, request } from '#web/api/client.ts';

/** Leaderboard and recent calls; here and below: what is not known is null. */
export type Board = Known<typeof leaderboardAnswer>;
/** A call of anybody. */
export type BoardCall = Board['calls'][number];
/** A line of the leaderboard. */
export type Submitter = Board['leaderboard'][number];
type OwnCall = Known<typeof mineAnswer>['calls'][number];
/** An own call, and when its end comes unless it is taken back, by the clock of `performance`, in ms. */
export type MyCall = Omit<OwnCall, 'ending'> & {
  ending: (Pick<ComingEnd, 'kind'> & { dueAt: number }) | null;
};

/** Marks as they should be: a trade's price, a price, whether prices are followed. */
export type SentMarks = Partial<Record<Mark, { price: number } | number | boolean | null>>;

/** Leaderboard and recent calls, as the caller may see them. */
export const fetchBoard = (): Promise<Board> =>
  request('GET /api/calls/leaderboard', { read: readerOf(leaderboardAnswer) });

/** The signed-in user's own calls, newest first. */
export async function fetchMine(): Promise<MyCall[]> {
  const { calls } = await request('GET /api/calls/mine', { read: readerOf(mineAnswer) });
  const now = performance.now();
  return calls.map((call) => ({
    ...call,
    ending: call.ending && { kind: call.ending.kind, dueAt: now + call.ending.inMs },
  }));
}

/**
 * Submits a checked call.
 * @param key the same when the same call is sent again, as after an answer that was lost: it makes no second one
 * @throws ApiError with the server's refusal
 */
export async function postCall(call: CheckedCall, key: string): Promise<void> {
  await request('POST /api/calls', { body: call, headers: { 'idempotency-key': key } });
}

/** The server ends the call after the time to take it back; sent even if the page is left in the meantime. */
const SOON = { query: { inMs: TAKE_BACK_MS }, keepalive: true };

/**
 * Closes an own call in ten seconds.
 * @param pocketedValue AUD
 * @returns null, or why it could not be closed any more (409)
 * @throws ApiError with the server's refusal
 */
export async function closeCall(publicId: Call['publicId'], pocketedValue: number): Promise<Refusal | null> {
  const body = await request('POST /api/calls/:publicId/close', {
    params: { publicId },
    body: { pocketedValue },
    ...SOON,
  });
  return readRefusal(body, MESSAGES.calls.close);
}

/**
 * Cancels an own call in ten seconds.
 * @returns null, or why it could not be cancelled any more (409)
 * @throws ApiError with the server's refusal
 */
export async function cancelCall(publicId: Call['publicId']): Promise<Refusal | null> {
  const body = await request('POST /api/calls/:publicId/cancel', { params: { publicId }, ...SOON });
  return readRefusal(body, MESSAGES.calls.cancel);
}

/**
 * Takes back the end of an own call.
 * @returns null, or why it could not be taken back any more (409)
 * @throws ApiError with the server's refusal
 */
export async function keepCall(publicId: Call['publicId'], failed: string): Promise<Refusal | null> {
  return readRefusal(
    await request('POST /api/calls/:publicId/keep', { params: { publicId }, keepalive: true }),
    failed,
  );
}

/**
 * Puts recorded marks of a call right. Administrators only.
 * @param marks by their names; null strikes one out
 * @throws ApiError with the server's refusal
 */
export async function correctCall(
  publicId: Call['publicId'],
  reason: string,
  marks: SentMarks,
): Promise<void> {
  await request('POST /api/admin/calls/:publicId/corrections', {
    params: { publicId },
    body: { reason, marks },
  });
}
