import { Database } from 'bun:sqlite';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../../lib/errorCode.ts';
import { chooseTarget } from '../../../platform/backupTarget/chooseTarget.ts';
import { fetchInto } from '../../../platform/backupTarget/fetch.ts';
import { send, type Source } from '../../../platform/backupTarget/send.ts';
import {
  type BackupTarget,
  type Lock,
  MissingTargetError,
  TargetError,
  type TargetFile,
  type TargetPlace,
} from '../../../platform/backupTarget/target.ts';
import { fetchedPath, prepareRestore, type RestorePreview } from '../../../platform/db/restore.ts';
import { installationOf } from '../../../platform/db/installation.ts';
import { nameOfFile } from '../../recordings/rules/recordingName.ts';
import {
  readTarget,
  recordingName,
  settingsName,
  surplusAtTarget,
  targetName,
} from '../rules/targetFiles.ts';

export type SendJob = {
  kind: 'send';
  database: string;
  place: TargetPlace;
  lock: Lock | null;
  kept: number;
  /** The backup's name, and its file. */
  name: string;
  file: string;
  /** The settings as a file; null leaves them out. */
  settings: string | null;
  /** The folder of the recordings; null leaves them out. */
  recordings: string | null;
  /** Epoch ms. */
  now: number;
};

export type Sent = {
  /** As it lies there. */
  name: string;
  bytes: number;
  removed: number;
};

/** Reads the name of this server out of its database, and makes it where there is none. */
function readInstallation(path: string): string {
  const client = new Database(path, { readwrite: true, create: false, strict: true });
  try {
    client.run('PRAGMA busy_timeout = 5000');
    return installationOf(client);
  } finally {
    client.close();
  }
}

const fileSource = (path: string): Source => ({
  bytes: Bun.file(path).size,
  open: () => Bun.file(path).stream(),
});

function textSource(text: string): Source {
  const blob = new Blob([text]);
  return { bytes: blob.size, open: () => blob.stream() };
}

function recordingFiles(folder: string): string[] {
  try {
    return readdirSync(folder);
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

/** Settings with each backup; of the recordings those that are not there yet. */
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

/** Removes what is too many there, and what a killed sending of this server left half written. */
async function tidy({ target, job, installation }: Work): Promise<number> {
  const files = await target.list();
  const left = files.filter(
    ({ name }) => name.startsWith(`bellbird-${installation}-`) && name.endsWith('.partial'),
  );
  const surplus = surplusAtTarget(readTarget(files), { installation, kept: job.kept, now: job.now });
  for (const name of [...left.map((file) => file.name), ...surplus]) await target.remove(name);
  return surplus.length;
}

/**
 * Sends a backup to the target, reads it again there, and removes what is too many of this server.
 *
 * @throws StartError (a sentence without secrets)
 */
export async function sendBackup(job: SendJob, onProgress: (share: number) => void): Promise<Sent> {
  const target = chooseTarget(job.place);
  const installation = readInstallation(job.database);
  const work: Work = { target, job, installation, onProgress };
  await target.prepare();
  const there = new Set((await target.list()).map(({ name }) => name));
  const bytes = await put(work, nameAt(work, job.name), fileSource(job.file));
  await putRest({ ...work, onProgress: () => onProgress(1) }, there);
  return { name: nameAt(work, job.name), bytes, removed: await tidy(work) };
}

export type ListJob = { place: TargetPlace };

/** The backups at a target, newest first; `missing` is a sentence where there is no folder yet, else null. */
export type ListedTarget = { backups: TargetBackup[]; missing: string | null };

async function filesAt(place: TargetPlace): Promise<TargetFile[] | MissingTargetError> {
  try {
    return await chooseTarget(place).list();
  } catch (error) {
    if (error instanceof MissingTargetError) return error;
    throw error;
  }
}

/** Looks what is at a target, and changes nothing there. @throws StartError (a sentence without secrets) */
export async function listBackupsAt({ place }: ListJob): Promise<ListedTarget> {
  const files = await filesAt(place);
  if (files instanceof MissingTargetError) return { backups: [], missing: files.message };
  const items = readTarget(files);
  const backups = items.flatMap((item) =>
    item.kind === 'backup'
      ? [{ name: item.name, bytes: item.bytes, madeAt: item.backup.madeAt, isEncrypted: item.isEncrypted }]
      : [],
  );
  return { backups: backups.slice(0, MAX_LISTED), missing: null };
}

const MAX_LISTED = 500;
export type TargetBackup = { name: string; bytes: number; madeAt: number; isEncrypted: boolean };

export type PrepareJob = {
  database: string;
  /** A file that came, which is used up, or one of a target. */
  from: { file: string } | { place: TargetPlace; name: string };
  secret: string | null;
  /** Epoch ms. */
  now: number;
};

async function contentOf({ from }: PrepareJob) {
  if ('file' in from) return fileSource(from.file);
  const target = chooseTarget(from.place);
  const found = readTarget(await target.list()).find(
    ({ name, kind }) => name === from.name && kind === 'backup',
  );
  if (!found) throw new TargetError('That backup is not there any more. Choose another one.');
  const content = await target.read(found.name);
  return { bytes: found.bytes, open: () => content };
}

/**
 * Fetches a backup, decrypts it, checks it whole and keeps it beside the database, ready to be chosen.
 *
 * @throws StartError (a sentence); nothing of it stays but the file that came
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
