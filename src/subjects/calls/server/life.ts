import type { CallLife, CallReview } from '../rules/life.ts';
import { stopPath } from '../rules/trailingStop.ts';
import { AppError } from '../../../platform/http/errors.ts';
import type { AuthUser } from '../../../platform/http/auth.ts';
import type { MarketTimes } from './marketTimes.ts';
import type { PathKeeper } from './paths/keeper.ts';
import type { CallPathStore } from './paths/store.ts';
import { type CallContext, toCall, toTracked } from './rows.ts';
import type { CallRow, CallStore } from './store.ts';

export type LifeDeps = {
  store: Pick<CallStore, 'byPublicId'>;
  paths: Pick<CallPathStore, 'stopsOf'>;
  keeper: Pick<PathKeeper, 'find'>;
  times: Pick<MarketTimes, 'shown'>;
  /** The market's time now, epoch ms. */
  now(): number;
  contextOf(rows: readonly CallRow[]): CallContext;
};

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
export function callLife(deps: LifeDeps, viewer: Viewer, publicId: string): CallLife {
  const row = deps.store.byPublicId(publicId);
  if (!row || !maySee(row, viewer)) throw new AppError(404, UNKNOWN);
  const { path, whyNoPath } = deps.keeper.find(row);
  const timeOf = (wall: number): number => deps.times.shown(row.source, wall);
  const until = row.stopReachedAt ?? row.closedAt;
  const stop = stopPath({
    call: toTracked(row),
    filledAt: row.filledAt === null ? null : timeOf(row.filledAt),
    fillPrice: row.fillPrice,
    highest: row.highest,
    until: until === null ? deps.now() : timeOf(until),
    steps: deps.paths.stopsOf(row.id).map(({ time, price }) => ({ time: timeOf(time), price })),
    bars: path?.bars ?? null,
  });
  const review = reviewFor(row, viewer);
  return { call: toCall(row, deps.contextOf([row])), path, whyNoPath, stop, review };
}
