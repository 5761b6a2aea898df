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
    /** Bytes. */
    size: or(integer, 0),
    madeAt: time,
    /** It was read again, whole, after it was written. */
    checked: or(boolean, false),
  },
  ['name', 'madeAt'],
);
export type BackupRow = Known<typeof backup>;

/** `GET /api/admin/backups`. */
export const backupsAnswer = object({
  backups: list(backup),
  /** The one that is being made, and from 0 to 1 how far it is. */
  running: alwaysOrNull(
    object({
      kind,
      startedAt: time,
      progress: or(number, 0),
      step: or(choice(['writing', 'sending']), 'writing'),
    }),
  ),
  /** Why the last one failed; null once one was made. */
  failure: orNull(object({ at: time, reason: words }, ['reason'])),
  /** Bytes. */
  disk: always(object({ free: orNull(integer), low: or(boolean, false) })),
  nextNightly: time,
  /** So many nights are between two of the nightly ones. */
  everyDays: or(integer, 1),
  /** Where backups go besides; null where nowhere. */
  target: orNull(
    object(
      {
        where: words,
        encrypted: or(boolean, false),
        /** Whether what is there stays on the machine too. */
        keptLocally: or(boolean, true),
        /** How many stay there. */
        kept: or(integer, 0),
        /** The one that arrived last. */
        last: orNull(
          object(
            {
              name: words,
              size: or(integer, 0),
              sentAt: time,
              /** What failed after it had arrived; null if nothing did. */
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
