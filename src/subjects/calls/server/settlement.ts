import type { ExitTrade } from '../rules/follow.ts';
import type { TrackState } from '../rules/tracker.ts';
import { implausibleReason, verifiedExit, verifiedResult } from '../rules/verifiedResult.ts';
import { fromState, toTracked } from './rows.ts';
import type { CallChange, CallRow } from './store.ts';

/** The review of a pocketed value against the whole recorded path; none when an administrator has looked at it. */
function reviewOf(row: CallRow, state: TrackState, price: number | null): CallChange {
  if (row.pocketedValue === null || row.closedAt === null) return {};
  if (row.adminStatus !== 'normal' || row.reviewReason !== null) return {};
  const closing = { time: row.closedAt, price };
  const reviewReason = implausibleReason(row.pocketedValue, toTracked(row), state, closing);
  return reviewReason === null ? {} : { adminStatus: 'review', reviewReason };
}

/**
 * What is written when the first trade after a call's end was printed: that trade, the verified result that follows
 * from it, and whether the pocketed value must be looked at.
 */
export function settlementOf(row: CallRow, state: TrackState, exit: ExitTrade): CallChange {
  const price = verifiedExit(row.priceAtClose, exit.price);
  const closing = { time: row.closedAt ?? exit.time, price };
  return {
    ...fromState(state),
    isAwaitingExit: false,
    exitTradeAt: exit.time,
    exitTradePrice: exit.price,
    verifiedPercent: verifiedResult(toTracked(row), state, closing)?.percent ?? null,
    ...reviewOf(row, state, price),
  };
}
