import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from './config.ts';
import { lockData } from './db/lock.ts';
import { type Db, openDb } from './db/open.ts';
import type { Clock } from './lib/clock.ts';
import type { Log } from './lib/log.ts';
import { randomToken } from './lib/ids.ts';
import { StartError } from './lib/startError.ts';
import type { Undo } from './lib/undo.ts';

/** Where everything lies that this installation keeps. */
export function dataPaths(config: Pick<Config, 'dataDir'>) {
  const folder = resolve(config.dataDir);
  return {
    folder,
    database: join(folder, 'bellbird.db'),
    backups: join(folder, 'backups'),
    logs: join(folder, 'logs'),
    /** The operator's own files, served under /local. */
    public: join(folder, 'public'),
    jwtSecret: join(folder, 'jwt-secret'),
  };
}

/**
 * Makes the data folder when it is missing; only the owner may look into it.
 *
 * @throws StartError when it can't be made
 */
export function makeDataFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `The data folder ${folder} can't be made (${reason}). Set BELLBIRD_DATA to another folder.`;
    throw new StartError(message, { cause });
  }
}

/**
 * The secret that signs tokens, where the configuration names none: made once and kept in the data folder, where only
 * the owner reads it.
 *
 * @throws StartError when the file is damaged
 */
function keptJwtSecret(path: string): string {
  try {
    writeFileSync(path, randomToken() + randomToken(), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
  }
  const secret = readFileSync(path, 'utf8').trim();
  if (secret.length < 32)
    throw new StartError(`The file ${path} is damaged. Remove it; everybody logs in again then.`);
  return secret;
}

/** The data folder in use by this process. */
export type OpenData = { paths: ReturnType<typeof dataPaths>; db: Db; jwtSecret: string };

/**
 * Opens the data folder for this process alone: the lock, the database at this program's schema, and the secret.
 *
 * @param undo told how to let go of what was opened
 * @throws StartError with a sentence when it can't be had
 */
export function openData(config: Config, parts: { clock: Clock; log: Log }, undo: Undo): OpenData {
  const paths = dataPaths(config);
  makeDataFolder(paths.folder);
  const lock = lockData(paths.folder);
  undo.add('lock', () => lock.release());
  const path = paths.database;
  const isNew = !existsSync(path);
  const { db, copy } = openDb({ path, copyFolder: paths.backups, now: parts.clock.now() });
  undo.add('database', () => db.$client.close());
  if (isNew) parts.log.info('A new database was made', { path });
  if (copy !== null) parts.log.info('The database was brought to this version; a copy was kept', { copy });
  return { paths, db, jwtSecret: config.jwtSecret ?? keptJwtSecret(paths.jwtSecret) };
}
