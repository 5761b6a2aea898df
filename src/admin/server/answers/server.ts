import {
  boolean,
  choice,
  count,
  done,
  integer,
  type Known,
  or,
  orNull,
  words,
} from '#lib/contract/fields.ts';
import { object, ours } from '#lib/contract/objects.ts';

/** `GET /api/admin/server/info`: the running server as the panel shows it. */
export const infoAnswer = object({
  pid: count,
  /** What the program runs on: runtime, system and processor. */
  node: words,
  /** That the program was built from; null in a released file, and where it is not known. */
  branch: orNull(words),
  commit: words,
  uptimeSec: integer,
  version: ours(words),
  /** Epoch ms of the process's start. */
  startedAt: ours(integer),
  supervisor: ours(choice(['parent', 'systemd', 'docker', 'other', 'none'])),
  /** Why it can't be restarted from here; null when it can. */
  noRestart: ours(orNull(words)),
  /** Whether this version is on trial after an update. */
  onTrial: ours(or(boolean, false)),
});
export type ServerInfo = Known<typeof infoAnswer>;

/** `POST /api/admin/server/restart`. */
export const restartAnswer = object({ restarting: done });
