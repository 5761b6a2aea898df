import { Database, SQLiteError } from 'bun:sqlite';
import { join } from 'node:path';
import { DatabaseError, toDatabaseError } from './migrate.ts';

/** A lock that this process holds; see `lockFile`. */
export type DataLock = { release(): void };

/**
 * Takes a lock that SQLite holds on a file, which the operating system releases however the process ends: no stale lock
 * is left to be removed by hand.
 *
 * @param path a file for the lock alone; made when it is missing
 * @param waitMs how long to wait for another process
 * @returns null when another process has it
 * @throws DatabaseError when the file can't be made or written
 */
export function lockFile(path: string, waitMs: number): DataLock | null {
  const client = new Database(path, { create: true });
  try {
    client.run(`PRAGMA busy_timeout = ${waitMs}`);
    // Without it the lock of an empty file begins with a journal on the disk, for which a full one has no room.
    client.run('PRAGMA journal_mode = MEMORY');
    client.run('BEGIN EXCLUSIVE');
  } catch (error) {
    client.close();
    if (error instanceof SQLiteError && error.code?.startsWith('SQLITE_BUSY')) return null;
    throw toDatabaseError(path, error);
  }
  return {
    release: () => {
      client.run('ROLLBACK');
      client.close();
    },
  };
}

/** The lock of a data folder: anyone who has it works with what is in there. */
export const dataLockPath = (folder: string): string => join(folder, 'bellbird.lock');

/**
 * Takes a data folder for this process alone.
 *
 * @param folder the data folder, which exists
 * @param waitMs how long to wait for a predecessor that is about to end
 * @throws DatabaseError when another process holds the folder
 */
export function lockData(folder: string, waitMs = 2000): DataLock {
  const lock = lockFile(dataLockPath(folder), waitMs);
  if (lock !== null) return lock;
  throw new DatabaseError(
    `Another Bellbird is already running with the data folder ${folder}. ` +
      'Stop it first, or set BELLBIRD_DATA to another folder.',
  );
}
