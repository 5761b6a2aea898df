import { Database, SQLiteError } from 'bun:sqlite';
import { dirname } from 'node:path';
import { syncFile } from '#lib/files.ts';
import { checkIntegrity, databaseBytes, needRoom } from './backup.ts';
import { damagedError, isDamaged } from './damage.ts';
import { migrationState } from './migrate.ts';
import { openDb } from './open.ts';
import { dropStaged, putInPlace, stagedPath } from './restore.ts';

/** Tables that the market, the sources and the model fill again. They contain nothing that people made. */
const REPLACEABLE: ReadonlySet<string> = new Set([
  'announcements',
  'announcement_summaries',
  'calendar_events',
  'catalogs',
  'daily_bars',
  'endpoint_calls',
  'last_trades',
  'price_adjustments',
  'segments',
]);

type Named = { name: string };

/** All tables but those of the full-text search, which are rebuilt. */
const tablesOf = (client: Database): string[] =>
  client
    .query<Named, []>(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
       AND name NOT LIKE 'sqlite_%' AND name <> '__drizzle_migrations'`,
    )
    .all()
    .map(({ name }) => name);

/** Reads past the indexes, so that a damaged index does not matter. A damaged table stays empty. */
function copyTable(client: Database, table: string): void {
  const columns = client
    .query<Named, [string]>('SELECT name FROM pragma_table_info(?1)')
    .all(table)
    .map(({ name }) => `"${name}"`)
    .join(', ');
  client.transaction(() => {
    client.run(`DELETE FROM main."${table}"`);
    client.run(`INSERT INTO main."${table}" (${columns}) SELECT ${columns} FROM old."${table}" NOT INDEXED`);
  })();
}

function copyTables(client: Database, path: string): string[] {
  const dropped: string[] = [];
  for (const table of tablesOf(client)) {
    try {
      copyTable(client, table);
    } catch (error) {
      if (!isDamaged(error)) throw error;
      if (!REPLACEABLE.has(table)) throw damagedError(path, `user data (${table}) cannot be read`, error);
      dropped.push(table);
    }
  }
  // The ids of deleted rows must not be reused.
  client.run('DELETE FROM main.sqlite_sequence');
  client.run('INSERT INTO main.sqlite_sequence SELECT name, seq FROM old.sqlite_sequence');
  return dropped;
}

type WordsOf = (announcement: { code: string; headline: string }) => string[];

function fillWords(client: Database, wordsOf: WordsOf): void {
  const add = client.query('INSERT INTO announcement_words (rowid, words) VALUES (?1, ?2)');
  const rows = client.query<{ number: number; code: string; headline: string }, []>(
    'SELECT number, code, headline FROM main.announcements',
  );
  client.transaction(() => {
    for (const row of rows.iterate()) add.run(row.number, wordsOf(row).join(' '));
  })();
}

/** @throws SQLiteError if the schema can't be read; DatabaseError if it is of another version */
function needOwnSchema(path: string): void {
  const client = new Database(path, { readwrite: true, create: false, strict: true });
  try {
    if (migrationState(client).pending.length === 0) return;
  } finally {
    client.close();
  }
  throw damagedError(
    path,
    'it is from an older version, which this version can only migrate when it is intact',
    null,
  );
}

export type Rescued = {
  /** The tables that were left empty; none if only indexes were damaged. */
  dropped: string[];
  kept: string | null;
};

/**
 * Replaces a damaged database by a sound copy if everything that people made can be read. The damaged one is kept
 * next to it. The caller holds the data folder.
 * @param now epoch ms, for the name of the damaged database
 * @throws DatabaseError (a sentence) if it fails; the database stays unchanged
 */
export function rescueDatabase(path: string, { now, wordsOf }: { now: number; wordsOf: WordsOf }): Rescued {
  const staged = stagedPath(path);
  dropStaged(path);
  try {
    needRoom(dirname(path), databaseBytes(path), 'a repaired copy of the damaged database');
    needOwnSchema(path);
    const client = openDb({ path: staged, copyFolder: null, now }).db.$client;
    let dropped: string[];
    try {
      client.run('PRAGMA foreign_keys = OFF');
      client.run('ATTACH ?1 AS old', [path]);
      dropped = copyTables(client, path);
      client.run('DETACH old');
      fillWords(client, wordsOf);
      checkIntegrity(client, staged);
      client.query('PRAGMA journal_mode = DELETE').get();
    } finally {
      client.close();
    }
    syncFile(staged);
    return { dropped, kept: putInPlace(path, now) };
  } catch (error) {
    dropStaged(path);
    throw error instanceof SQLiteError && isDamaged(error) ? damagedError(path, error.message, error) : error;
  }
}
