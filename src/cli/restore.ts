import { accessSync, constants } from 'node:fs';
import { resolve } from 'node:path';
import { loadConfig } from '../config.ts';
import { closeDataFolder } from '../dataFolder.ts';
import { dataPaths, makeDataFolder } from '../dataPaths.ts';
import { dataLockPath, lockFile } from '../platform/db/lock.ts';
import { DatabaseError } from '../platform/db/migrate.ts';
import { restoreBackup } from '../platform/db/restore.ts';
import { EXIT, type Io, UsageError } from './io.ts';

/** @throws DatabaseError when this user can't read a file, which may be another's */
function needReadable(file: string): void {
  try {
    accessSync(file, constants.R_OK);
  } catch (cause) {
    const { code } = cause as { code?: string };
    if (code === 'ENOENT' || code === 'ENOTDIR')
      throw new DatabaseError(`There is no file ${file}.`, { cause });
    throw new DatabaseError(
      `The file ${file} can't be read (${code ?? 'unknown'}). Put a copy where the user of this command can read it.`,
      { cause },
    );
  }
}

/**
 * `restore FILE`: puts a backup in the place of the database of a server that does not run.
 *
 * @returns the exit code, 0 when the next start finds the backup's data
 * @throws ConfigError or StartError with the sentence to print; the database is as it was then
 */
export function restore(io: Io, args: readonly string[]): number {
  const [file, more] = args;
  if (file === undefined || more !== undefined)
    throw new UsageError('restore takes the file of a backup: bellbird restore FILE');
  if (file.startsWith('-')) throw new UsageError(`restore has no option "${file}".`);
  const paths = dataPaths(loadConfig(io.env).config);
  const source = resolve(file);
  needReadable(source);
  makeDataFolder(paths.folder);
  const lock = lockFile(dataLockPath(paths.folder), 2000);
  if (lock === null)
    throw new DatabaseError(
      `Bellbird is running with the data folder ${paths.folder}. Stop it first; nothing was changed.`,
    );
  try {
    const { kept, pending } = restoreBackup(source, paths.database, io.wall.now());
    closeDataFolder(paths);
    io.out(`Restored ${source}.`);
    if (kept !== null) io.out(`The database that was there before is kept as ${kept}.`);
    if (pending > 0) io.out('It is from an older version: the next start brings it to this one.');
    io.out('Start Bellbird again. Everybody has to log in again.');
    return EXIT.ok;
  } finally {
    lock.release();
  }
}
