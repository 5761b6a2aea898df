import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { DatabaseError } from './migrate.ts';

/** The lock of a data folder; see `lockData`. */
export type DataLock = { release(): void };

/**
 * Takes a data folder for this process alone. The lock is one that SQLite holds on a file, which the operating system
 * releases however the process ends: no stale lock is left to be removed by hand.
 *
 * @param folder the data folder, which exists
 * @param waitMs how long to wait for a predecessor that is about to end
 * @throws DatabaseError when another process holds the folder
 */
export function lockData(folder: string, waitMs = 2000): DataLock {
  const client = new Database(join(folder, 'bellbird.lock'), { create: true });
  try {
    client.run(`PRAGMA busy_timeout = ${waitMs}`);
    client.run('BEGIN EXCLUSIVE');
  } catch (cause) {
    client.close();
    throw new DatabaseError(
      `Another Bellbird is already running with the data folder ${folder}. ` +
        'Stop it first, or set BELLBIRD_DATA to another folder.',
      { cause },
    );
  }
  return {
    release: () => {
      client.run('ROLLBACK');
      client.close();
    },
  };
}
