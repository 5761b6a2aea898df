import { formatAlike, formatCallPrice, formatResult } from './callFormat.ts';
import { formatMoment } from '#texts/format.ts';
import type { Call, CallReview, EndKind, Mark, MarkChange, MarkValue } from './types.ts';
import { formatPocketed } from './pocketed.ts';
import { bestOf } from './side.ts';
import { type StatusCall, statusOf } from './callStatus.ts';

const IN_REVIEW = 'In review';

const marked = (text: string): string => `${text} (in review)`;

/** The pocketed value. In review it is marked; if the viewer may not see it, the text says 'In review'. */
export function pocketedText({
  pocketedValue,
  isInReview,
  status,
}: Pick<Call, 'pocketedValue' | 'isInReview'> & { status: Call['status'] | null }): string {
  if (!isInReview) return formatPocketed(pocketedValue);
  if (pocketedValue !== null) return marked(formatPocketed(pocketedValue));
  return status === 'closed' ? IN_REVIEW : formatPocketed(null);
}

type ResultCall = StatusCall &
  Pick<Call, 'isInReview'> & {
    verified: { percent: number | null } | null;
    awaitingTrade: Call['awaitingTrade'];
  };

/**
 * The verified result, or an open call's result so far. In review a gain is marked; if the viewer may not see it, the
 * text says 'In review'.
 */
export function resultText(call: ResultCall, last: number | null): string {
  if (call.awaitingTrade) return 'Awaiting a trade';
  const running = statusOf(call, last)?.percent ?? null;
  const percent = running ?? call.verified?.percent ?? null;
  if (percent === null) return call.isInReview ? IN_REVIEW : formatResult(null);
  const text = running === null ? formatResult(percent) : `${formatResult(percent)} so far`;
  return call.isInReview && percent > 0 ? marked(text) : text;
}

/** How long an end can be undone. The call ends only afterwards, so nobody gains by waiting for the price. */
export const TAKE_BACK_MS = 10_000;

const RESULT_RUNS =
  'The result counts up to the first trade after the end, or the last price before it, if worse.';

type EndedCall = StatusCall & { verified: { percent: number | null } | null };

/**
 * The confirmation before a call is ended, with the price at which it would end.
 * @param hasPrice the price is already shown next to the text
 */
export function endText(call: EndedCall, kind: EndKind, last: number | null, hasPrice = false): string {
  if (call.stopReached !== null && call.verified !== null) {
    return `Its stop was reached: the result of ${formatResult(call.verified.percent)} is final.`;
  }
  if (call.status === 'pending') return 'It has not filled, so it ends without a result.';
  if (call.entryTrade === null) {
    return kind === 'cancel'
      ? 'If there is no trade before it ends, it has no result.'
      : 'No trade since posting. The next one counts.';
  }
  if (hasPrice) return RESULT_RUNS;
  const percent = statusOf(call, last)?.percent ?? null;
  const { price } = call.entryTrade;
  const from = bestOf(call, call.entryPrice ?? price, price);
  const [now, entry] = formatAlike(last, from);
  const status =
    percent === null
      ? 'The current price is unknown.'
      : `Now ${now}, ${formatResult(percent)} from ${entry}.`;
  const kept = kind === 'cancel' ? ' Cancelling keeps the result.' : '';
  return `${status} ${RESULT_RUNS}${kept}`;
}

export const UNTIL_DECIDED = 'While in review, a call can only lower the track record.';

export function reviewText({ status, reason }: CallReview): string {
  const why = reason === null ? '' : ` ${reason}`;
  return status === 'rejected' ? `Rejected by an administrator.${why}` : `In review.${why} ${UNTIL_DECIDED}`;
}

export const MARK_LABELS: Readonly<Record<Mark, string>> = {
  entryTrade: 'Entry trade',
  exitTrade: 'Exit trade',
  targetReached: 'Target reached',
  stopReached: 'Stop reached',
  priceAtClose: 'Last price at the end',
  highestSinceFill: 'Highest since the fill (short: lowest)',
  best: 'Best price',
  worst: 'Worst price',
  isFollowed: 'Prices followed',
};

/** Formats a mark: '0.95, 21 Nov 10:42', '0.95', 'yes', or 'none'. */
export function formatMark(value: MarkValue): string {
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return formatCallPrice(value);
  return `${formatCallPrice(value.price)}, ${formatMoment(value.at)}`;
}

/** Formats a correction: 'Target reached: 45, 21 Nov 10:42 → none'. */
export const formatChange = ({ mark, before, after }: MarkChange): string =>
  `${MARK_LABELS[mark]}: ${formatMark(before)} → ${formatMark(after)}`;
