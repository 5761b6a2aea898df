import { Database, SQLiteError } from 'bun:sqlite';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseError, toDatabaseError } from './migrate.ts';

/** A lock that this process holds; see `lockFile`. */
export type DataLock = { release(): void };

/** SQLite's errors on a file system that can't lock, in addition to "busy". */
const NO_LOCKS = /^SQLITE_(?:IOERR_\w{0,20}LOCK|PERM|NOLFS)$/;

const isBusy = (error: unknown): boolean =>
  error instanceof SQLiteError && error.code?.startsWith('SQLITE_BUSY') === true;

const refusesLocks = (path: string, cause: unknown): DatabaseError =>
  new DatabaseError(
    `The file system of ${dirname(path)} refuses to lock files, as some network shares do. ` +
      'Put the data folder on a local disk (BELLBIRD_DATA).',
    { cause },
  );

/** Whether a new file of this process can't be locked either: SQLite reports a refused lock as "busy" too. */
function isRefusedAnywhere(path: string): boolean {
  const trial = `${path}.${process.pid}`;
  let client: Database | undefined;
  try {
    client = new Database(trial, { create: true });
    begin(client, 0);
    client.run('ROLLBACK');
    return false;
  } catch (error) {
    return isBusy(error);
  } finally {
    client?.close();
    rmSync(trial, { force: true });
  }
}

function begin(client: Database, waitMs: number): void {
  client.run(`PRAGMA busy_timeout = ${waitMs}`);
  // Without it the lock of an empty file begins with a journal on the disk, for which a full one has no room.
  client.run('PRAGMA journal_mode = MEMORY');
  client.run('BEGIN EXCLUSIVE');
}

/**
 * Takes a lock that SQLite holds on a file, which the operating system releases however the process ends: no stale lock
 * is left to be removed by hand.
 *
 * @param path a file for the lock alone; made when it is missing
 * @param waitMs how long to wait for another process
 * @returns null when another process has it
 * @throws DatabaseError when the file can't be made or written, or the file system locks no files
 */
export function lockFile(path: string, waitMs: number): DataLock | null {
  const client = new Database(path, { create: true });
  try {
    begin(client, waitMs);
  } catch (error) {
    client.close();
    const isRefused = error instanceof SQLiteError && NO_LOCKS.test(error.code ?? '');
    if (isRefused || (isBusy(error) && isRefusedAnywhere(path))) throw refusesLocks(path, error);
    if (isBusy(error)) return null;
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
