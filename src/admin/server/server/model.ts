import { t } from 'elysia';

/** GET /admin/server/info. */
export const serverInfoView = t.Object({
  pid: t.Integer(),
  /** What the program runs on: runtime, system and processor. */
  node: t.String(),
  /** That the program was built from; null in a released file, and where it is not known. */
  branch: t.Nullable(t.String()),
  commit: t.String(),
  uptimeSec: t.Integer(),
  version: t.String(),
  /** Epoch ms of the process's start. */
  startedAt: t.Integer(),
  supervisor: t.UnionEnum(['parent', 'systemd', 'docker', 'other', 'none']),
  /** Why it can't be restarted from here; null when it can. */
  noRestart: t.Nullable(t.String()),
  /** Whether this version is on trial after an update. */
  onTrial: t.Boolean(),
});

/** POST /admin/server/restart. */
export const restartView = t.Object({ restarting: t.Literal(true) });
