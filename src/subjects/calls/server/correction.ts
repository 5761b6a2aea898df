import {
  changesBetween,
  checkCorrection,
  type CorrectedMarks,
  type CorrectedTrade,
  type CorrectionInput,
  countingOf,
  timeOfTrade,
} from '../rules/correction.ts';
import { trailingLevel } from '../rules/trailingStop.ts';
import { isLive } from '../rules/callRules.ts';
import type { AdminCall, AdminStatus, Correction, Mark, MarkValue, Reached } from '../rules/types.ts';
import { accepted, AppError } from '#platform/http/errors.ts';
import type { CallParts, Submitter } from './parts.ts';
import { auditName, fromState, toAdminCall, toState, toTracked, verifiedOf, toReached } from './rows.ts';
import type { CallRow, CallChange, SubmittedCall } from './store.ts';
import { startTracking } from '../rules/tracker.ts';

type Marks = Record<Mark, MarkValue> &
  Record<'entryTrade' | 'exitTrade' | 'targetReached' | 'stopReached', Reached | null>;

const marksOf = (row: CallRow): Marks => ({
  entryTrade: toReached(row.entryTradeAt, row.entryTradePrice),
  exitTrade: toReached(row.exitTradeAt, row.exitTradePrice),
  targetReached: toReached(row.targetReachedAt, row.targetReachedPrice),
  stopReached: toReached(row.stopReachedAt, row.stopReachedPrice),
  priceAtClose: row.priceAtClose,
  highestSinceFill: row.highest,
  best: row.best,
  worst: row.worst,
  isFollowed: row.trackingPaused === null,
});

type Trade = { time: number | null; price: number | null };

/** The columns of a corrected entry. For `buy` the entry is the fill; if it is removed, the call is as submitted. */
function entryChange(row: CallRow, { time, price }: Trade): CallChange {
  const entry = { entryTradeAt: time, entryTradePrice: price };
  if (row.callType === 'bought') return entry;
  if (price !== null) {
    return {
      ...entry,
      filledAt: time,
      fillPrice: price,
      ...(row.status === 'pending' ? { status: 'open' } : {}),
    };
  }
  return {
    ...fromState(startTracking(toTracked(row))),
    ...(row.status === 'open' ? { status: 'pending' } : {}),
  };
}

/** If a call is followed again, it no longer waits for review because of the pause. */
function followChange(row: CallRow, isFollowed: boolean, reason: string): CallChange {
  if (!isFollowed) return { trackingPaused: `An administrator stopped following its prices: ${reason}` };
  const isPause = row.adminStatus === 'review' && row.reviewReason === row.trackingPaused;
  return { trackingPaused: null, ...(isPause ? { adminStatus: 'normal', reviewReason: null } : {}) };
}

/** The columns of a call with corrected marks. @param now epoch ms, the time of a trade without one */
function correctedColumns(row: CallRow, marks: CorrectedMarks, reason: string, now: number): CallChange {
  const recorded = marksOf(row);
  const tradeOf = (trade: CorrectedTrade | null, before: Reached | null): Trade =>
    trade === null
      ? { time: null, price: null }
      : { time: timeOfTrade(trade, before, now), price: trade.price };
  const change: CallChange = {};
  if (marks.entryTrade !== undefined) {
    Object.assign(change, entryChange(row, tradeOf(marks.entryTrade, recorded.entryTrade)));
  }
  if (marks.exitTrade !== undefined) {
    const { time, price } = tradeOf(marks.exitTrade, recorded.exitTrade);
    Object.assign(change, { exitTradeAt: time, exitTradePrice: price });
  }
  if (marks.targetReached !== undefined) {
    const { time, price } = tradeOf(marks.targetReached, recorded.targetReached);
    Object.assign(change, { targetReachedAt: time, targetReachedPrice: price });
  }
  if (marks.stopReached !== undefined) {
    const { time, price } = tradeOf(marks.stopReached, recorded.stopReached);
    Object.assign(change, { stopReachedAt: time, stopReachedPrice: price, stopReachedLevel: null });
  }
  if (marks.priceAtClose !== undefined) change.priceAtClose = marks.priceAtClose;
  if (marks.highestSinceFill !== undefined) change.highest = marks.highestSinceFill;
  if (marks.best !== undefined) change.best = marks.best;
  if (marks.worst !== undefined) change.worst = marks.worst;
  if (marks.isFollowed !== undefined) Object.assign(change, followChange(row, marks.isFollowed, reason));
  return change;
}

/** Refuses marks of an end for a live call. @throws AppError 400 for a mark that this call cannot have */
function refuseImpossible(row: CallRow, marks: CorrectedMarks): void {
  if (!isLive(row.status)) return;
  for (const mark of ['exitTrade', 'priceAtClose'] as const) {
    if (marks[mark] === undefined) continue;
    throw new AppError(400, {
      field: mark,
      message: 'The call has not ended, so its exit cannot be corrected.',
    });
  }
}

function corrected(row: CallRow, marks: CorrectedMarks, reason: string, { app }: CallParts): CallRow {
  const next: CallRow = { ...row, ...correctedColumns(row, marks, reason, app.clock.now()) };
  if (isLive(next.status)) return next;
  const isFollowed = next.trackingPaused === null && next.source === app.source.name;
  const ended = {
    ...next,
    isAwaitingExit: isFollowed && next.exitTradePrice === null && next.stopReachedAt === null,
  };
  return { ...ended, verifiedPercent: verifiedOf(ended)?.percent ?? null };
}

/** A corrected high moves the trailing stop from now on. */
function noteStop({ app, paths }: CallParts, before: CallRow, row: CallRow): void {
  if (row.highest === before.highest || row.closedAt !== null) return;
  const price = trailingLevel(toTracked(row), toState(row));
  if (price !== null) paths.addStops(row.id, [{ time: app.clock.now(), price }]);
}

function broughtUpToDate({ store, tracker }: CallParts, found: SubmittedCall): SubmittedCall {
  const settled = tracker.settle(found.id);
  const row = store.byPublicId(found.publicId) ?? found;
  return settled ? { ...row, ...fromState(settled.state), watch: settled.watch ?? row.watch } : row;
}

function storeCorrection(
  parts: CallParts,
  admin: Submitter,
  before: SubmittedCall,
  { id, ...after }: CallRow,
  { changes, reason }: Pick<Correction, 'changes' | 'reason'>,
): CallRow {
  const { store, app, ledger } = parts;
  return store.inTransaction(() => {
    const updated = store.update(id, after);
    noteStop(parts, before, updated);
    const reasonSalt = app.randomToken();
    const made = { correctedAt: app.clock.now(), reason, reasonSalt, changes };
    store.addCorrection({ callId: id, userId: admin.id, ...made });
    ledger.corrected(before, updated, { changes, reason, salt: reasonSalt });
    app.audit.record({
      userId: admin.id,
      action: 'correct call',
      target: auditName(before),
      before: Object.fromEntries(changes.map((change) => [change.mark, change.before])),
      after: Object.fromEntries(changes.map((change) => [change.mark, change.after])),
      reason,
    });
    return updated;
  });
}

/**
 * Corrects recorded marks of a call. The former values are stored with the administrator, time and reason. The tracker
 * waits for a removed mark again.
 * @throws AppError 404 for an unknown call, 403 for an own one, 400 for an unusable correction or one without changes
 */
export function correctCall(
  parts: CallParts,
  admin: Submitter,
  publicId: string,
  sent: CorrectionInput,
): AdminCall {
  const found = parts.store.byPublicId(publicId);
  if (!found) throw new AppError(404, 'This call does not exist. Reload the page.');
  refuseOwnCall(parts, admin, found);
  const { reason, marks } = accepted(checkCorrection(sent));
  const before = broughtUpToDate(parts, found);
  refuseImpossible(before, marks);
  const { username, ...row } = before;
  const after = corrected(row, marks, reason, parts);
  const changes = changesBetween(marksOf(before), marksOf(after));
  if (changes.length === 0)
    throw new AppError(400, { field: 'marks', message: 'The record already has these values.' });
  const stored = storeCorrection(parts, admin, before, after, { changes, reason });
  parts.tracker.replace(stored);
  if (stored.closedAt !== null && !stored.isAwaitingExit) parts.keeper.settled(stored.id);
  parts.changed([stored.userId]);
  return toAdminCall({ ...stored, username }, parts.contextOf([stored]));
}

/**
 * Otherwise administrators could remove their own losses. A sole administrator may, because nobody else can; the ledger
 * shows it.
 * @throws AppError 403
 */
function refuseOwnCall({ app }: CallParts, admin: Submitter, { userId }: CallRow): void {
  if (userId === admin.id && app.accounts.hasAdministrator(admin.id)) {
    throw new AppError(403, 'Another administrator must decide about your own call.');
  }
}

/** Sets the moderation status of a call. An unchanged status is not recorded. @throws AppError 404, 403 for an own call */
export function setAdminStatus(
  parts: CallParts,
  admin: Submitter,
  publicId: string,
  adminStatus: AdminStatus,
): AdminCall {
  const { store, tracker, contextOf, app, ledger } = parts;
  const row = store.byPublicId(publicId);
  if (!row) throw new AppError(404, 'This call does not exist. Reload the page.');
  refuseOwnCall(parts, admin, row);
  if (row.adminStatus === adminStatus) return toAdminCall(row, contextOf([row]));
  const updated = store.inTransaction(() => {
    app.audit.record({
      userId: admin.id,
      action: 'moderate call',
      target: auditName(row),
      before: { adminStatus: row.adminStatus },
      after: { adminStatus },
    });
    const after = store.update(row.id, { adminStatus });
    ledger.changed(row, after, 'administrator');
    return after;
  });
  tracker.moderated(row.id, countingOf(updated));
  parts.changed([row.userId]);
  return toAdminCall({ ...updated, username: row.username }, contextOf([row]));
}
