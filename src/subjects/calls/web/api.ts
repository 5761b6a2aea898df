import type { CheckedCall } from '../rules/callRules.ts';
import { TAKE_BACK_MS } from '../rules/resultText.ts';
import { leaderboardAnswer, mineAnswer } from '../answers/board.ts';
import type { Call, ComingEnd, Mark } from '../rules/types.ts';
import { MESSAGES } from '#texts/messages.ts';
import type { Refusal } from '#lib/result.ts';
import type { Known } from '#lib/contract/fields.ts';
import { readerOf, readRefusal, request } from '#web/api/client.ts';

/** Members that the server omits are null, here and below. */
export type Board = Known<typeof leaderboardAnswer>;
export type BoardCall = Board['calls'][number];
export type Submitter = Board['leaderboard'][number];
type OwnCall = Known<typeof mineAnswer>['calls'][number];
/** `dueAt` is when the call ends unless that is undone, ms of `performance.now()`. */
export type MyCall = Omit<OwnCall, 'ending'> & {
  ending: (Pick<ComingEnd, 'kind'> & { dueAt: number }) | null;
};

/** New values of marks: a trade's price, a price, or whether prices are followed. */
export type SentMarks = Partial<Record<Mark, { price: number } | number | boolean | null>>;

export const fetchBoard = (): Promise<Board> =>
  request('GET /api/calls/leaderboard', { read: readerOf(leaderboardAnswer) });

/** Newest first. */
export async function fetchMine(): Promise<MyCall[]> {
  const { calls } = await request('GET /api/calls/mine', { read: readerOf(mineAnswer) });
  const now = performance.now();
  return calls.map((call) => ({
    ...call,
    ending: call.ending && { kind: call.ending.kind, dueAt: now + call.ending.inMs },
  }));
}

/**
 * @param key an idempotency key: sending the same call again, for example after a lost answer, creates no
 * second one
 * @throws ApiError with the server's refusal
 */
export async function postCall(call: CheckedCall, key: string): Promise<void> {
  await request('POST /api/calls', { body: call, headers: { 'idempotency-key': key } });
}

/** The server ends the call after the undo time. The request continues even if the page closes. */
const SOON = { query: { inMs: TAKE_BACK_MS }, keepalive: true };

/**
 * Closes an own call in ten seconds.
 * @param pocketedValue AUD
 * @returns null, or why it can no longer be closed (409)
 */
export async function closeCall(publicId: Call['publicId'], pocketedValue: number): Promise<Refusal | null> {
  const body = await request('POST /api/calls/:publicId/close', {
    params: { publicId },
    body: { pocketedValue },
    ...SOON,
  });
  return readRefusal(body, MESSAGES.calls.close);
}

/** Cancels an own call in ten seconds. @returns null, or why it can no longer be cancelled (409) */
export async function cancelCall(publicId: Call['publicId']): Promise<Refusal | null> {
  const body = await request('POST /api/calls/:publicId/cancel', { params: { publicId }, ...SOON });
  return readRefusal(body, MESSAGES.calls.cancel);
}

/** Undoes the end of an own call. @returns null, or why that is no longer possible (409) */
export async function keepCall(publicId: Call['publicId'], failed: string): Promise<Refusal | null> {
  return readRefusal(
    await request('POST /api/calls/:publicId/keep', { params: { publicId }, keepalive: true }),
    failed,
  );
}

/** Administrators only. @param marks by name; null removes one */
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
