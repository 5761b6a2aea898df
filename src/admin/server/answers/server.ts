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

export const infoAnswer = object({
  pid: count,
  /** Runtime, system and processor. */
  node: words,
  /** The branch of the build; null in a release, and if unknown. */
  branch: orNull(words),
  commit: words,
  uptimeSec: integer,
  version: ours(words),
  /** Epoch ms of the process's start. */
  startedAt: ours(integer),
  supervisor: ours(choice(['parent', 'systemd', 'docker', 'other', 'none'])),
  noRestart: ours(orNull(words)),
  onTrial: ours(or(boolean, false)),
});
export type ServerInfo = Known<typeof infoAnswer>;

export const restartAnswer = object({ restarting: done });
