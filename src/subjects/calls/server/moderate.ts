import { countingOf } from '../rules/counting.ts';
import type { AdminCall, AdminStatus } from '../rules/types.ts';
import { AppError } from '../../../platform/http/errors.ts';
import type { CallsDeps, Submitter } from './deps.ts';
import { auditName, toAdminCall } from './rows.ts';

/**
 * Moderates a call: normal, rejected, or back to review. A call that has the status already stays as it is, and nothing
 * is noted.
 *
 * @throws AppError 404 when there is no such call
 */
export function setAdminStatus(
  { store, tracker, leaderboard, contextOf, audit }: CallsDeps,
  admin: Submitter,
  publicId: string,
  adminStatus: AdminStatus,
): AdminCall {
  const row = store.byPublicId(publicId);
  if (!row) throw new AppError(404, 'There is no such call.');
  if (row.adminStatus === adminStatus) return toAdminCall(row, contextOf([row]));
  const updated = store.inTransaction(() => {
    audit.record({
      userId: admin.id,
      action: 'moderate call',
      target: auditName(row),
      before: { adminStatus: row.adminStatus },
      after: { adminStatus },
    });
    return store.update(row.id, { adminStatus });
  });
  tracker.moderated(row.id, countingOf(updated));
  leaderboard.changed([row.userId]);
  return toAdminCall({ ...updated, username: row.username }, contextOf([row]));
}
