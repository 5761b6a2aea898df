import {
  changesBetween,
  checkCorrection,
  type CorrectedMarks,
  type CorrectionInput,
} from '../rules/correction.ts';
import { trailingLevel } from '../rules/trailingStop.ts';
import { isLive } from '../rules/callRules.ts';
import type { AdminCall } from '../rules/types.ts';
import { accepted, AppError } from '../../../platform/http/errors.ts';
import type { CallsDeps, Submitter } from './deps.ts';
import { correctedColumns, marksOf } from './marks.ts';
import { auditName, fromState, toAdminCall, toState, toTracked, verifiedOf } from './rows.ts';
import type { CallRow } from './store.ts';

/** @throws AppError 400 for a mark that this call can't have */
function refuseImpossible(row: CallRow, marks: CorrectedMarks): void {
  if (!isLive(row.status)) return;
  for (const mark of ['exitTrade', 'priceAtClose'] as const) {
    if (marks[mark] === undefined) continue;
    throw new AppError(400, { field: mark, message: 'The call has not ended, so it has no exit yet.' });
  }
}

/** The corrected call, with the result that follows from its marks. */
function corrected(row: CallRow, marks: CorrectedMarks, reason: string, deps: CallsDeps): CallRow {
  const { source, clock } = deps;
  const next: CallRow = { ...row, ...correctedColumns(row, marks, reason, clock.now()) };
  if (isLive(next.status)) return next;
  const isFollowed = next.trackingPaused === null && next.source === source.name;
  const ended = {
    ...next,
    isAwaitingExit: isFollowed && next.exitTradePrice === null && next.stopReachedAt === null,
  };
  return { ...ended, verifiedPercent: verifiedOf(ended)?.percent ?? null };
}

/** A high that is put right moves the trailing stop from now on. */
function noteStop({ clock, paths }: CallsDeps, before: CallRow, row: CallRow): void {
  if (row.highest === before.highest || row.closedAt !== null) return;
  const price = trailingLevel(toTracked(row), toState(row));
  if (price !== null) paths.addStops(row.id, [{ time: clock.now(), price }]);
}

/**
 * Puts recorded marks of a call right. What had been recorded is kept with who did it, when and why. A mark that is
 * struck out is awaited again.
 *
 * @throws AppError 404 when there is no such call, 400 for an unusable correction or one that changes nothing
 */
export function correctCall(
  deps: CallsDeps,
  admin: Submitter,
  publicId: string,
  sent: CorrectionInput,
): AdminCall {
  const { store, tracker, clock, leaderboard, audit } = deps;
  const found = store.byPublicId(publicId);
  if (!found) throw new AppError(404, 'There is no such call.');
  const { reason, marks } = accepted(checkCorrection(sent));
  const settled = tracker.settle(found.id);
  const { username, ...row } = store.byPublicId(publicId) ?? found;
  const before: CallRow = settled
    ? { ...row, ...fromState(settled.state), watch: settled.watch ?? row.watch }
    : row;
  refuseImpossible(before, marks);
  const { id, ...after } = corrected(before, marks, reason, deps);
  const changes = changesBetween(marksOf(before), marksOf({ id, ...after }));
  if (changes.length === 0)
    throw new AppError(400, { field: 'marks', message: 'The record says so already.' });
  const stored = store.inTransaction(() => {
    const updated = store.update(id, after);
    noteStop(deps, before, updated);
    store.addCorrection({ callId: id, userId: admin.id, correctedAt: clock.now(), reason, changes });
    audit.record({
      userId: admin.id,
      action: 'correct call',
      target: auditName(found),
      before: Object.fromEntries(changes.map((change) => [change.mark, change.before])),
      after: Object.fromEntries(changes.map((change) => [change.mark, change.after])),
      reason,
    });
    return updated;
  });
  tracker.replace(stored);
  if (stored.closedAt !== null && !stored.isAwaitingExit) deps.keeper.settled(stored.id);
  leaderboard.changed([row.userId]);
  return toAdminCall({ ...stored, username }, deps.contextOf([stored]));
}
