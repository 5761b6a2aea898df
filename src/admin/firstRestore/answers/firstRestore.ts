import {
  boolean,
  choice,
  integer,
  list,
  number,
  or,
  orNull,
  readBy,
  text,
  words,
  type Known,
} from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';
import { readTime } from '#lib/read.ts';

const time = readBy(integer, readTime);

/**
 * `none`: no file yet. `arriving`: upload in progress. `arrived`: ready to be checked. `chosen`: becomes the database
 * at the restart.
 */
export const RESTORE_STATES = ['none', 'arriving', 'arrived', 'checking', 'ready', 'chosen'] as const;

export const firstRestoreAnswer = object({
  state: or(choice(RESTORE_STATES), 'none'),
  arrived: or(integer, 0),
  /** Progress of the check, 0 to 1. */
  progress: or(number, 0),
  failure: orNull(text),
  preview: orNull(
    object({
      madeAt: orNull(time),
      version: orNull(text),
      accounts: or(integer, 0),
      pending: or(integer, 0),
    }),
  ),
  /** Number of accounts that the backup replaces, and the names of the first 20. */
  accountsHere: or(integer, 0),
  namesHere: list(words),
  target: orNull(object({ where: words, hasPassphrase: or(boolean, false) }, ['where'])),
  /** Why the server cannot restart itself; null if it can. */
  noRestart: orNull(text),
});
export type FirstRestoreView = Known<typeof firstRestoreAnswer>;

export const targetBackupsAnswer = object({
  backups: list(
    object(
      {
        name: words,
        size: or(integer, 0),
        madeAt: time,
        encrypted: or(boolean, false),
        server: or(text, ''),
        /** True if the backup's date is after the server's clock; such backups are listed last. */
        ahead: or(boolean, false),
      },
      ['name', 'madeAt'],
    ),
  ),
});
export type TargetBackupsView = Known<typeof targetBackupsAnswer>;
