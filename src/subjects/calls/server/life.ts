import type { CallLife, CallReview } from '../rules/life.ts';
import { stopPath } from '../rules/trailingStop.ts';
import { AppError } from '#platform/http/errors.ts';
import type { AuthUser } from '#platform/http/auth.ts';
import type { CallParts } from './parts.ts';
import { toCall, toTracked, toWholeCall } from './rows.ts';
import type { CallRow } from './store.ts';

/** Who asks; null for a visitor. */
export type Viewer = Pick<AuthUser, 'id' | 'level'> | null;

const UNKNOWN = 'There is no such call. An administrator may have removed it, or the link is incomplete.';

const isInvolved = (row: CallRow, viewer: Viewer): boolean =>
  viewer !== null && (viewer.id === row.userId || viewer.level >= 4);

/** A rejected call is shown to its owner and to administrators, as everywhere else. */
const maySee = (row: CallRow, viewer: Viewer): boolean =>
  row.adminStatus !== 'rejected' || isInvolved(row, viewer);

/** What everybody may know of its review; why, is between its owner and administrators. */
const reviewFor = (row: CallRow, viewer: Viewer): CallReview | null =>
  row.adminStatus === 'normal'
    ? null
    : { status: row.adminStatus, reason: isInvolved(row, viewer) ? row.reviewReason : null };

/**
 * A call with the prices of its stock from its posting to its end, or to now.
 *
 * @throws AppError 404 for a call that there is not, or that the viewer may not see
 */
export function callLife(parts: CallParts, viewer: Viewer, publicId: string): CallLife {
  const row = parts.store.byPublicId(publicId);
  if (!row || !maySee(row, viewer)) throw new AppError(404, UNKNOWN);
  const { path, whyNoPath } = parts.keeper.find(row);
  const timeOf = (wall: number): number => parts.times.shown(row.source, wall);
  const until = row.stopReachedAt ?? row.closedAt;
  const stop = stopPath({
    call: toTracked(row),
    filledAt: row.filledAt === null ? null : timeOf(row.filledAt),
    fillPrice: row.fillPrice,
    highest: row.highest,
    until: until === null ? parts.core.source.clock.now() : timeOf(until),
    steps: parts.paths.stopsOf(row.id).map(({ time, price }) => ({ time: timeOf(time), price })),
    bars: path?.bars ?? null,
  });
  const review = reviewFor(row, viewer);
  const call = (isInvolved(row, viewer) ? toWholeCall : toCall)(row, parts.contextOf([row]));
  return { call, path, whyNoPath, stop, review };
}
