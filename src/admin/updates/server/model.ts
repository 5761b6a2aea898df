import { t } from 'elysia';
import { UPDATE_PHASES } from '../../../platform/install/shared/updateState.ts';

const programVersion = t.Object({ version: t.String(), commit: t.String() });

/** What an update would bring. */
export const offerView = t.Object({
  isNew: t.Boolean(),
  /** The version of a checkout is not known before it is built. */
  version: t.Nullable(t.String()),
  commit: t.String(),
  /** Null for a release. */
  branch: t.Nullable(t.String()),
  /** The newest first, at most 50. */
  commits: t.Array(t.Object({ commit: t.String(), subject: t.String(), at: t.Integer() })),
  /** How many commits there are in all. */
  count: t.Integer(),
  /** Of a release. */
  notes: t.Nullable(t.String()),
  /** That this very version ran here before, did not run well and was taken back: when, epoch ms, and why. Else null. */
  takenBack: t.Nullable(t.Object({ at: t.Integer(), reason: t.Nullable(t.String()) })),
  /** Epoch ms of the look. */
  checkedAt: t.Integer(),
});

const updateStep = t.Object({
  name: t.String(),
  startedAt: t.Integer(),
  endedAt: t.Nullable(t.Integer()),
  outcome: t.UnionEnum(['running', 'done', 'failed']),
  detail: t.Nullable(t.String()),
});

const updateView = t.Object({
  id: t.String(),
  by: t.String(),
  startedAt: t.Integer(),
  from: programVersion,
  to: t.Nullable(programVersion),
  phase: t.UnionEnum([...UPDATE_PHASES]),
  steps: t.Array(updateStep),
  failure: t.Nullable(t.String()),
  logTail: t.Array(t.String()),
});

/** GET /admin/server/update. */
export const updateStateView = t.Object({
  installation: t.UnionEnum(['checkout', 'release', 'none']),
  /** Why this installation can't be updated from here; null when it can. */
  noUpdate: t.Nullable(t.String()),
  running: programVersion,
  /** Epoch ms by the server's clock, for how long a step has been running. */
  now: t.Integer(),
  /** The update that is under way, else the last one; null when there was none. */
  update: t.Nullable(updateView),
  /** What the last look of this process found; null before the first. */
  offer: t.Nullable(offerView),
});

/** POST /admin/server/update-and-restart. */
export const startedView = t.Object({
  /** Whether an update was started; its steps are in GET /admin/server/update. False when there is nothing new. */
  updated: t.Boolean(),
  /** Whether the server restarts when the new version has passed its check. */
  restarting: t.Boolean(),
  branch: t.Nullable(t.String()),
  /** Of the update that was started; null when there is nothing new. */
  id: t.Nullable(t.String()),
});
