import { closeSync, fsyncSync, openSync } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '#lib/errorCode.ts';
import { isNoRoom } from '#lib/diskFull.ts';
import { writeAll } from '#lib/writeAll.ts';
import { syncFolder } from '#lib/writeDurably.ts';
import { folderDoubt, leaveMarker } from './folderMarker.ts';
import { type BackupTarget, guardedBy, TargetError, type TargetFile } from './target.ts';

const PARTIAL = '.partial';

function toTargetError(folder: string, error: unknown): unknown {
  if (error instanceof TargetError) return error;
  const code = errorCode(error);
  if (isNoRoom(error))
    return new TargetError(`There is no room left in ${folder}. Make room there.`, { cause: error });
  if (code === 'ENOENT')
    return new TargetError(`The folder ${folder} is not there. Is its disk or share mounted?`, {
      cause: error,
    });
  if (code === '') return error;
  return new TargetError(`The folder ${folder} can't be used (${code}).`, { cause: error });
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
 * A folder of another disk or of a share that is mounted. It is never made: one that is missing is a disk that is not
 * there, and a file written in its place would be on the disk of the data. For the same reason an empty one is
 * refused if it may be the mount point of such a disk.
 */
export function createFolderTarget(folder: string): BackupTarget {
  const guarded = guardedBy((error) => toTargetError(folder, error));
  return {
    prepare: (use) =>
      guarded(async () => {
        const doubt = folderDoubt(folder, use);
        if (doubt !== null) throw new TargetError(doubt);
        leaveMarker(folder);
      }),
    doubt: (use) => guarded(async () => folderDoubt(folder, use)),
    list: () => guarded(() => filesIn(folder)),
    write: (name, content) => guarded(() => writeFile(folder, name, content)),
    read: (name) =>
      guarded(async () => {
        await stat(join(folder, name));
        return Bun.file(join(folder, name)).stream();
      }),
    remove: (name) => guarded(() => rm(join(folder, name), { force: true })),
  };
}
