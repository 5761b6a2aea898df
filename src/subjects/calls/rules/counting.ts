import type { AdminStatus } from './types.ts';

/** What of a call counts on the leaderboard: all of it, only a result that is no gain, or nothing. */
export type Counting = 'all' | 'losses' | 'nothing';

/**
 * What of a call counts. In review nothing does until it is decided, except a recorded result that is no gain: a
 * submitter sends a call to review by what he claims, and would claim nonsense of every loss. For the same reason
 * such a result goes on counting where a call that had waited for review is rejected.
 *
 * @param reviewReason why it waited for review; null when an administrator rejected it without that
 */
export function countingOf(call: { adminStatus: AdminStatus; reviewReason: string | null }): Counting {
  if (call.adminStatus === 'normal') return 'all';
  return call.adminStatus === 'review' || call.reviewReason !== null ? 'losses' : 'nothing';
}

/** Whether a recorded result counts. @param percent of the result */
export const countsResult = (counting: Counting, percent: number): boolean =>
  counting === 'all' || (counting === 'losses' && percent <= 0);
