import { Database } from 'bun:sqlite';
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
export function checkSchema(client: Database, file: string): number {
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
