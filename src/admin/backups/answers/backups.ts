import {
  boolean,
  choice,
  integer,
  type Known,
  list,
  number,
  or,
  orNull,
  readBy,
  words,
} from '#lib/contract/fields.ts';
import { always, alwaysOrNull, object } from '#lib/contract/objects.ts';
import { readTime } from '#lib/read.ts';
import { BACKUP_KINDS } from '../rules/keptBackups.ts';

/** Whole epoch ms. */
const time = readBy(integer, readTime);
const kind = choice(BACKUP_KINDS);

const backup = object(
  {
    name: words,
    kind: or(kind, 'manual'),
    size: or(integer, 0),
    madeAt: time,
    checked: or(boolean, false),
  },
  ['name', 'madeAt'],
);
export type BackupRow = Known<typeof backup>;

export const backupsAnswer = object({
  backups: list(backup),
  /** The backup in progress; `progress` is from 0 to 1. */
  running: alwaysOrNull(
    object({
      kind,
      startedAt: time,
      progress: or(number, 0),
      step: or(choice(['writing', 'sending']), 'writing'),
    }),
  ),
  /** Why the last backup failed; null if it succeeded. */
  failure: orNull(object({ at: time, reason: words }, ['reason'])),
  disk: always(object({ free: orNull(integer), low: or(boolean, false) })),
  nextNightly: time,
  everyDays: or(integer, 1),
  /** The backup target; null if none is set. */
  target: orNull(
    object(
      {
        where: words,
        encrypted: or(boolean, false),
        /** Whether a backup stays on this machine after it arrived at the target. */
        keptLocally: or(boolean, true),
        kept: or(integer, 0),
        last: orNull(
          object(
            {
              name: words,
              size: or(integer, 0),
              sentAt: time,
              /** What failed after the last backup arrived; null if nothing did. */
              warning: orNull(words),
            },
            ['name'],
          ),
        ),
      },
      ['where'],
    ),
  ),
});
export type BackupsView = Known<typeof backupsAnswer>;
