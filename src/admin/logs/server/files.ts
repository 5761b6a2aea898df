import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../platform/http/errors.ts';

export type LogFileInfo = { name: string; size: number; mtimeMs: number; id: string };

export const NO_FILE = 'There is no such log file.';

/** A log folder holds a dozen; in one with more, the others are not shown. */
const MAX_FILES = 500;

/** A file stays the same when it gets another name, and is another one when a new one gets its name. */
const idOf = ({ ino, birthtimeMs }: { ino: number; birthtimeMs: number }): string =>
  `${ino}-${Math.trunc(birthtimeMs)}`;

/** There is no such file, or a link in its place. */
export const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO'].includes((error as { code?: string }).code ?? '');

function orNone<T>(none: T): (error: unknown) => T {
  return (error) => {
    if (isMissing(error)) return none;
    throw error;
  };
}

/** The names of the folder's own files: no folders, no links, nothing hidden. */
async function namesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(orNone([]));
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .slice(0, MAX_FILES);
}

/** The files of the folder; none when there is no such folder. */
export async function listFiles(folder: string): Promise<LogFileInfo[]> {
  const names = await namesIn(folder);
  const found = await Promise.all(
    names.map(async (name) => {
      const info = await lstat(join(folder, name)).catch(orNone(null));
      return info?.isFile() ? { name, size: info.size, mtimeMs: info.mtimeMs, id: idOf(info) } : null;
    }),
  );
  return found.filter((file) => file !== null);
}

export type OpenLogFile = { handle: FileHandle; size: number; id: string };

/** @throws AppError 404 unless the folder lists a file of exactly that name */
export async function requireListed(folder: string, name: string): Promise<void> {
  if (!(await namesIn(folder)).includes(name)) throw new AppError(404, NO_FILE);
}

/**
 * Opens a file of the folder for reading; whoever calls closes it. A link that took the file's place meanwhile is not
 * followed, and nothing is waited for that is no file.
 *
 * @throws AppError 404 when the folder has no such file
 */
export async function openFile(folder: string, name: string): Promise<OpenLogFile> {
  await requireListed(folder, name);
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(join(folder, name), flags).catch(orNone(null));
  const info = await handle?.stat();
  if (handle && info?.isFile()) return { handle, size: info.size, id: idOf(info) };
  await handle?.close();
  throw new AppError(404, NO_FILE);
}
