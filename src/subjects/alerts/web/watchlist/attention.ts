import type { Known } from '#lib/contract/fields.ts';
import { attentionAnswer } from '#subjects/alerts/answers/attention.ts';
import { MESSAGES } from '#texts/messages.ts';
import { isMissing, request } from '#web/api/client.ts';
import { readerOf } from '#web/api/readerOf.ts';
import { type Loaded, useLoaded } from '#web/shared/useLoaded.ts';

type AttentionShown = Known<typeof attentionAnswer>;
export type ReasonShown = AttentionShown['reasons'][number];
export type LoadedAttention = Loaded<AttentionShown>;

const readAttention = readerOf(attentionAnswer);

/** A server that knows only what the specification names checks nothing. */
async function fetchAttention(): Promise<AttentionShown> {
  try {
    return await request('GET /api/alerts/attention', { read: readAttention });
  } catch (problem) {
    if (isMissing(problem)) return readAttention({});
    throw problem;
  }
}

/** A chat may stop taking messages while the page is open. */
const CHECK_EVERY_MS = 5 * 60_000;

/** Which of the user's alerts need attention, loaded again with each `again` and every few minutes. */
export const useAttention = (again: unknown): LoadedAttention =>
  useLoaded(fetchAttention, MESSAGES.watchlist.loadAttention, { again, everyMs: CHECK_EVERY_MS });

/** Dismisses reasons for 90 days, or shows them again. @throws ApiError with the server's sentence */
export async function dismissReasons(reasons: readonly ReasonShown[], dismissed: boolean): Promise<void> {
  const keys = reasons.map(({ key }) => key);
  await request('PUT /api/alerts/attention/dismissed', { body: { keys, dismissed } });
}

/** @throws ApiError with the server's sentence */
export async function saveWeekly(weekly: boolean): Promise<void> {
  await request('PUT /api/alerts/attention/weekly', { body: { weekly } });
}
