import { checkPocketed, isLive } from '../../domain/calls/callRules.ts';
import type { OwnCall } from '../../domain/calls/types.ts';
import {
  cancelledResult,
  type Closing,
  implausibleReason,
  verifiedResult,
} from '../../domain/calls/verifiedResult.ts';
import { livePrice } from '../../domain/market/livePrice.ts';
import { accepted, AppError } from '../../http/errors.ts';
import type { CallsDeps, Submitter } from './deps.ts';
import { fromState, toOwnCall, toState, toTracked } from './rows.ts';
import type { CallChange, CallRow, CallStore } from './store.ts';

/** @throws AppError 404 for another's call, 409 for one that ended */
function ownLiveCall(store: CallStore, user: Submitter, publicId: string): CallRow {
  const row = store.byPublicId(publicId);
  if (!row || row.userId !== user.id) throw new AppError(404, 'There is no such call among yours.');
  if (isLive(row.status)) return row;
  throw new AppError(409, `This call was ${row.status} already. Reload to see how it stands.`);
}

/** Brings the call up to date, then ends it as `decide` says. */
function endCall(
  { store, tracker, market, clock, leaderboard }: CallsDeps,
  user: Submitter,
  row: CallRow,
  decide: (closing: Closing, current: CallRow) => CallChange,
): OwnCall {
  const state = tracker.settle(row.id) ?? toState(row);
  // Read again: bringing it up to date may have paused it.
  const trackingPaused = store.byPublicId(row.publicId)?.trackingPaused ?? null;
  const current: CallRow = { ...row, ...fromState(state), trackingPaused };
  const closing = { time: clock.now(), price: livePrice(market.get(row.symbol)) };
  const ended = store.update(row.id, {
    ...fromState(state),
    closedAt: closing.time,
    priceAtClose: closing.price,
    ...decide(closing, current),
  });
  tracker.remove(row.id);
  leaderboard.changed([row.userId]);
  return toOwnCall({ ...ended, username: user.username });
}

function closedWith(pocketedValue: number, closing: Closing, current: CallRow): CallChange {
  const closed = { status: 'closed' as const, pocketedValue };
  if (current.trackingPaused !== null) return closed;
  const [call, state] = [toTracked(current), toState(current)];
  const verifiedPercent = verifiedResult(call, state, closing)?.percent ?? null;
  const reviewReason = implausibleReason(pocketedValue, call, state, closing);
  if (reviewReason === null || current.adminStatus === 'rejected') return { ...closed, verifiedPercent };
  return { ...closed, verifiedPercent, adminStatus: 'review', reviewReason };
}

/**
 * Closes a call with what its owner pocketed, and fixes the verified result beside it. A value that the recorded
 * prices could not have given waits for an administrator.
 *
 * @param pocketedValue AUD; null when nothing usable was sent
 * @throws AppError 404 for another's call, 409 for one that ended, 400 for an unusable value
 */
export function closeCall(
  deps: CallsDeps,
  user: Submitter,
  publicId: string,
  pocketedValue: number | null,
): OwnCall {
  const row = ownLiveCall(deps.store, user, publicId);
  const pocketed = accepted(checkPocketed(pocketedValue));
  return endCall(deps, user, row, (closing, current) => closedWith(pocketed, closing, current));
}

/**
 * Cancels a call. One that filled keeps its verified result unless it is taken back at once.
 *
 * @throws AppError 404 for another's call, 409 for one that ended
 */
export function cancelCall(deps: CallsDeps, user: Submitter, publicId: string): OwnCall {
  const row = ownLiveCall(deps.store, user, publicId);
  return endCall(deps, user, row, (closing, current) => {
    const result =
      current.trackingPaused === null ? cancelledResult(toTracked(current), toState(current), closing) : null;
    return { status: 'cancelled', verifiedPercent: result?.percent ?? null };
  });
}
