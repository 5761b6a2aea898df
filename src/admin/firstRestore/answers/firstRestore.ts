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

/** `none` waits for a file, `arriving` for more of it, `arrived` to be looked at; `chosen` becomes the database with the restart. */
export const RESTORE_STATES = ['none', 'arriving', 'arrived', 'checking', 'ready', 'chosen'] as const;

/** `GET /api/setup/restore`. */
export const firstRestoreAnswer = object({
  state: or(choice(RESTORE_STATES), 'none'),
  /** Bytes of the file that have come. */
  arrived: or(integer, 0),
  /** From 0 to 1, while it is checked. */
  progress: or(number, 0),
  /** Why the last try ended; null where none did. */
  failure: orNull(text),
  preview: orNull(
    object({
      madeAt: orNull(time),
      version: orNull(text),
      accounts: or(integer, 0),
      /** Migrations that it lacks. */
      pending: or(integer, 0),
    }),
  ),
  /** Accounts on this server, which the backup replaces, and the names of the first 20. */
  accountsHere: or(integer, 0),
  namesHere: list(words),
  /** The backup target of the settings; null where none is set. */
  target: orNull(object({ where: words, hasPassphrase: or(boolean, false) }, ['where'])),
  /** Why the server does not restart by itself; null where it does. */
  noRestart: orNull(text),
});
export type FirstRestoreView = Known<typeof firstRestoreAnswer>;

/** `GET /api/setup/restore/target`. */
export const targetBackupsAnswer = object({
  backups: list(
    object(
      {
        name: words,
        size: or(integer, 0),
        madeAt: time,
        encrypted: or(boolean, false),
        /** Names the server that made it. */
        server: or(text, ''),
        /** Dated after the server's clock, and listed last. */
        ahead: or(boolean, false),
      },
      ['name', 'madeAt'],
    ),
  ),
});
export type TargetBackupsView = Known<typeof targetBackupsAnswer>;
