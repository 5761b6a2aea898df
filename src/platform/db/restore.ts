import { Database, SQLiteError } from 'bun:sqlite';
import { copyFileSync, existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncFile, syncFolder } from '#lib/files.ts';
import { fileStamp } from '#lib/wording.ts';
import { checkIntegrity, databaseBytes, needRoom, readMade } from './backup.ts';
import { DatabaseError, migrate, migrationState } from './migrate.ts';
import { MIGRATIONS } from './migrations.ts';

type Entry = { type: string; name: string; sql: string | null };

/** Earlier versions let drizzle create this table, with other spaces and quotes in its SQL. */
const APPLIED = '__drizzle_migrations';

function schemaOf(client: Database): Map<string, string | null> {
  const entries = client.query<Entry, []>('SELECT type, name, sql FROM sqlite_schema').all();
  return new Map(
    entries
      .filter(({ name }) => !/^sqlite_stat\d$/.test(name))
      .map(({ type, name, sql }) => [
        `${type} ${name}`,
        name === APPLIED ? (sql?.replaceAll(/[\s"`]/g, '') ?? null) : sql,
      ]),
  );
}

function expectedSchema(pending: ReadonlySet<unknown>): Map<string, string | null> {
  const client = new Database(':memory:', { strict: true });
  try {
    const applied = MIGRATIONS.filter((migration) => !pending.has(migration));
    migrate(client, applied);
    return schemaOf(client);
  } finally {
    client.close();
  }
}

/**
 * Compares the schema of a file with the result of its migrations. SQLite runs code in a schema: a trigger in
 * a forged file could make the next registration an administrator.
 * @returns how many migrations the file lacks
 * @throws DatabaseError if it is not a Bellbird database, or its schema was changed
 */
function checkSchema(client: Database, file: string): number {
  const { applied, pending } = migrationState(client);
  if (applied === 0) throw new DatabaseError(`The file ${file} is a database, but not one of Bellbird.`);
  const expected = expectedSchema(new Set(pending));
  const found = schemaOf(client);
  const odd =
    [...found].find(([entry, sql]) => expected.get(entry) !== sql)?.[0] ??
    [...expected.keys()].find((entry) => !found.has(entry));
  if (odd === undefined) return pending.length;
  throw new DatabaseError(
    `The file ${file} is not a Bellbird backup: its ${odd} was added, changed or removed. Restore another one.`,
  );
}

/** Files next to a database: its write-ahead log, the index of the log, and the undo journal. */
const SIDE_FILES = ['-wal', '-shm', '-journal'] as const;
/** A copied database may need these. SQLite makes the index again. */
const CARRIED = ['-wal', '-journal'] as const;

export const stagedPath = (database: string): string => `${database}.restoring`;

export const preparedPath = (database: string): string => `${database}.prepared`;
/** The chosen backup, which the next start makes the database. */
const chosenPath = (database: string): string => `${database}.next`;
/** A received file as it arrived, and decrypted. */
export const arrivingPath = (database: string): string => `${database}.arriving`;
export const fetchedPath = (database: string): string => `${database}.fetched`;

/** Removes the files of an interrupted restore. The caller holds the data folder. */
export function dropStaged(database: string): void {
  for (const path of [preparedPath, arrivingPath, fetchedPath]) rmSync(path(database), { force: true });
  dropInspected(database);
}

function dropInspected(database: string): void {
  for (const suffix of ['', ...SIDE_FILES]) rmSync(`${stagedPath(database)}${suffix}`, { force: true });
}

function restoreError(file: string, error: unknown): unknown {
  if (!(error instanceof SQLiteError)) return error;
  const { code, message } = error;
  if (code === 'SQLITE_NOTADB') return new DatabaseError(`The file ${file} is not a database.`);
  if (code?.startsWith('SQLITE_CORRUPT') || code?.startsWith('SQLITE_IOERR'))
    return new DatabaseError(`The file ${file} is damaged or cut short (${message}). Restore another one.`);
  if (code === 'SQLITE_FULL')
    return new DatabaseError(
      'There is not enough disk space for the restored database. Free some space and try again.',
    );
  return new DatabaseError(`The file ${file} cannot be restored (${message}).`, { cause: error });
}

const hasTable = (client: Database, name: string): boolean =>
  client.query('SELECT 1 FROM sqlite_master WHERE type = ?1 AND name = ?2').get('table', name) !== null;

const hasColumn = (client: Database, table: string, column: string): boolean =>
  client.query('SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2').get(table, column) !== null;

/**
 * Ends all sessions, because some may have ended since the backup. Marks waiting messages as possible repeats,
 * because most were sent since.
 */
function forgetPassing(client: Database, now: number): void {
  client.transaction(() => {
    if (hasTable(client, 'sessions') && hasColumn(client, 'sessions', 'revoked_at'))
      client.query('UPDATE sessions SET revoked_at = ?1 WHERE revoked_at IS NULL').run(now);
    if (hasTable(client, 'outbox') && hasColumn(client, 'outbox', 'uncertain_since'))
      client.run(
        "UPDATE outbox SET uncertain_since = coalesce(uncertain_since, created_at) WHERE status IN ('waiting', 'sending')",
      );
  })();
}

/** Settings for a file that may be forged: its schema calls no functions, and damaged cells are found. */
function distrust(client: Database): void {
  client.run('PRAGMA trusted_schema = OFF');
  client.run('PRAGMA cell_size_check = ON');
}

/** Copies the file next to the database, reads all of it and prepares it. @returns how many migrations it lacks */
function stage(file: string, database: string, now: number, isMoved = false): number {
  const staged = stagedPath(database);
  if (isMoved) renameSync(file, staged);
  else copyFileSync(file, staged);
  for (const suffix of CARRIED)
    if (existsSync(`${file}${suffix}`)) copyFileSync(`${file}${suffix}`, `${staged}${suffix}`);
  if (statSync(staged).size === 0) throw new DatabaseError(`The file ${file} is empty.`);
  const client = new Database(staged, { readwrite: true, create: false, strict: true });
  try {
    distrust(client);
    checkIntegrity(client, file);
    const pending = checkSchema(client, file);
    forgetPassing(client, now);
    client.query('PRAGMA journal_mode = DELETE').get();
    return pending;
  } finally {
    client.close();
  }
}

/**
 * Merges the write-ahead log of the old database into it.
 * @returns false if the log can't be read. It is then kept next to the database
 * @throws DatabaseError if another program reads the database
 */
function foldOld(database: string): boolean {
  let client: Database | undefined;
  try {
    client = new Database(database, { readwrite: true, create: false, strict: true });
    client.run('PRAGMA busy_timeout = 2000');
    const folded = client.query<{ busy: number }, []>('PRAGMA wal_checkpoint(TRUNCATE)').get();
    if (folded?.busy === 1)
      throw new DatabaseError(
        'Another program is reading the database. Try again when it is done; nothing was changed.',
      );
  } catch (error) {
    if (!(error instanceof SQLiteError)) throw error;
    return false;
  } finally {
    client?.close();
  }
  return true;
}

function keepAs(path: string, kept: string): void {
  try {
    linkSync(path, kept);
  } catch {
    copyFileSync(path, kept);
    syncFile(kept);
  }
}

/** Keeps the old database under another name. @returns the name; null if there was none */
function keepOld(database: string, now: number): string | null {
  if (!existsSync(database)) return null;
  const kept = `${database}.replaced-${fileStamp(now)}`;
  if (existsSync(kept)) throw new DatabaseError(`The file ${kept} already exists. Try again.`);
  // The log goes first, because opening a damaged database may remove it.
  if (existsSync(`${database}-wal`)) keepAs(`${database}-wal`, `${kept}-wal`);
  try {
    if (foldOld(database)) rmSync(`${kept}-wal`, { force: true });
  } catch (error) {
    rmSync(`${kept}-wal`, { force: true });
    throw error;
  }
  keepAs(database, kept);
  syncFolder(dirname(database));
  return kept;
}

/** Makes the staged file the database by one rename. @returns the previous database's path, or null */
export function putInPlace(database: string, now: number, from = stagedPath(database)): string | null {
  const kept = keepOld(database, now);
  // SQLite would apply a log of another file to the new one.
  for (const suffix of SIDE_FILES) rmSync(`${database}${suffix}`, { force: true });
  syncFolder(dirname(database));
  renameSync(from, database);
  syncFolder(dirname(database));
  return kept;
}

export type Restored = {
  kept: string | null;
  pending: number;
};

/**
 * Replaces the database by a backup. A kill at any moment leaves either the old or the new one, because the change
 * is one rename. The caller holds the data folder.
 * @param file a backup or a copy of a Bellbird database with its side files; it stays unchanged
 * @param now epoch ms, for the name of the old database
 * @throws DatabaseError (a sentence) if the file can't be restored; the database stays unchanged
 */
export function restoreBackup(file: string, database: string, now: number): Restored {
  const info = statSync(file, { throwIfNoEntry: false });
  if (!info?.isFile()) throw new DatabaseError(`The file ${file} does not exist.`);
  const current = statSync(database, { throwIfNoEntry: false });
  if (current?.ino === info.ino && current.dev === info.dev)
    throw new DatabaseError(`The file ${file} is the database itself.`);
  dropInspected(database);
  try {
    needRoom(dirname(database), databaseBytes(file), 'the restored database');
    const pending = stage(file, database, now);
    syncFile(stagedPath(database));
    return { kept: putInPlace(database, now), pending };
  } catch (error) {
    dropInspected(database);
    throw restoreError(file, error);
  }
}

export type RestorePreview = {
  /** When it was made, epoch ms, and by which version; null in backups of earlier versions. */
  madeAt: number | null;
  version: string | null;
  accounts: number;
  pending: number;
};

function previewOf(path: string, pending: number): RestorePreview {
  const client = new Database(path, { readonly: true, strict: true });
  try {
    const made = readMade(client);
    const accounts = hasTable(client, 'users')
      ? client.query<{ count: number }, []>('SELECT count(*) AS count FROM users').get()?.count
      : 0;
    return { madeAt: made?.at ?? null, version: made?.version ?? null, accounts: accounts ?? 0, pending };
  } finally {
    client.close();
  }
}

/**
 * Checks a backup completely and keeps it until it is chosen. The database stays unchanged.
 * @param file is moved
 * @throws DatabaseError (a sentence) if it can't be restored
 */
export function prepareRestore(file: string, database: string, now: number): RestorePreview {
  try {
    rmSync(preparedPath(database), { force: true });
    const pending = stage(file, database, now, true);
    const preview = previewOf(stagedPath(database), pending);
    syncFile(stagedPath(database));
    renameSync(stagedPath(database), preparedPath(database));
    syncFolder(dirname(database));
    return preview;
  } catch (error) {
    rmSync(file, { force: true });
    dropInspected(database);
    throw restoreError('that was given', error);
  }
}

/** Chooses the prepared backup by one rename. The next start makes it the database. */
export function choosePrepared(database: string): void {
  renameSync(preparedPath(database), chosenPath(database));
  syncFolder(dirname(database));
}

type AccountsThere = { hasAdministrator: boolean; names: string[] };

const MAX_NAMED = 20;

/** The accounts in a database; null if unreadable. Accounts without a password have a mark that begins with `!`. */
function accountsIn(database: string): AccountsThere | null {
  if (!existsSync(database)) return { hasAdministrator: false, names: [] };
  const client = new Database(database, { readwrite: true, create: false, strict: true });
  try {
    if (!hasTable(client, 'users')) return { hasAdministrator: false, names: [] };
    const administrator = "SELECT 1 FROM users WHERE is_admin = 1 AND password_hash NOT LIKE '!%' LIMIT 1";
    const named = `SELECT username FROM users WHERE deleted_at IS NULL ORDER BY id LIMIT ${MAX_NAMED}`;
    return {
      hasAdministrator: client.query(administrator).get() !== null,
      names: client
        .query<{ username: string }, []>(named)
        .all()
        .map(({ username }) => username),
    };
  } catch {
    return null;
  } finally {
    client.close();
  }
}

/** The result of a chosen backup, the accounts that existed, and the path of their database. */
export type ChosenRestore = { isApplied: boolean; names: readonly string[]; kept: string | null };

/**
 * Makes the chosen backup the database. The caller holds the data folder and has not opened the database. If
 * an administrator exists by then, the choice is dropped. Other accounts stay in the old database, which is
 * kept.
 * @returns null if none was chosen
 */
export function applyChosen(database: string, now: number): ChosenRestore | null {
  const chosen = chosenPath(database);
  if (!existsSync(chosen)) return null;
  const there = accountsIn(database);
  if (there === null || there.hasAdministrator) {
    rmSync(chosen, { force: true });
    return { isApplied: false, names: there?.names ?? [], kept: null };
  }
  return { isApplied: true, names: there.names, kept: putInPlace(database, now, chosen) };
}
