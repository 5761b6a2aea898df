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
import { object, extension } from '#lib/contract/objects.ts';

export const infoAnswer = object({
  pid: count,
  /** Name of the runtime, system and processor. */
  node: words,
  /** The branch of the build; null for a release, and if unknown. */
  branch: orNull(words),
  commit: words,
  uptimeSec: integer,
  version: extension(words),
  /** Epoch ms of the process's start. */
  startedAt: extension(integer),
  supervisor: extension(choice(['parent', 'systemd', 'docker', 'other', 'none'])),
  noRestart: extension(orNull(words)),
  onTrial: extension(or(boolean, false)),
});
export type ServerInfo = Known<typeof infoAnswer>;

export const restartAnswer = object({ restarting: done });
