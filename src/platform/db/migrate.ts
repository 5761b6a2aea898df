import { type Database, SQLiteError } from 'bun:sqlite';
import { StartError } from '#lib/errors.ts';
import { type Migration, MIGRATIONS } from './migrations.ts';

/** The database cannot be used. The message is a sentence for the operator. */
export class DatabaseError extends StartError {
  override name = 'DatabaseError';
}

/** Turns SQLite's errors into a DatabaseError with a sentence. */
export const toDatabaseError = (path: string, error: unknown): unknown =>
  error instanceof SQLiteError
    ? new DatabaseError(
        `The database ${path} cannot be read (${error.message}). Check the permissions and free space of its folder, or restore a backup.`,
        { cause: error },
      )
    : error;

type AppliedRow = { hash: string; created_at: number };

function appliedMigrations(client: Database): AppliedRow[] {
  const table = client
    .query<{ name: string }, []>(`SELECT name FROM sqlite_master WHERE name = '__drizzle_migrations'`)
    .get();
  if (!table) return [];
  return client.query<AppliedRow, []>('SELECT hash, created_at FROM __drizzle_migrations').all();
}

/**
 * Compares a database's migrations with those of this program.
 * @returns how many migrations were applied, and which of `migrations` are pending
 * @throws DatabaseError if a newer or another version of Bellbird made the database
 */
export function migrationState(
  client: Database,
  migrations: readonly Migration[] = MIGRATIONS,
): { applied: number; pending: readonly Migration[] } {
  const applied = appliedMigrations(client);
  const hashes = new Set(migrations.map((migration) => migration.hash));
  const newest = Math.max(0, ...migrations.map(({ folderMillis }) => folderMillis));
  if (applied.some((row) => Number(row.created_at) > newest)) {
    throw new DatabaseError(
      'The database was made by a newer version of Bellbird. Start that version, or restore an older backup.',
    );
  }
  if (applied.some((row) => !hashes.has(row.hash))) {
    throw new DatabaseError(
      'The database has a schema that this version of Bellbird does not know. ' +
        'Start the version that made it, or restore a backup.',
    );
  }
  const done = new Set(applied.map((row) => row.hash));
  return { applied: applied.length, pending: migrations.filter((migration) => !done.has(migration.hash)) };
}

/** The form of drizzle's own migrator, which earlier versions used. */
const APPLIED_TABLE =
  'CREATE TABLE IF NOT EXISTS __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)';

/**
 * Applies migrations, all or none. Foreign keys are off, because SQLite changes a table by rebuilding it. They are
 * checked before the commit.
 * @param pending as `migrationState` returns them
 * @throws DatabaseError if a migration fails or leaves broken references; the database stays unchanged
 */
export function migrate(client: Database, pending: readonly Migration[]): void {
  const apply = client.transaction(() => {
    client.run(APPLIED_TABLE);
    const note = client.query('INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?1, ?2)');
    for (const { sql, hash, folderMillis } of pending) {
      for (const statement of sql) client.run(statement);
      note.run(hash, folderMillis);
    }
    const broken = client.query('PRAGMA foreign_key_check').all();
    if (broken.length > 0) throw new DatabaseError('The migrated database has rows with broken references.');
  });
  // Inside a transaction this pragma does nothing.
  client.run('PRAGMA foreign_keys = OFF');
  try {
    apply.immediate();
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new DatabaseError(`The database could not be migrated to this version: ${reason}`, {
      cause: error,
    });
  } finally {
    client.run('PRAGMA foreign_keys = ON');
  }
}
