import { Database, SQLiteError } from 'bun:sqlite';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseError, toDatabaseError } from './migrate.ts';

export type DataLock = { release(): void };

/** SQLite's errors on a file system that can't lock, in addition to "busy". */
const NO_LOCKS = /^SQLITE_(?:IOERR_\w{0,20}LOCK|PERM|NOLFS)$/;

const isBusy = (error: unknown): boolean =>
  error instanceof SQLiteError && error.code?.startsWith('SQLITE_BUSY') === true;

const refusesLocks = (path: string, cause: unknown): DatabaseError =>
  new DatabaseError(
    `The file system of ${dirname(path)} does not support file locks, like some network shares. ` +
      'Put the data folder on a local disk (BELLBIRD_DATA).',
    { cause },
  );

/** Whether a new file can't be locked either. SQLite also reports a refused lock as "busy". */
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
  // Otherwise the lock of an empty file writes a journal, which fails on a full disk.
  client.run('PRAGMA journal_mode = MEMORY');
  client.run('BEGIN EXCLUSIVE');
}

/**
 * Takes a lock that SQLite holds on a file. The operating system releases it when the process ends, so no stale
 * lock remains.
 * @param path a file only for the lock, made if it is missing
 * @param waitMs how long to wait for another process
 * @returns null if another process has the lock
 * @throws DatabaseError if the file can't be written, or the file system does not lock files
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

export const dataLockPath = (folder: string): string => join(folder, 'bellbird.lock');

/**
 * Takes a data folder for this process.
 * @param waitMs how long to wait for a predecessor that is about to end
 * @throws DatabaseError if another process has the folder
 */
export function lockData(folder: string, waitMs = 2000): DataLock {
  const lock = lockFile(dataLockPath(folder), waitMs);
  if (lock !== null) return lock;
  throw new DatabaseError(
    `Another Bellbird is already running with the data folder ${folder}. ` +
      'Stop it first, or set BELLBIRD_DATA to another folder.',
  );
}
