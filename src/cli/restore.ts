import { accessSync, constants } from 'node:fs';
import { resolve } from 'node:path';
import { type Config, loadConfig } from '../config/config.ts';
import { closeDataFolder } from '../dataFolder.ts';
import { type DataPaths, dataPaths, makeDataFolder } from '../config/dataPaths.ts';
import { dataLockPath, lockFile } from '../platform/db/lock.ts';
import { DatabaseError } from '../platform/db/migrate.ts';
import { chooseTarget } from '../platform/backupTarget/chooseTarget.ts';
import { fetchInto, isEncryptedFile } from '../platform/backupTarget/transfer.ts';
import { placeText, TargetError, type TargetPlace } from '../platform/backupTarget/target.ts';
import type { TargetBackup } from '../admin/backups/server/targetJobs.ts';
import { formatAge, formatMoment } from '../texts/moment.ts';
import {
  dropStaged,
  fetchedPath,
  preparedPath,
  prepareRestore,
  putInPlace,
  restoreBackup,
  type Restored,
  type RestorePreview,
} from '../platform/db/restore.ts';
import { EXIT, type Io, UsageError } from './io.ts';

function needReadable(file: string): void {
  try {
    accessSync(file, constants.R_OK);
  } catch (cause) {
    const { code } = cause as { code?: string };
    if (code === 'ENOENT' || code === 'ENOTDIR')
      throw new DatabaseError(`The file ${file} does not exist. Check the path.`, { cause });
    throw new DatabaseError(
      `Cannot read the file ${file} (${code ?? 'unknown'}). Copy it to a place that you can read.`,
      { cause },
    );
  }
}

type Asked = {
  backup: TargetBackup;
  place: TargetPlace;
  others: string[];
  isForeign: boolean;
};

type Origin = {
  label: string;
  asked: Asked | null;
  bytes: number;
  isEncrypted: boolean;
  /** The passphrase or key, if known; null if it must be typed. */
  secret: string | null;
  open(): Promise<ReadableStream<Uint8Array>>;
};

async function originOfFile(path: string): Promise<Origin> {
  const file = Bun.file(path);
  const isEncrypted = await isEncryptedFile(path);
  return {
    label: path,
    bytes: file.size,
    isEncrypted,
    asked: null,
    secret: null,
    open: async () => file.stream(),
  };
}

function othersOf(found: TargetBackup, backups: readonly TargetBackup[]): string[] {
  const servers = new Set(backups.map(({ installation }) => installation));
  servers.delete(found.installation);
  const ahead = backups.filter(({ isAhead, name }) => isAhead && name !== found.name);
  return [
    ...(servers.size === 0 ? [] : [`There are also backups of other servers: ${[...servers].join(', ')}.`]),
    ...(ahead.length === 0
      ? []
      : [`Ignored ${ahead.length} with dates in the future. The newest: ${ahead[0]?.name ?? ''}`]),
  ];
}

async function originAtTarget(config: Config, wanted: string | undefined, now: number): Promise<Origin> {
  const { place, lock } = config.backup;
  if (place === null)
    throw new TargetError(
      'There is no backup target. Set BELLBIRD_BACKUP_TARGET, or restore a file with "bellbird restore FILE".',
    );
  const { listBackupsAt } = await import('../admin/backups/server/targetJobs.ts');
  const { backups, doubt, own } = await listBackupsAt({ place, database: dataPaths(config).database }, now);
  if (backups.length === 0 && doubt !== null) throw new TargetError(doubt);
  const [first] = backups.filter(({ isAhead }) => !isAhead);
  const found = wanted === undefined ? first : backups.find(({ name }) => name === wanted);
  if (!found) {
    const names = backups.slice(0, 10).map(({ name }) => `\n  ${name}`);
    throw new TargetError(
      names.length === 0
        ? `There is no backup in ${placeText(place)}. Check BELLBIRD_BACKUP_TARGET.`
        : wanted === undefined
          ? `All backups in ${placeText(place)} have dates in the future. Set the clock of this machine, or name a backup:${names.join('')}`
          : `There is no backup ${wanted} in ${placeText(place)}. Available backups:${names.join('')}`,
    );
  }
  const { name, bytes, isEncrypted } = found;
  const secret = lock?.kind === 'passphrase' ? lock.passphrase : null;
  const isForeign = wanted === undefined && own !== null && found.installation !== own;
  const asked = { backup: found, place, isForeign, others: othersOf(found, backups) };
  return { label: name, bytes, isEncrypted, asked, secret, open: () => chooseTarget(place).read(name) };
}

/** Downloads or decrypts the backup next to the database. @returns the file */
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

async function confirm(
  io: Io,
  { backup, place, others, isForeign }: Asked,
  preview: RestorePreview,
): Promise<void> {
  const madeAt = preview.madeAt ?? backup.madeAt;
  const now = io.wall.now();
  const age = madeAt > now ? 'in the future' : formatAge(now - madeAt);
  const { accounts, version } = preview;
  io.out(`${backup.name} in ${placeText(place)}`);
  io.out(`  made      ${formatMoment(madeAt, 'Australia/Sydney')} Sydney (${age})`);
  io.out(`  server    ${backup.installation}${version === null ? '' : `, version ${version}`}`);
  io.out(`  accounts  ${accounts}`);
  if (isForeign) io.out('This is a backup of another server. There is none of this server.');
  for (const sentence of others) io.out(sentence);
  const answer = await io.ask('Type yes to restore it: ');
  if (answer?.trim().toLowerCase() === 'yes') return;
  const hint = isForeign
    ? ' To skip this question, name the backup and add --yes.'
    : ' To skip this question, add --yes.';
  throw new DatabaseError(`Nothing was changed.${answer === null ? hint : ''}`);
}

function printRestored(io: Io, paths: DataPaths, { kept, pending }: Restored, label: string): void {
  closeDataFolder(paths);
  io.out(`Restored ${label}.`);
  if (kept !== null) io.out(`The previous database is kept as ${kept}.`);
  if (pending > 0) io.out('The backup is from an older version. The next start migrates it.');
  io.out('Start Bellbird. All users must log in again.');
}

async function originOf(config: Config, args: readonly string[], now: number): Promise<Origin> {
  const [first, name, more] = args;
  if (first === '--from-target' && more === undefined) return originAtTarget(config, name, now);
  if (first === undefined || name !== undefined)
    throw new UsageError('"restore" takes one backup file: bellbird restore FILE');
  if (first.startsWith('-')) throw new UsageError(`"restore" has no option "${first}".`);
  needReadable(resolve(first));
  return originOfFile(resolve(first));
}

async function putOrigin(io: Io, origin: Origin, database: string, isSure: boolean): Promise<Restored> {
  const now = io.wall.now();
  if (origin.asked === null && !origin.isEncrypted) return restoreBackup(origin.label, database, now);
  const source = await fetchHere(io, origin, database);
  if (origin.asked === null) return restoreBackup(source, database, now);
  const preview = prepareRestore(source, database, now);
  if (!isSure || origin.asked.isForeign) await confirm(io, origin.asked, preview);
  return { kept: putInPlace(database, now, preparedPath(database)), pending: preview.pending };
}

/**
 * `restore FILE` or `restore --from-target [NAME]`: replaces the database of a stopped server by a backup. An
 * encrypted backup asks for its passphrase or key. A backup of the target is shown first, unless `--yes` is
 * given.
 * @returns the exit code, 0 if the next start uses the backup's data
 * @throws ConfigError or StartError with the sentence to print; the database is then unchanged
 */
export async function restore(io: Io, args: readonly string[]): Promise<number> {
  const { config } = loadConfig(io.env);
  const paths = dataPaths(config);
  const isSure = args.includes('--yes');
  const origin = await originOf(
    config,
    args.filter((word) => word !== '--yes'),
    io.wall.now(),
  );
  makeDataFolder(paths.folder);
  const lock = lockFile(dataLockPath(paths.folder), 2000);
  if (lock === null)
    throw new DatabaseError(
      `Bellbird is running with the data folder ${paths.folder}. Stop it first. Nothing was changed.`,
    );
  try {
    printRestored(io, paths, await putOrigin(io, origin, paths.database, isSure), origin.label);
    return EXIT.ok;
  } finally {
    dropStaged(paths.database);
    lock.release();
  }
}
