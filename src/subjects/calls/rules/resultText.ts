import { formatResult } from './callFormat.ts';
import { formatPocketed } from './pocketed.ts';
import { type StandingCall, standingOf } from './standing.ts';
import type { Call } from './types.ts';

const IN_REVIEW = 'In review';

const marked = (text: string): string => `${text} (in review)`;

/** Pocketed money; in review the figure is marked, or the review stands for it where the figure is not shown. */
export function pocketedText({
  pocketedValue,
  isInReview,
  status,
}: Pick<Call, 'pocketedValue' | 'isInReview'> & { status: Call['status'] | null }): string {
  if (!isInReview) return formatPocketed(pocketedValue);
  if (pocketedValue !== null) return marked(formatPocketed(pocketedValue));
  return status === 'closed' ? IN_REVIEW : formatPocketed(null);
}

type ResultCall = StandingCall &
  Pick<Call, 'isInReview'> & {
    verified: { percent: number | null } | null;
    awaitingTrade: Call['awaitingTrade'];
  };

/**
 * The verified result; of an open call what it has made so far. A gain in review does not count, so it is marked, or the
 * review stands for it where the gain is not shown.
 *
 * @param last the live price, AUD; null when it is not known
 */
export function resultText(call: ResultCall, last: number | null): string {
  if (call.awaitingTrade) return 'Awaiting a trade';
  const running = standingOf(call, last)?.percent ?? null;
  const percent = running ?? call.verified?.percent ?? null;
  if (percent === null) return call.isInReview ? IN_REVIEW : formatResult(null);
  const text = running === null ? formatResult(percent) : `${formatResult(percent)} so far`;
  return call.isInReview && percent > 0 ? marked(text) : text;
}
