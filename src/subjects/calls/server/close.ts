import { countingOf } from '../rules/correction.ts';
import type { Ending } from '../rules/watch.ts';
import { isLive } from '../rules/callRules.ts';
import { checkPocketed } from '../rules/pocketed.ts';
import type { OwnCall } from '../rules/types.ts';
import { implausibleReason, verifiedResult } from '../rules/verifiedResult.ts';
import { accepted, AppError } from '#platform/http/errors.ts';
import type { CallParts, Submitter } from './parts.ts';
import type { AskedEnd } from './endings.ts';
import { fromState, toOwnCall, toState, toTracked } from './rows.ts';
import type { CallChange, CallRow, CallStore, SubmittedCall } from './store.ts';

/** The user's live call. @throws AppError 404 for another user's call, 409 for an ended one */
function ownLiveCall(store: CallStore, user: Submitter, publicId: string): SubmittedCall {
  const row = store.byPublicId(publicId);
  if (!row || row.userId !== user.id) throw new AppError(404, 'You have no such call. Reload the list.');
  if (isLive(row.status)) return row;
  throw new AppError(409, `This call was already ${row.status}. Reload to see its status.`);
}

/**
 * Starts the undo window of an end; `endCallNow` runs after it.
 * @param asked its value counts only for *close*
 * @throws AppError 404 for another user's call, 409 for an ended one, 400 for an unusable value
 */
export function endCallSoon(
  parts: CallParts,
  user: Submitter,
  publicId: string,
  { kind, pocketedValue, inMs }: AskedEnd & { inMs: number },
): OwnCall {
  const row = ownLiveCall(parts.store, user, publicId);
  const value = kind === 'close' ? accepted(checkPocketed(pocketedValue)) : null;
  parts.endings.hold(row, user, { kind, pocketedValue: value }, inMs);
  parts.notify(user.id);
  return toOwnCall(row, parts.contextOf([row]));
}

/** Cancels a pending end. @throws AppError 404 for another user's call, 409 for an ended one */
export function keepCall(parts: CallParts, user: Submitter, publicId: string): OwnCall {
  const row = ownLiveCall(parts.store, user, publicId);
  parts.endings.drop(row.id);
  parts.notify(user.id);
  return toOwnCall(row, parts.contextOf([row]));
}

/**
 * Updates the call to current prices, then ends it with the changes that `decide` returns. The result waits for the
 * next trade, unless a reached stop gave it or prices are not followed.
 */
function endCall(
  parts: CallParts,
  user: Submitter,
  row: CallRow,
  decide: (current: CallRow) => CallChange & { status: 'closed' | 'cancelled' },
): OwnCall {
  const { store, tracker, app, ledger } = parts;
  const settled = tracker.settle(row.id);
  const state = settled?.state ?? toState(row);
  // Read again, because the update may have paused the call.
  const before = store.byId(row.id);
  const { trackingPaused } = before;
  const isFollowed = settled !== null && trackingPaused === null && row.source === app.source.name;
  const isAwaitingExit = isFollowed && state.stopAt === null;
  const stock = isFollowed ? app.market.get(row.symbol) : undefined;
  const closedAt = app.clock.now();
  const priceAtClose = settled?.lastPrice ?? stock?.last ?? stock?.close ?? null;
  const change = decide({ ...row, ...fromState(state), trackingPaused, closedAt, priceAtClose });
  const ended = store.inTransaction(() => {
    const after = store.update(row.id, {
      ...fromState(state),
      ...(settled?.watch ? { watch: settled.watch } : {}),
      closedAt,
      priceAtClose,
      isAwaitingExit,
      // A reached stop has already given the result; otherwise it follows with the exit trade.
      verifiedPercent:
        verifiedResult(toTracked(row), state, { time: closedAt, price: null })?.percent ?? null,
      ...change,
    });
    ledger.changed(before, after, 'rules');
    return after;
  });
  const end = { time: closedAt, price: priceAtClose, isCancelled: change.status === 'cancelled' };
  afterEnd(parts, ended, end);
  return toOwnCall({ ...ended, username: user.username }, parts.contextOf([ended]));
}

function afterEnd(parts: CallParts, ended: CallRow, end: Ending): void {
  const { endings, tracker, keeper } = parts;
  endings.drop(ended.id);
  tracker.end(ended.id, end, ended.isAwaitingExit);
  if (!ended.isAwaitingExit) keeper.settled(ended.id);
  tracker.moderated(ended.id, countingOf(ended));
  parts.changed([ended.userId]);
}

function closedWith(pocketedValue: number, current: CallRow, delayMinutes: number) {
  const closed = { status: 'closed' as const, pocketedValue };
  // With a delayed feed the last minutes of the price history arrive later, so the settlement checks the value.
  if (current.trackingPaused !== null || delayMinutes > 0 || current.adminStatus === 'rejected')
    return closed;
  const closing = { time: current.closedAt ?? 0, price: current.priceAtClose };
  const reviewReason = implausibleReason(pocketedValue, toTracked(current), toState(current), closing);
  return reviewReason === null ? closed : { ...closed, adminStatus: 'review' as const, reviewReason };
}

/**
 * Closes a call with the pocketed value; the verified result follows with the next trade. A value that contradicts the
 * recorded prices waits for an administrator.
 * @throws AppError 404 for another user's call, 409 for an ended one, 400 for an unusable value
 */
function closeCall(parts: CallParts, user: Submitter, publicId: string, sent: number | null): OwnCall {
  const row = ownLiveCall(parts.store, user, publicId);
  const pocketed = accepted(checkPocketed(sent));
  const delayMinutes = parts.app.source.delayMinutes();
  return endCall(parts, user, row, (current) => closedWith(pocketed, current, delayMinutes));
}

/**
 * Ends a call as its owner chose. A cancelled call that was filled keeps its verified result; without a trade since its
 * submission it has none.
 * @param asked its value counts only for *close*; null if unusable
 * @throws AppError 404 for another user's call, 409 for an ended one, 400 for an unusable value
 */
export function endCallNow(parts: CallParts, user: Submitter, publicId: string, asked: AskedEnd): OwnCall {
  parts.times.update();
  if (asked.kind === 'close') return closeCall(parts, user, publicId, asked.pocketedValue);
  const row = ownLiveCall(parts.store, user, publicId);
  return endCall(parts, user, row, () => ({ status: 'cancelled' }));
}
