import { existsSync } from 'node:fs';
import { loadConfig } from '../config.ts';
import { closeDataFolder } from '../dataFolder.ts';
import { dataPaths, makeDataFolder } from '../dataPaths.ts';
import { type DataLock, lockData } from '../db/lock.ts';
import { type Db, openDb } from '../db/open.ts';
import type { Io } from './io.ts';

function tryLock(folder: string): DataLock | null {
  try {
    return lockData(folder, 0);
  } catch {
    // A running server holds it; the commands below write briefly and SQLite keeps the two apart.
    return null;
  }
}

/**
 * Opens the configured database for a piece of work, also beside a running server; a missing one is made.
 *
 * @throws ConfigError, StartError with a sentence to print
 */
export async function withDatabase<T>(io: Io, work: (db: Db) => Promise<T>): Promise<T> {
  const paths = dataPaths(loadConfig(io.env).config);
  makeDataFolder(paths.folder);
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
  } finally {
    lock?.release();
  }
}
