import { Database, SQLiteError } from 'bun:sqlite';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isRecord, parseJson } from '#lib/json.ts';
import { syncFile, syncFolder } from '#lib/files.ts';
import { lockFile } from './lock.ts';
import { DatabaseError, toDatabaseError } from './migrate.ts';
import { WRITE_FACT } from './facts.ts';

const SPARE_BYTES = 20_000_000;

export const partialOf = (target: string): string => `${target}.partial`;
const PARTIAL = /^(?:nightly|manual)-.{1,100}\.partial$/;

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** The size of a database with its write-ahead log, bytes. */
export const databaseBytes = (path: string): number => sizeOf(path) + sizeOf(`${path}-wal`);

/** @throws DatabaseError if a folder has no room for this many bytes */
export function needRoom(folder: string, bytes: number, what: string): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize >= bytes + SPARE_BYTES) return;
  throw new DatabaseError(
    `There is not enough space in ${folder} for ${what}. Free some space and try again.`,
  );
}

/** @throws DatabaseError if the database is damaged */
export function checkIntegrity(client: Database, path: string): void {
  const found = client.query<{ integrity_check: string }, []>('PRAGMA integrity_check(1)').get();
  if (found?.integrity_check !== 'ok')
    throw new DatabaseError(`The file ${path} is damaged (${found?.integrity_check ?? 'no answer'}).`);
}

function toBackupError(from: string, target: string, error: unknown): unknown {
  if (!(error instanceof SQLiteError)) return error;
  if (error.code === 'SQLITE_FULL')
    return new DatabaseError(
      `There is not enough space in ${dirname(target)} for a backup. Free some space and try again.`,
      { cause: error },
    );
  if (error.code?.startsWith('SQLITE_CORRUPT') || error.code === 'SQLITE_NOTADB')
    return new DatabaseError(
      `The database ${from} is damaged (${error.message}), so no backup can be made of it. Restore an earlier one.`,
      { cause: error },
    );
  return toDatabaseError(from, error);
}

/** When a backup was made, epoch ms, and by which version. */
export type Made = { at: number; version: string };

const MADE_KEY = 'backup_made';

const hasFacts = (client: Database): boolean =>
  client.query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'facts'").get() !== null;

export function readMade(client: Database): Made | null {
  if (!hasFacts(client)) return null;
  const row = client
    .query<{ value: string }, [string]>('SELECT value FROM facts WHERE key = ?1')
    .get(MADE_KEY);
  const parsed = parseJson(row?.value ?? '');
  if (!parsed.ok || !isRecord(parsed.value)) return null;
  const { at, version } = parsed.value;
  return typeof at === 'number' && typeof version === 'string' ? { at, version } : null;
}

function noteMade(client: Database, made: Made): void {
  if (!hasFacts(client)) return;
  client.query(WRITE_FACT).run(MADE_KEY, JSON.stringify(made));
}

function copyTo(from: string, partial: string, made: Made | null): void {
  const source = new Database(from, { readwrite: true, create: false, strict: true });
  try {
    source.run('PRAGMA busy_timeout = 5000');
    source.query('VACUUM INTO ?1').run(partial);
  } finally {
    source.close();
  }
  const copy = new Database(partial, { readwrite: true, create: false, strict: true });
  try {
    if (made) noteMade(copy, made);
    checkIntegrity(copy, partial);
  } finally {
    copy.close();
  }
}

function needDatabase(path: string): void {
  if (!existsSync(path)) throw new DatabaseError(`The database ${path} does not exist yet.`);
}

/**
 * Writes a backup of a database into a file, also while a server runs. The file gets its name when it is complete,
 * verified and on the disk. An interrupted run leaves a `.partial` file. It blocks for as long as the disk takes,
 * so run it in a process of its own.
 * @throws DatabaseError (a sentence) if the file exists, there is no database or no room, or something is damaged
 */
export function writeBackup(from: string, target: string, made: Made | null = null): number {
  if (existsSync(target))
    throw new DatabaseError(`The file ${target} already exists. Choose another name, or move it first.`);
  needDatabase(from);
  const partial = partialOf(target);
  try {
    mkdirSync(dirname(target), { recursive: true });
    needRoom(dirname(target), databaseBytes(from), 'a backup');
    rmSync(partial, { force: true });
    copyTo(from, partial, made);
    syncFile(partial);
    renameSync(partial, target);
    syncFolder(dirname(target));
    return sizeOf(target);
  } catch (error) {
    rmSync(partial, { force: true });
    throw toBackupError(from, target, error);
  }
}

/**
 * Writes a backup into the folder of the backups, one at a time over all processes. Removes the leftovers of
 * a killed process.
 * @param name as `backupName` makes it
 * @param made the origin stored in the backup; null for none
 */
export function writeBackupInto(
  from: string,
  folder: string,
  name: string,
  made: Made | null = null,
): number {
  needDatabase(from);
  mkdirSync(folder, { recursive: true });
  const lock = lockFile(join(folder, 'backup.lock'), 0);
  if (lock === null) throw new DatabaseError('Another backup is being made. Try again when it is done.');
  try {
    for (const left of readdirSync(folder)) if (PARTIAL.test(left)) rmSync(join(folder, left));
    return writeBackup(from, join(folder, name), made);
  } finally {
    lock.release();
  }
}
