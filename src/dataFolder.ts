import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config/config.ts';
import { type DataPaths, dataPaths, makeDataFolder } from './config/dataPaths.ts';
import { damageIn } from './platform/db/damage.ts';
import { lockData } from './platform/db/lock.ts';
import { type Db, isBlank, openDb, type OpenOptions } from './platform/db/open.ts';
import { rescueDatabase } from './platform/db/rescue.ts';
import { dropStaged, applyChosen } from './platform/db/restore.ts';
import { wordsOfAnnouncement } from './subjects/announcements/rules/searchWords.ts';
import type { Clock } from './lib/clock.ts';
import { freeBytes, isOpen, keepPrivate, type RightsReport, withFiles, writeDurably } from './lib/files.ts';
import { randomToken } from './lib/secrets.ts';
import type { Log } from './lib/log.ts';
import { StartError } from './lib/errors.ts';
import type { Undo } from './lib/undo.ts';

/**
 * The secret that signs tokens, if the configuration has none. It is created once, by the process that holds the
 * folder's lock, in a file that only the owner can read.
 *
 * @throws StartError if the file is damaged
 */
function keptJwtSecret(path: string): string {
  if (!existsSync(path)) writeDurably(path, randomToken() + randomToken(), 0o600);
  const secret = readFileSync(path, 'utf8').trim();
  if (secret.length < 32)
    throw new StartError(`The file ${path} is damaged. Remove it; all users must then log in again.`);
  return secret;
}

/**
 * Files of Bellbird in a data folder. `EXPECTED` adds its folders, also `tape` of 0.1.0, and files that a file system
 * creates.
 */
const OWN_FILE = /^(?:bellbird\.|jwt-secret|played-recording$)/;
const EXPECTED =
  /^(?:bellbird\.|jwt-secret|played-recording$|logs$|backups$|recordings$|sessions$|tape$|answers$|update$|public$|lost\+found$|\.)/;

/**
 * Removes the rights of other users from the data folder, the database, its copies, the secret and the logs. The
 * `public` folder is not changed, because it belongs to the operator. A data folder that contains other files is not
 * changed either, because other users may need to read it.
 *
 * @returns the files that were open to others; a shared data folder counts as failed
 */
export function closeDataFolder(paths: DataPaths): RightsReport {
  const names = readdirSync(paths.folder);
  const own = names.filter((name) => OWN_FILE.test(name)).map((name) => join(paths.folder, name));
  const isShared = names.some((name) => !EXPECTED.test(name));
  const report = keepPrivate([
    ...(isShared ? [] : [paths.folder]),
    ...own,
    ...withFiles(paths.logs),
    ...withFiles(paths.backups),
    ...withFiles(paths.recordings),
    ...withFiles(paths.sessions),
    ...withFiles(paths.answers),
  ]);
  if (isShared && isOpen(paths.folder)) report.failed.push(paths.folder);
  return report;
}

/** Closes the data folder and logs which files were open. */
function closeAndReport(paths: DataPaths, log: Log): void {
  const { mended, failed } = closeDataFolder(paths);
  if (mended.length > 0) log.warn('Other users could read these files; now only their owner can', { mended });
  if (failed.length > 0)
    log.warn('Other users can read these files; give the data its own folder', { failed });
}

const BACKUP = /\.db$/;

/** A file that proves that a database with accounts existed here; null for none. */
function traceOfData({ jwtSecret, backups }: DataPaths): string | null {
  if (existsSync(jwtSecret)) return jwtSecret;
  const kept = existsSync(backups) ? readdirSync(backups).filter((name) => BACKUP.test(name)) : [];
  const newest = kept.sort().at(-1);
  return newest === undefined ? null : join(backups, newest);
}

/**
 * Refuses to start with an empty database if there was one before: the first visitor would become its administrator.
 *
 * @throws StartError with a sentence
 */
export function refuseLostData(paths: DataPaths): void {
  if (!isBlank(paths.database)) return;
  const trace = traceOfData(paths);
  if (trace === null) return;
  throw new StartError(
    `The database ${paths.database} is missing or empty, but ${trace} exists, so Bellbird does not create a new one. ` +
      `Restore a backup with "bellbird restore FILE". To start with an empty database, move the files in ${paths.folder} elsewhere.`,
  );
}

/** Below this the database cannot be shared between processes: the shared-memory file needs 32 KB. */
const MIN_ROOM = 256 * 1024;

/** Opens the database. On a full disk only this process can use it, so that existing data can still be served. */
function openWithRoomOrAlone(options: OpenOptions, folder: string, log: Log): ReturnType<typeof openDb> {
  try {
    return openDb(options);
  } catch (error) {
    const free = freeBytes(folder);
    if (free === null || free >= MIN_ROOM || !existsSync(options.path)) throw error;
    const opened = openDb({ ...options, isAlone: true });
    log.warn(
      'The disk of the data folder is full: the server shows existing data and refuses changes. ' +
        'Free some space, then restart; until then there are no backups, and no other command can use the database',
      { free },
    );
    return opened;
  }
}

/**
 * Repairs a damaged database. The damaged file is kept next to it.
 *
 * @throws DatabaseError with a sentence if it cannot be repaired
 */
export function mendData(config: Config, { clock, log }: { clock: Clock; log: Log }): void {
  const paths = dataPaths(config);
  const lock = lockData(paths.folder);
  try {
    const { dropped, kept } = rescueDatabase(paths.database, {
      now: clock.now(),
      wordsOf: wordsOfAnnouncement,
    });
    log.warn(
      'Repaired the damaged database: user data is complete, and unreadable market data was ' +
        'dropped because it is loaded again. Check the disk or SD card, and remove the damaged file later',
      { dropped, kept },
    );
  } finally {
    lock.release();
  }
}

/**
 * Finds and repairs damage in tables that the start does not read. Tables that can't be repaired are named in the log, and
 * the others stay in use.
 */
export function mendHidden(config: Config, parts: { clock: Clock; log: Log }): void {
  const { database } = dataPaths(config);
  const damage = damageIn(database);
  if (damage === null) return;
  try {
    mendData(config, parts);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    parts.log.error('The database is damaged; users will not see data that cannot be read', {
      damage,
      reason: error.message,
    });
  }
}

/** The data folder in use by this process. */
export type OpenData = { paths: DataPaths; db: Db; jwtSecret: string };

/**
 * Opens the data folder for this process only: takes the lock, opens and migrates the database, and reads the secret.
 *
 * @param undo receives the steps that close what was opened
 * @throws StartError with a sentence if that is not possible
 */
export function openData(config: Config, parts: { clock: Clock; log: Log }, undo: Undo): OpenData {
  const paths = dataPaths(config);
  makeDataFolder(paths.folder);
  const lock = lockData(paths.folder);
  undo.add('lock', () => lock.release());
  const path = paths.database;
  dropStaged(path);
  const chosen = applyChosen(path, parts.clock.now());
  if (chosen?.isApplied) {
    parts.log.info('Restored the backup that was chosen on the first page', { path });
    if (chosen.names.length > 0)
      parts.log.warn(
        'The restored database lacks accounts that registered before the restore; they are in the old database',
        {
          accounts: chosen.names,
          path: chosen.kept,
        },
      );
  } else if (chosen)
    parts.log.warn('Did not restore the backup chosen on the first page, because an administrator exists', {
      accounts: chosen.names,
    });
  refuseLostData(paths);
  const isNew = !existsSync(path);
  const options = { path, copyFolder: paths.backups, now: parts.clock.now() };
  const { db, copy } = openWithRoomOrAlone(options, paths.folder, parts.log);
  undo.add('database', () => db.$client.close());
  if (isNew) parts.log.info('Created a new database', { path });
  if (copy !== null) parts.log.info('Migrated the database; a copy of the old one was kept', { copy });
  const jwtSecret = config.jwtSecret ?? keptJwtSecret(paths.jwtSecret);
  // The scanner history of 0.1.0; it is now read from the session history.
  rmSync(join(paths.folder, 'tape'), { recursive: true, force: true });
  // After all files exist, because SQLite gives its side files the rights of the database.
  closeAndReport(paths, parts.log);
  return { paths, db, jwtSecret };
}
