import { lstatSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCode, reasonOf } from '#lib/errors.ts';
import { chooseTarget } from '#platform/backupTarget/chooseTarget.ts';
import { fetchInto, send, type Source } from '#platform/backupTarget/transfer.ts';
import {
  type BackupTarget,
  type Lock,
  MissingTargetError,
  placeText,
  TargetError,
  type TargetFile,
  type TargetPlace,
  type TargetUse,
} from '#platform/backupTarget/target.ts';
import { fetchedPath, prepareRestore, type RestorePreview } from '#platform/db/restore.ts';
import {
  noteUsedTarget,
  readTargetMemory,
  targetMemory,
  type TargetMemory,
} from '#platform/db/installation.ts';
import { nameOfFile } from '#market/recording/rules/recordingName.ts';
import {
  readTarget,
  recordingName,
  settingsName,
  surplusAtTarget,
  targetName,
  targetPrefix,
} from '../rules/keptBackups.ts';

export type SendJob = {
  kind: 'send';
  database: string;
  place: TargetPlace;
  lock: Lock | null;
  kept: number;
  name: string;
  file: string;
  /** Content of the settings file; null to leave it out. */
  settings: string | null;
  /** Folder of the recordings; null to leave them out. */
  recordings: string | null;
  now: number;
};

export type Sent = {
  /** The backup's name at the target. */
  name: string;
  bytes: number;
  /** What failed after the backup arrived, in sentences; null if nothing did. */
  warning: string | null;
};

const targetUse = (
  { database, place }: Pick<SendJob, 'database' | 'place'>,
  { installation, usedTarget }: TargetMemory,
): TargetUse => ({
  dataFolder: dirname(database),
  prefix: targetPrefix(installation ?? ''),
  isKnown: usedTarget === placeText(place),
});

const fileSource = (path: string): Source => ({
  bytes: Bun.file(path).size,
  open: () => Bun.file(path).stream(),
});

function textSource(text: string): Source {
  const blob = new Blob([text]);
  return { bytes: blob.size, open: () => blob.stream() };
}

/** Skips symbolic links, because one could lead to a private file. */
function recordingFiles(folder: string): string[] {
  try {
    return readdirSync(folder).filter((file) => !lstatSync(join(folder, file)).isSymbolicLink());
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

type Work = {
  target: BackupTarget;
  job: SendJob;
  installation: string;
  onProgress(share: number): void;
};

const nameAt = ({ job, installation }: Work, name: string): string =>
  targetName(installation, name, job.lock !== null);

const put = ({ target, job, onProgress }: Work, name: string, source: Source): Promise<number> =>
  send({ target, name, source, lock: job.lock, onProgress });

async function putRest(work: Work, there: ReadonlySet<string>): Promise<void> {
  const { settings, recordings, now } = work.job;
  if (settings !== null) await put(work, nameAt(work, settingsName(now)), textSource(settings));
  if (recordings === null) return;
  for (const file of recordingFiles(recordings)) {
    const name = nameOfFile(file);
    if (name === null) continue;
    const place = nameAt(work, recordingName(name));
    if (!there.has(place)) await put(work, place, fileSource(join(recordings, file)));
  }
}

/** Deletes surplus files at the target, and partial files of this server. */
async function tidy({ target, job, installation }: Work): Promise<void> {
  const files = await target.list();
  const left = files.filter(
    ({ name }) => name.startsWith(targetPrefix(installation)) && name.endsWith('.partial'),
  );
  const surplus = surplusAtTarget(readTarget(files), { installation, kept: job.kept, now: job.now });
  for (const name of [...left.map((file) => file.name), ...surplus]) await target.remove(name);
}

/** Runs after a verified backup. A failure neither fails nor repeats the backup. */
async function follow(work: Work, there: ReadonlySet<string>): Promise<string | null> {
  const warnings: string[] = [];
  const steps: [failed: string, step: () => Promise<void>][] = [
    ['Settings or recordings could not be sent to the target.', () => putRest(work, there)],
    ['Older files could not be removed from the target.', () => tidy(work)],
  ];
  for (const [failed, step] of steps) {
    await step().catch((error: unknown) => warnings.push(`${failed} ${reasonOf(error)}`));
  }
  return warnings.length === 0 ? null : warnings.join(' ');
}

/**
 * Sends a backup to the target, verifies it there, and deletes surplus ones of this server.
 * @throws StartError (a sentence without secrets)
 */
export async function sendBackup(job: SendJob, onProgress: (share: number) => void): Promise<Sent> {
  const target = chooseTarget(job.place);
  const memory = targetMemory(job.database);
  const { installation } = memory;
  const work: Work = { target, job, installation, onProgress };
  await target.prepare(targetUse(job, memory));
  noteUsedTarget(job.database, placeText(job.place));
  const there = new Set((await target.list()).map(({ name }) => name));
  const bytes = await put(work, nameAt(work, job.name), fileSource(job.file));
  const warning = await follow({ ...work, onProgress: () => onProgress(1) }, there);
  return { name: nameAt(work, job.name), bytes, warning };
}

export type ListJob = { place: TargetPlace; database: string };

/**
 * The backups at a target, in the order of `byPreference`. `doubt` is a sentence if the folder does not exist yet, or
 * may be the wrong one.
 */
export type ListedTarget = {
  backups: TargetBackup[];
  doubt: string | null;
  own: string | null;
};

async function filesAt(place: TargetPlace): Promise<TargetFile[] | MissingTargetError> {
  try {
    return await chooseTarget(place).list();
  } catch (error) {
    if (error instanceof MissingTargetError) return error;
    throw error;
  }
}

/** Lists a target without changing it. @param now epoch ms @throws StartError (a sentence without secrets) */
export async function listBackupsAt(job: ListJob, now: number): Promise<ListedTarget> {
  const { place, database } = job;
  const files = await filesAt(place);
  const memory = readTargetMemory(database);
  const own = memory.installation;
  if (files instanceof MissingTargetError) return { backups: [], doubt: files.message, own };
  const backups = readTarget(files)
    .flatMap((item): TargetBackup[] => {
      if (item.kind !== 'backup') return [];
      const { name, bytes, isEncrypted, installation, backup } = item;
      const { madeAt } = backup;
      return [{ name, bytes, isEncrypted, installation, madeAt, isAhead: madeAt > now }];
    })
    .toSorted(byPreference(own));
  const doubt = await chooseTarget(place).doubt(targetUse(job, memory));
  return { backups: backups.slice(0, MAX_LISTED), doubt, own };
}

const MAX_LISTED = 500;
export type TargetBackup = {
  name: string;
  bytes: number;
  madeAt: number;
  isEncrypted: boolean;
  installation: string;
  /** True if the backup is dated in the future, because one of the clocks is wrong. */
  isAhead: boolean;
};

/**
 * Order of backups: this server's before those of others, then the newest first. Backups dated in the future are last,
 * because their real time is unknown.
 */
const byPreference =
  (own: string | null) =>
  (a: TargetBackup, b: TargetBackup): number =>
    Number(a.isAhead) - Number(b.isAhead) ||
    Number(b.installation === own) - Number(a.installation === own) ||
    b.madeAt - a.madeAt;

export type PrepareJob = {
  database: string;
  /** An uploaded file, which is moved, or a file at a target. */
  from: { file: string } | { place: TargetPlace; name: string };
  secret: string | null;
  now: number;
};

async function contentOf({ from }: PrepareJob) {
  if ('file' in from) return fileSource(from.file);
  const target = chooseTarget(from.place);
  const found = readTarget(await target.list()).find(
    ({ name, kind }) => name === from.name && kind === 'backup',
  );
  if (!found) throw new TargetError('That backup no longer exists. Choose another one.');
  const content = await target.read(found.name);
  return { bytes: found.bytes, open: () => content };
}

/**
 * Fetches a backup, decrypts and verifies it, and stores it next to the database, ready to be restored.
 * @throws StartError (a sentence); then only the fetched file remains
 */
export async function prepare(
  job: PrepareJob,
  onProgress: (share: number) => void,
): Promise<{ preview: RestorePreview }> {
  const path = fetchedPath(job.database);
  const { bytes, open } = await contentOf(job);
  await fetchInto({ content: open(), bytes, secret: job.secret, path, onProgress });
  return { preview: prepareRestore(path, job.database, job.now) };
}
