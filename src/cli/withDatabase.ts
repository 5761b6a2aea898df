import { SQLiteError } from 'bun:sqlite';
import { existsSync } from 'node:fs';
import { loadConfig } from '../config.ts';
import { closeDataFolder, refuseLostData } from '../dataFolder.ts';
import { type DataPaths, dataPaths, makeDataFolder } from '../dataPaths.ts';
import { damagedError, isDamaged } from '../platform/db/damage.ts';
import { type DataLock, lockData } from '../platform/db/lock.ts';
import { type Db, openDb } from '../platform/db/open.ts';
import { StartError } from '../lib/startError.ts';
import type { Io } from './io.ts';

function tryLock(folder: string): DataLock | null {
  try {
    return lockData(folder, 0);
  } catch {
    // A running server holds it; the commands below write briefly and SQLite keeps the two apart.
    return null;
  }
}

/** @throws StartError that says where was looked */
function needDatabase({ database, folder }: DataPaths): void {
  if (existsSync(database)) return;
  throw new StartError(
    `There is no database in ${folder}, so nothing was done. Set BELLBIRD_DATA to the data folder of your server.`,
  );
}

/**
 * Opens the configured database for a piece of work, also beside a running server.
 *
 * @param options.mayMake whether a missing one is made
 * @throws ConfigError, StartError with a sentence to print
 */
export async function withDatabase<T>(
  io: Io,
  work: (db: Db) => Promise<T>,
  { mayMake = false } = {},
): Promise<T> {
  const paths = dataPaths(loadConfig(io.env).config);
  if (!mayMake) needDatabase(paths);
  makeDataFolder(paths.folder);
  refuseLostData(paths);
  const lock = tryLock(paths.folder);
  try {
    const options = { path: paths.database, copyFolder: paths.backups, now: io.wall.now() };
    const { db } = openDb({ ...options, mayMigrate: lock !== null || !existsSync(paths.database) });
    try {
      closeDataFolder(paths);
      return await work(db);
    } finally {
      db.$client.close();
    }
  } catch (error) {
    throw error instanceof SQLiteError && isDamaged(error)
      ? damagedError(paths.database, error.message, error)
      : error;
  } finally {
    lock?.release();
  }
}
