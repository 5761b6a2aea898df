import { SQLiteError } from 'bun:sqlite';
import { DatabaseError } from './migrate.ts';

/** Whether a failure, or what caused it, is a page of a database that can't be what was written. */
export const isDamaged = (error: unknown): boolean => {
  if (error instanceof SQLiteError) {
    return error.code === 'SQLITE_NOTADB' || error.code?.startsWith('SQLITE_CORRUPT') === true;
  }
  return error instanceof Error && isDamaged(error.cause);
};

/** @param what is damaged, as the end of a sentence. @returns what to do about it, for the operator */
export const damagedError = (path: string, what: string, cause: unknown): DatabaseError =>
  new DatabaseError(
    `The database ${path} is damaged: ${what}. Restore the last backup with "bellbird restore FILE"; ` +
      'the nightly ones lie in the folder backups beside it. Then look at the disk or SD card.',
    { cause },
  );
