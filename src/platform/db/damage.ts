import { Database, SQLiteError } from 'bun:sqlite';
import { statSync } from 'node:fs';
import { wordsOf } from '#lib/text.ts';
import { DatabaseError } from './migrate.ts';

/** True if an error or its cause is a corrupt page of a database. */
export const isDamaged = (error: unknown): boolean => {
  if (error instanceof SQLiteError) {
    return error.code === 'SQLITE_NOTADB' || error.code?.startsWith('SQLITE_CORRUPT') === true;
  }
  return error instanceof Error && isDamaged(error.cause);
};

/** @param what the damaged part, to end a sentence @returns an error with instructions for the operator */
export const damagedError = (path: string, what: string, cause: unknown): DatabaseError =>
  new DatabaseError(
    `The database ${path} is damaged: ${what}. Restore the last backup with "bellbird restore FILE"; ` +
      'nightly backups are in the folder backups next to it. Then check the disk or SD card.',
    { cause },
  );

/** A larger database takes seconds to read on a Raspberry Pi. The nightly backup reads it completely. */
const MAX_READ_AT_START = 64 * 1024 * 1024;

/**
 * Reads a whole database, so that damage is found before the table is needed.
 * @returns the damaged part, to end a sentence; null if none is damaged, or the database is too large
 */
export function damageIn(path: string): string | null {
  let client: Database | undefined;
  try {
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (size === 0 || size > MAX_READ_AT_START) return null;
    client = new Database(path, { readwrite: true, create: false, strict: true });
    client.run('PRAGMA busy_timeout = 2000');
    const found = client.query<{ quick_check: string }, []>('PRAGMA quick_check(1)').get()?.quick_check;
    return found === undefined || found === 'ok' ? null : wordsOf(found).join(' ');
  } catch (error) {
    return isDamaged(error) && error instanceof Error ? error.message : null;
  } finally {
    client?.close();
  }
}
