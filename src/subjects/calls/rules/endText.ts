import { formatAlike, formatResult } from './callFormat.ts';
import { type StandingCall, standingOf } from './standing.ts';
import type { EndKind } from './types.ts';

/** So long an end can be taken back: until then nothing has ended, so that waiting for the price gains nothing. */
export const TAKE_BACK_MS = 10_000;

const RESULT_RUNS =
  'The result runs to the first trade after it ends, or to the last price before if that is lower.';

type EndedCall = StandingCall & { verified: { percent: number | null } | null };

/**
 * What an owner is told before a call is ended: the price that it would get.
 *
 * @param last the live price, AUD; null when it is not known
 * @param isPriceSaid the price is already shown next to the text
 * @returns sentences
 */
export function endText(call: EndedCall, kind: EndKind, last: number | null, isPriceSaid = false): string {
  if (call.stopReached !== null && call.verified !== null) {
    return `Its stop was reached: the result of ${formatResult(call.verified.percent)} stands.`;
  }
  if (call.status === 'pending') return 'It has not filled, so it ends without a result.';
  if (call.entryTrade === null) {
    return kind === 'cancel'
      ? 'If there is no trade before it ends, it has no result.'
      : 'There was no trade since it was posted: the next one counts.';
  }
  if (isPriceSaid) return RESULT_RUNS;
  const percent = standingOf(call, last)?.percent ?? null;
  const from = Math.max(call.entryPrice ?? 0, call.entryTrade.price);
  const [now, entry] = formatAlike(last, from);
  const standing =
    percent === null ? 'No price is known now.' : `Now ${now}, ${formatResult(percent)} from ${entry}.`;
  const kept = kind === 'cancel' ? ' Cancelling keeps the result.' : '';
  return `${standing} ${RESULT_RUNS}${kept}`;
}
