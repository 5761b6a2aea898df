import { Database } from 'bun:sqlite';
import { statSync, mkdirSync, readdirSync, renameSync, rmSync, statfsSync } from 'node:fs';
import { type BunSQLiteDatabase, drizzle } from 'drizzle-orm/bun-sqlite';
import { DatabaseError, migrate, migrationState, toDatabaseError } from './migrate.ts';
import { MIGRATIONS } from './migrations.ts';
import { join } from 'node:path';
import { syncFolder } from '#lib/files.ts';
import { fileStamp } from '#lib/wording.ts';

const MAX_COPIES = 3;

/** Keeps the newest copy of each migration, so that repeated failed starts do not remove the others. */
function dropOldCopies(folder: string, tag: string, newest: string): void {
  for (const name of readdirSync(folder)) {
    const isOfTag = name.startsWith(`before-${tag}-`) && name.endsWith('.db');
    if (isOfTag && join(folder, name) !== newest) rmSync(join(folder, name));
  }
  const copies = readdirSync(folder)
    .filter((name) => name.startsWith('before-') && name.endsWith('.db'))
    .map((name) => ({ name, time: statSync(join(folder, name)).mtimeMs }))
    .sort((a, b) => b.time - a.time);
  for (const { name } of copies.slice(MAX_COPIES)) rmSync(join(folder, name));
}

/**
 * Writes a compact copy of an open database into a folder. It gets its name when it is complete. The newest three
 * copies of different migrations are kept.
 * @param tag the first pending migration
 * @param now epoch ms
 * @throws DatabaseError if the disk has no room for it
 */
function copyDatabase(client: Database, path: string, folder: string, tag: string, now: number): string {
  mkdirSync(folder, { recursive: true });
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < statSync(path).size * 2) {
    throw new DatabaseError(
      `There is not enough space in ${folder} for the copy of the database that is made before a migration. ` +
        'Free some space and start again.',
    );
  }
  const target = join(folder, `before-${tag}-${fileStamp(now)}.db`);
  const partial = `${target}.partial`;
  // Partial copies of killed processes. The caller holds the data folder.
  for (const name of readdirSync(folder))
    if (name.startsWith('before-') && name.endsWith('.partial')) rmSync(join(folder, name));
  client.query('VACUUM INTO ?1').run(partial);
  renameSync(partial, target);
  syncFolder(folder);
  dropOldCopies(folder, tag, target);
  return target;
}

export type Db = BunSQLiteDatabase & { $client: Database };

/** A commit that finds this many pages in the write-ahead log moves them. `checkpoints.ts` moves them earlier. */
export const CHECKPOINT_PAGES = 4000;

// busy_timeout is first, because the others may wait for a lock.
const PRAGMAS = [
  'busy_timeout = 5000',
  'journal_mode = WAL',
  'synchronous = FULL',
  'foreign_keys = ON',
  'temp_store = MEMORY',
  // Limits the functions that a schema calls to harmless ones.
  'trusted_schema = OFF',
  'journal_size_limit = 16777216',
  `wal_autocheckpoint = ${CHECKPOINT_PAGES}`,
];

export type OpenOptions = {
  path: string;
  /** The folder for the copy before a migration; null for no copy. */
  copyFolder: string | null;
  now: number;
  /** False while another process has the database open, because its schema must not change. */
  mayMigrate?: boolean;
  /**
   * True on a disk without room for the file that processes share. This process then locks the database until it
   * closes it. Default false.
   */
  isAlone?: boolean;
  migrations?: typeof MIGRATIONS;
};

function connect(path: string): Database {
  try {
    return new Database(path, { create: true, strict: true });
  } catch (error) {
    throw toDatabaseError(path, error);
  }
}

/** Whether a database is missing or has no table. An unreadable one counts as neither. */
export function isBlank(path: string): boolean {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return true;
  const client = connect(path);
  try {
    return client.query('SELECT 1 FROM sqlite_master LIMIT 1').get() === null;
  } catch {
    return false;
  } finally {
    client.close();
  }
}

export function setUp(client: Database, { isAlone = false } = {}): void {
  // This pragma only works before the first access to the write-ahead log.
  if (isAlone) client.run('PRAGMA locking_mode = EXCLUSIVE');
  for (const pragma of PRAGMAS) client.run(`PRAGMA ${pragma}`);
}

/**
 * Opens the database and applies pending migrations. An existing database is copied first.
 * @returns the database, and the path of the copy if one was made
 * @throws DatabaseError (a sentence) if its schema is newer, a migration fails or the copy does not fit the disk
 */
export function openDb(options: OpenOptions): { db: Db; copy: string | null } {
  const migrations = options.migrations ?? MIGRATIONS;
  const client = connect(options.path);
  try {
    setUp(client, options);
    const { applied, pending } = migrationState(client, migrations);
    const db = drizzle(client);
    if (pending.length === 0) return { db, copy: null };
    if (options.mayMigrate === false) {
      throw new DatabaseError(
        'The database belongs to a running Bellbird of another version. Stop it, then run this command again.',
      );
    }
    const folder = applied > 0 ? options.copyFolder : null;
    const copy =
      folder === null ? null : copyDatabase(client, options.path, folder, pending[0]?.tag ?? '', options.now);
    migrate(client, pending);
    return { db, copy };
  } catch (error) {
    client.close();
    throw toDatabaseError(options.path, error);
  }
}

export const openMemoryDb = (): Db => openDb({ path: ':memory:', copyFolder: null, now: 0 }).db;
