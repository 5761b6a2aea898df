import { countingOf } from '../../domain/calls/counting.ts';
import type { AdminCall, AdminStatus } from '../../domain/calls/types.ts';
import { AppError } from '../../http/errors.ts';
import type { CallsDeps } from './deps.ts';
import { toAdminCall } from './rows.ts';

/**
 * Moderates a call: normal, rejected, or back to review.
 *
 * @throws AppError 404 when there is no such call
 */
export function setAdminStatus(
  { store, tracker, leaderboard, contextOf }: CallsDeps,
  publicId: string,
  adminStatus: AdminStatus,
): AdminCall {
  const row = store.byPublicId(publicId);
  if (!row) throw new AppError(404, 'There is no such call.');
  const updated = store.update(row.id, { adminStatus });
  tracker.moderated(row.id, countingOf(updated));
  leaderboard.changed([row.userId]);
  return toAdminCall({ ...updated, username: row.username }, contextOf([row]));
}
