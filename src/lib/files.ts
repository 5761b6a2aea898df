import {
  chmodSync,
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCode } from './errors.ts';

export type DiskRoom = { free: number; size: number };

/** The disk of a folder, or of its nearest existing parent. @returns null if the system does not report it */
export function diskRoom(folder: string): DiskRoom | null {
  try {
    const { bavail, blocks, bsize } = statfsSync(folder);
    return { free: bavail * bsize, size: blocks * bsize };
  } catch (error) {
    const above = dirname(folder);
    if (errorCode(error) !== 'ENOENT' || above === folder) return null;
    return diskRoom(above);
  }
}

export const freeBytes = (folder: string): number | null => diskRoom(folder)?.free ?? null;

const RESERVED = 200;

/** Files and connections that this process may open; null if unknown or unlimited. */
export function openFileLimit(): number | null {
  try {
    const found = /^Max open files\s{1,40}(\d{1,15})/m.exec(readFileSync('/proc/self/limits', 'utf8'));
    return found === null ? null : Number(found[1]);
  } catch {
    return null;
  }
}

/**
 * The number of price streams, and of alert streams, that fit the limit. At the limit the system refuses
 * connections itself, and the runtime retries without a pause, which uses a whole core.
 */
export const streamsWithin = (limit: number): number =>
  Math.max(1, Math.floor((limit - Math.min(RESERVED, limit / 2)) / 2));

const FOLDER_RIGHTS = 0o700;
const FILE_RIGHTS = 0o600;

export type RightsReport = { mended: string[]; failed: string[] };

function excessRights(path: string): number {
  const info = lstatSync(path, { throwIfNoEntry: false });
  // A link's target may be meant for others, such as a log folder.
  if (!info || info.isSymbolicLink()) return 0;
  return info.mode & 0o777 & ~(info.isDirectory() ? FOLDER_RIGHTS : FILE_RIGHTS);
}

export const isOpen = (path: string): boolean => excessRights(path) !== 0;

function close(path: string, report: RightsReport): void {
  if (!isOpen(path)) return;
  try {
    // Uses the path, because closing a handle on a database would drop SQLite's locks.
    chmodSync(path, lstatSync(path).isDirectory() ? FOLDER_RIGHTS : FILE_RIGHTS);
  } catch {
    // Another owner's file, or a file system without permissions; reported below.
  }
  (isOpen(path) ? report.failed : report.mended).push(path);
}

/**
 * Removes the permissions of others, in this order: a folder before its contents, so that no link can replace
 * a file in between.
 * @param paths missing ones and symbolic links are skipped
 * @returns the paths that others could access
 */
export function keepPrivate(paths: readonly string[]): RightsReport {
  const report: RightsReport = { mended: [], failed: [] };
  for (const path of paths) close(path, report);
  return report;
}

export function withFiles(folder: string): string[] {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return [folder, ...entries.filter((entry) => entry.isFile()).map(({ name }) => join(folder, name))];
}

/** Writes all bytes, even in several writes. @param at offset; the current position if missing */
export function writeAll(handle: number, bytes: Uint8Array, at?: number): void {
  for (let done = 0; done < bytes.byteLength; )
    done += writeSync(handle, bytes, done, bytes.byteLength - done, at === undefined ? undefined : at + done);
}

export function syncFile(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } catch (error) {
    // Some file systems (network shares, FAT) can't sync a folder.
    if (!['EINVAL', 'ENOTSUP', 'EPERM'].includes(errorCode(error))) throw error;
  } finally {
    closeSync(handle);
  }
}

/** Writes a file atomically: after a power cut it is either old or new. @param mode its permissions */
export function writeDurably(path: string, text: string | Uint8Array, mode: number): void {
  const partial = `${path}.partial`;
  // A file left by a killed process may have other permissions.
  rmSync(partial, { force: true });
  const handle = openSync(partial, 'wx', mode);
  try {
    writeFileSync(handle, text);
    fsyncSync(handle);
  } catch (error) {
    // On a full disk, what was written would block other files.
    rmSync(partial, { force: true });
    throw error;
  } finally {
    closeSync(handle);
  }
  renameSync(partial, path);
  syncFolder(dirname(path));
}
