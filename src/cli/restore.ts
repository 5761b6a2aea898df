import { accessSync, constants } from 'node:fs';
import { resolve } from 'node:path';
import { type Config, loadConfig } from '../config.ts';
import { closeDataFolder } from '../dataFolder.ts';
import { type DataPaths, dataPaths, makeDataFolder } from '../dataPaths.ts';
import { dataLockPath, lockFile } from '../platform/db/lock.ts';
import { DatabaseError } from '../platform/db/migrate.ts';
import { chooseTarget } from '../platform/backupTarget/chooseTarget.ts';
import { fetchInto, isEncryptedFile } from '../platform/backupTarget/fetch.ts';
import { placeText, TargetError } from '../platform/backupTarget/target.ts';
import { dropStaged, fetchedPath, restoreBackup } from '../platform/db/restore.ts';
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

type Origin = {
  /** As it is told. */
  said: string;
  bytes: number;
  isEncrypted: boolean;
  /** What opens it without a question; null where somebody has to type it. */
  secret: string | null;
  open(): Promise<ReadableStream<Uint8Array>>;
};

async function originOfFile(path: string): Promise<Origin> {
  const file = Bun.file(path);
  const isEncrypted = await isEncryptedFile(path);
  return { said: path, bytes: file.size, isEncrypted, secret: null, open: async () => file.stream() };
}

/** @param wanted a backup's name there; the newest without one */
async function originAtTarget({ backup }: Config, wanted: string | undefined): Promise<Origin> {
  const { place, lock } = backup;
  if (place === null) throw new TargetError('No backup target is set: BELLBIRD_BACKUP_TARGET names one.');
  const { listBackupsAt } = await import('../admin/backups/server/targetJobs.ts');
  const { backups, missing } = await listBackupsAt({ place });
  if (missing !== null) throw new TargetError(missing);
  const found = wanted === undefined ? backups[0] : backups.find(({ name }) => name === wanted);
  if (!found) {
    const names = backups.slice(0, 10).map(({ name }) => `\n  ${name}`);
    throw new TargetError(
      names.length === 0
        ? `There is no backup in ${placeText(place)}.`
        : `There is no backup ${String(wanted)} in ${placeText(place)}. The newest are:${names.join('')}`,
    );
  }
  const { name, bytes, isEncrypted } = found;
  const secret = lock?.kind === 'passphrase' ? lock.passphrase : null;
  return { said: name, bytes, isEncrypted, secret, open: () => chooseTarget(place).read(name) };
}

/** Writes what comes from elsewhere, or is encrypted, beside the database. @returns the file */
async function fetchHere(io: Io, origin: Origin, database: string): Promise<string> {
  const path = fetchedPath(database);
  const asked =
    origin.isEncrypted && origin.secret === null
      ? await io.readSecret('Passphrase or key of the backup: ')
      : origin.secret;
  const content = await origin.open();
  await fetchInto({ content, bytes: origin.bytes, secret: asked, path, onProgress: () => undefined });
  return path;
}

function put(io: Io, paths: DataPaths, source: string, said: string): void {
  const { kept, pending } = restoreBackup(source, paths.database, io.wall.now());
  closeDataFolder(paths);
  io.out(`Restored ${said}.`);
  if (kept !== null) io.out(`The database that was there before is kept as ${kept}.`);
  if (pending > 0) io.out('It is from an older version: the next start brings it to this one.');
  io.out('Start Bellbird again. Everybody has to log in again.');
}

async function originOf(config: Config, args: readonly string[]): Promise<Origin> {
  const [first, name, more] = args;
  if (first === '--from-target' && more === undefined) return originAtTarget(config, name);
  if (first === undefined || name !== undefined)
    throw new UsageError('restore takes the file of a backup: bellbird restore FILE');
  if (first.startsWith('-')) throw new UsageError(`restore has no option "${first}".`);
  needReadable(resolve(first));
  return originOfFile(resolve(first));
}

/**
 * `restore FILE` or `restore --from-target [NAME]`: puts a backup in the place of the database of a server that does not
 * run. One that is encrypted asks for its passphrase or key.
 *
 * @returns the exit code, 0 when the next start finds the backup's data
 * @throws ConfigError or StartError with the sentence to print; the database is as it was then
 */
export async function restore(io: Io, args: readonly string[]): Promise<number> {
  const { config } = loadConfig(io.env);
  const paths = dataPaths(config);
  const origin = await originOf(config, args);
  makeDataFolder(paths.folder);
  const lock = lockFile(dataLockPath(paths.folder), 2000);
  if (lock === null)
    throw new DatabaseError(
      `Bellbird is running with the data folder ${paths.folder}. Stop it first; nothing was changed.`,
    );
  try {
    const isPlainFile = !origin.isEncrypted && args[0] !== '--from-target';
    const source = isPlainFile ? origin.said : await fetchHere(io, origin, paths.database);
    put(io, paths, source, origin.said);
    return EXIT.ok;
  } finally {
    dropStaged(paths.database);
    lock.release();
  }
}
