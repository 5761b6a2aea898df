import type { CallReview } from './life.ts';

/** What a review means for the call's figures. */
export const UNTIL_DECIDED = 'Until an administrator has decided, only a loss by the recorded prices counts.';

/** That a call waits for a decision, or was rejected, and why, if that is shown. */
export function reviewText({ status, reason }: CallReview): string {
  const why = reason === null ? '' : ` ${reason}`;
  return status === 'rejected' ? `Rejected by an administrator.${why}` : `In review.${why} ${UNTIL_DECIDED}`;
}
