import { Database } from 'bun:sqlite';
import { statSync } from 'node:fs';
import { checkIntegrity } from '../db/backup.ts';
import { DatabaseError } from '../db/migrate.ts';
import type { Source } from './send.ts';

const ATTEMPTS = 200;
const PAUSE_MS = 25;

const logBytes = (path: string): number => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;

/**
 * Begins to read while the write-ahead log is empty. SQLite then lets nobody write into the database's file until the
 * reading is over (the lock of read mark 0): what is changed meanwhile stands in the log alone, and the file is the
 * database of this moment.
 */
async function holdStill(client: Database, path: string): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    client.query('PRAGMA wal_checkpoint(TRUNCATE)').get();
    client.run('BEGIN');
    client.query('SELECT count(*) FROM sqlite_master').get();
    // Whoever wrote in between has made the log longer: then this reading may have begun on that.
    if (logBytes(path) === 0) return;
    client.run('ROLLBACK');
    await Bun.sleep(PAUSE_MS);
  }
  throw new DatabaseError('The database is written to all the time, so it could not be read as a whole.');
}

/**
 * Lends the database of a running server as it is at one moment, to be read from its own file: nothing is written for it.
 * It is read whole and checked first. What the server writes while `work` runs waits in the log.
 *
 * @throws DatabaseError (a sentence) when it is damaged or never still
 */
export async function withLiveDatabase<T>(path: string, work: (source: Source) => Promise<T>): Promise<T> {
  const client = new Database(path, { readwrite: true, create: false, strict: true });
  try {
    client.run('PRAGMA busy_timeout = 5000');
    await holdStill(client, path);
    checkIntegrity(client, path);
    return await work({ bytes: statSync(path).size, open: () => Bun.file(path).stream() });
  } finally {
    client.close();
  }
}
