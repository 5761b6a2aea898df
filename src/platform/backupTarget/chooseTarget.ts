import { createS3Target } from './s3Target.ts';
import {
  type BackupTarget,
  type TargetPlace,
  filteredBy,
  TargetError,
  type TargetFile,
  type TargetUse,
} from './target.ts';
import { createWebDavTarget } from './webdavTarget.ts';
import { closeSync, fsyncSync, openSync, existsSync, readdirSync, statSync } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, isNoRoom } from '#lib/errors.ts';
import { syncFolder, writeAll, writeDurably } from '#lib/files.ts';

/** Written into a folder with the first backup. If it is missing, the folder may be an empty mount point. */
const MARKER = 'bellbird-target.txt';
const TEXT =
  'Bellbird keeps backups in this folder. Do not remove this file: without it Bellbird assumes that the disk is not mounted and sends no backups.\n';

const deviceOf = (folder: string): number | undefined => statSync(folder, { throwIfNoEntry: false })?.dev;

/**
 * Why a folder may be the wrong one. An empty mount point looks like any other folder, but backups in it fill
 * the disk of the data and are lost with it.
 * @returns a sentence; null if nothing is doubtful
 * @throws an error of the file system if the folder can't be read
 */
function folderDoubt(folder: string, { dataFolder, prefix, isKnown }: TargetUse): string | null {
  const names = readdirSync(folder);
  if (names.includes(MARKER)) return null;
  const remedy = `To use the folder anyway, create an empty file ${MARKER} in it.`;
  if (deviceOf(folder) === deviceOf(dataFolder))
    return `The folder ${folder} is on the same disk as the data. If it should be on another disk or a share, mount that first. ${remedy}`;
  if (!isKnown || names.some((name) => name.startsWith(prefix))) return null;
  return `The folder ${folder} does not hold the backups that were sent there. Mount its disk or share. ${remedy}`;
}

function leaveMarker(folder: string): void {
  if (!existsSync(join(folder, MARKER))) writeDurably(join(folder, MARKER), TEXT, 0o600);
}

const PARTIAL = '.partial';

function toTargetError(folder: string, error: unknown): unknown {
  if (error instanceof TargetError) return error;
  const code = errorCode(error);
  if (isNoRoom(error))
    return new TargetError(`There is no space left in ${folder}. Free some space there.`, { cause: error });
  if (code === 'ENOENT')
    return new TargetError(`The folder ${folder} does not exist. Check that its disk or share is mounted.`, {
      cause: error,
    });
  if (code === '') return error;
  return new TargetError(`The folder ${folder} cannot be used (${code}).`, { cause: error });
}

async function writeFile(folder: string, name: string, content: ReadableStream<Uint8Array>): Promise<void> {
  const partial = join(folder, name + PARTIAL);
  await rm(partial, { force: true });
  const handle = openSync(partial, 'wx', 0o600);
  try {
    for await (const chunk of content) writeAll(handle, chunk);
    fsyncSync(handle);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  } finally {
    closeSync(handle);
  }
  await rename(partial, join(folder, name));
  syncFolder(folder);
}

async function filesIn(folder: string): Promise<TargetFile[]> {
  const names = await readdir(folder);
  const files: TargetFile[] = [];
  for (const name of names) {
    const info = await stat(join(folder, name)).catch(() => null);
    if (info?.isFile() === true) files.push({ name, bytes: info.size });
  }
  return files;
}

/**
 * A folder on another disk or a mounted share. It is never created: if it is missing, the disk is not mounted, and
 * a new folder would be on the disk of the data. An empty folder is refused if it may be the mount point of such a
 * disk.
 */
function createFolderTarget(folder: string): BackupTarget {
  const withTargetErrors = filteredBy((error) => toTargetError(folder, error));
  return {
    prepare: (use) =>
      withTargetErrors(async () => {
        const doubt = folderDoubt(folder, use);
        if (doubt !== null) throw new TargetError(doubt);
        leaveMarker(folder);
      }),
    doubt: (use) => withTargetErrors(async () => folderDoubt(folder, use)),
    list: () => withTargetErrors(() => filesIn(folder)),
    write: (name, content) => withTargetErrors(() => writeFile(folder, name, content)),
    read: (name) =>
      withTargetErrors(async () => {
        await stat(join(folder, name));
        return Bun.file(join(folder, name)).stream();
      }),
    remove: (name) => withTargetErrors(() => rm(join(folder, name), { force: true })),
  };
}

export function chooseTarget(place: TargetPlace): BackupTarget {
  if (place.kind === 'folder') return createFolderTarget(place.path);
  return place.kind === 's3' ? createS3Target(place) : createWebDavTarget(place);
}
