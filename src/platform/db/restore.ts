import { Database, SQLiteError } from 'bun:sqlite';
import { copyFileSync, existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncFile, syncFolder } from '#lib/files.ts';
import { fileStamp } from '#lib/wording.ts';
import { checkIntegrity, databaseBytes, needRoom, readMade } from './backup.ts';
import { DatabaseError, migrate, migrationState } from './migrate.ts';
import { MIGRATIONS } from './migrations.ts';

type Entry = { type: string; name: string; sql: string | null };

/** Earlier versions let drizzle make this table: with the same columns, but other spaces and quotes in its SQL. */
const APPLIED = '__drizzle_migrations';

/** Everything in a schema by its kind and name. Leaves out the statistics that SQLite keeps. */
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
 * Compares the schema of a file from elsewhere with what its migrations make. SQLite runs what a schema contains: a
 * trigger in a forged file could make the next registration an administrator.
 *
 * @returns how many migrations the file lacks
 * @throws DatabaseError if it is not a Bellbird database, or its schema was changed
 */
function checkSchema(client: Database, file: string): number {
  const { applied, pending } = migrationState(client);
  if (applied === 0) throw new DatabaseError(`The file ${file} is a database, but none of Bellbird.`);
  const expected = expectedSchema(new Set(pending));
  const found = schemaOf(client);
  const odd =
    [...found].find(([entry, sql]) => expected.get(entry) !== sql)?.[0] ??
    [...expected.keys()].find((entry) => !found.has(entry));
  if (odd === undefined) return pending.length;
  throw new DatabaseError(
    `The file ${file} is not as Bellbird makes its backups: its ${odd} was added, changed or removed. Restore another one.`,
  );
}

/** What SQLite keeps beside a database: the log of what is not in it yet, that log's index, an undo journal. */
const SIDE_FILES = ['-wal', '-shm', '-journal'] as const;
/** Of these a copied database may need what is in them; the index is made again. */
const CARRIED = ['-wal', '-journal'] as const;

/** Where a file is looked at before it becomes the database; in the same folder, so that one rename makes it that. */
export const stagedPath = (database: string): string => `${database}.restoring`;

/** A backup that was checked whole, and waits for somebody to choose it. */
export const preparedPath = (database: string): string => `${database}.prepared`;
/** One that was chosen: the next start makes it the database. */
const chosenPath = (database: string): string => `${database}.next`;
/** What comes from elsewhere: as it came, and decrypted. */
export const arrivingPath = (database: string): string => `${database}.arriving`;
export const fetchedPath = (database: string): string => `${database}.fetched`;

/** Removes what a restore that was interrupted left; to be called by who holds the data folder. */
export function dropStaged(database: string): void {
  for (const path of [preparedPath, arrivingPath, fetchedPath]) rmSync(path(database), { force: true });
  dropLookedAt(database);
}

function dropLookedAt(database: string): void {
  for (const suffix of ['', ...SIDE_FILES]) rmSync(`${stagedPath(database)}${suffix}`, { force: true });
}

function notTaken(file: string, error: unknown): unknown {
  if (!(error instanceof SQLiteError)) return error;
  const { code, message } = error;
  if (code === 'SQLITE_NOTADB') return new DatabaseError(`The file ${file} is not a database.`);
  if (code?.startsWith('SQLITE_CORRUPT') || code?.startsWith('SQLITE_IOERR'))
    return new DatabaseError(`The file ${file} is damaged or cut short (${message}). Restore another one.`);
  if (code === 'SQLITE_FULL')
    return new DatabaseError('There is not enough room for the restored database. Make room and try again.');
  return new DatabaseError(`The file ${file} can't be restored (${message}).`, { cause: error });
}

const hasTable = (client: Database, name: string): boolean =>
  client.query('SELECT 1 FROM sqlite_master WHERE type = ?1 AND name = ?2').get('table', name) !== null;

const hasColumn = (client: Database, table: string, column: string): boolean =>
  client.query('SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2').get(table, column) !== null;

/**
 * What was true when the backup was made and may not be any more. Sessions that were ended since must not be good again,
 * so all end. A message that waited then was most likely sent since, so it says that it may be a repeat.
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

/** Copies the file beside the database, reads all of it and makes it ready. @returns how many migrations it lacks */
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
    // One file from here on.
    client.query('PRAGMA journal_mode = DELETE').get();
    return pending;
  } finally {
    client.close();
  }
}

/**
 * Moves what stands in the old database's write-ahead log into it, so that one file is all of it.
 * @returns false when it can't be read: then its log is kept beside it as it is
 * @throws DatabaseError when another program is reading it
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

/** A second name for a file where the file system can do that, else a copy. */
function keepAs(path: string, kept: string): void {
  try {
    linkSync(path, kept);
  } catch {
    copyFileSync(path, kept);
    syncFile(kept);
  }
}

/** Keeps the old database under another name, whole. @returns the name; null when there was none */
function keepOld(database: string, now: number): string | null {
  if (!existsSync(database)) return null;
  const kept = `${database}.replaced-${fileStamp(now)}`;
  if (existsSync(kept)) throw new DatabaseError(`There is a file ${kept} already. Try again.`);
  // First the log: looking at a damaged database may remove it.
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

/**
 * Makes the staged file, which is on the disk, the database by one rename.
 *
 * @returns where the database lies that was there before; null when there was none
 */
export function putInPlace(database: string, now: number, from = stagedPath(database)): string | null {
  const kept = keepOld(database, now);
  // A log that belongs to another file would be applied to the new one.
  for (const suffix of SIDE_FILES) rmSync(`${database}${suffix}`, { force: true });
  syncFolder(dirname(database));
  renameSync(from, database);
  syncFolder(dirname(database));
  return kept;
}

export type Restored = {
  /** Where the database lies that was there before; null when there was none. */
  kept: string | null;
  /** Migrations that the next start will apply. */
  pending: number;
};

/**
 * Puts a backup in the place of the database. A kill at any moment leaves the old database or the new one: what is to
 * come is copied and looked at under another name, the old one gets its second name, and one rename is the change. Anyone who
 * calls this holds the data folder.
 *
 * @param file a backup, or any copy of a database of Bellbird with what SQLite keeps beside it; it stays as it is
 * @param now epoch ms; stamps the name of the old database
 * @throws DatabaseError (a sentence) when the file can't be restored; the database is as it was
 */
export function restoreBackup(file: string, database: string, now: number): Restored {
  const info = statSync(file, { throwIfNoEntry: false });
  if (!info?.isFile()) throw new DatabaseError(`There is no file ${file}.`);
  const current = statSync(database, { throwIfNoEntry: false });
  if (current?.ino === info.ino && current.dev === info.dev)
    throw new DatabaseError(`The file ${file} is the database itself.`);
  dropLookedAt(database);
  try {
    needRoom(dirname(database), databaseBytes(file), 'the restored database');
    const pending = stage(file, database, now);
    syncFile(stagedPath(database));
    return { kept: putInPlace(database, now), pending };
  } catch (error) {
    dropLookedAt(database);
    throw notTaken(file, error);
  }
}

/** What a backup holds, for who is about to restore it. */
export type RestorePreview = {
  /** When it was made, epoch ms, and by which version; null in backups of earlier versions. */
  madeAt: number | null;
  version: string | null;
  accounts: number;
  /** Migrations that the next start will apply. */
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
 * Checks a backup whole beside the database and keeps it there, ready to be chosen; the database is as it was.
 *
 * @param file is used up
 * @throws DatabaseError (a sentence) when it can't be restored
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
    dropLookedAt(database);
    throw notTaken('that was given', error);
  }
}

/** Chooses the prepared backup, by one rename. The next start makes it the database. */
export function choosePrepared(database: string): void {
  renameSync(preparedPath(database), chosenPath(database));
  syncFolder(dirname(database));
}

type AccountsThere = { hasAdministrator: boolean; names: string[] };

/** How many accounts are named at most. */
const MAX_NAMED = 20;

/** The accounts in a database; null if they can't be read. Accounts without a password have a mark that begins with `!`. */
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

/** What became of a backup that was chosen, the accounts that were there, and where their database is now. */
export type ChosenTaken = { isTaken: boolean; names: readonly string[]; kept: string | null };

/**
 * Makes the chosen backup the database, where one was chosen; to be called by who holds the data folder, before anything
 * opens the database. A kill at any moment leaves the choice or what was chosen. If there is an administrator meanwhile,
 * the choice is dropped; accounts of others stay in the old database, which is kept.
 *
 * @returns null when none was chosen
 */
export function takeChosen(database: string, now: number): ChosenTaken | null {
  const chosen = chosenPath(database);
  if (!existsSync(chosen)) return null;
  const there = accountsIn(database);
  if (there === null || there.hasAdministrator) {
    rmSync(chosen, { force: true });
    return { isTaken: false, names: there?.names ?? [], kept: null };
  }
  return { isTaken: true, names: there.names, kept: putInPlace(database, now, chosen) };
}
