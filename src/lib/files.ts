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

/** A disk, in bytes: what this process may still write on it, and how large it is. */
export type DiskRoom = { free: number; size: number };

/**
 * The disk of a folder, or of the nearest one above it that exists.
 * @returns null when the system does not tell
 */
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

/** What is free there, bytes; null when the system does not tell. */
export const freeBytes = (folder: string): number | null => diskRoom(folder)?.free ?? null;

/** Files for everything except streams: database, logs, sources, chats, other requests. */
const RESERVED = 200;

/** How many files and connections the system lets this process open; null if the limit is unknown or there is none. */
export function openFileLimit(): number | null {
  try {
    const found = /^Max open files\s{1,40}(\d{1,15})/m.exec(readFileSync('/proc/self/limits', 'utf8'));
    return found === null ? null : Number(found[1]);
  } catch {
    return null;
  }
}

/**
 * How many streams of a kind, prices or alerts, fit below the limit. Without room for another connection the system refuses
 * them before the server can answer, and the runtime retries without a pause, which takes a whole core.
 */
export const streamsWithin = (limit: number): number =>
  Math.max(1, Math.floor((limit - Math.min(RESERVED, limit / 2)) / 2));

const FOLDER_RIGHTS = 0o700;
const FILE_RIGHTS = 0o600;

/** What was found open to others: paths that were closed, and those that could not be. */
export type RightsReport = { mended: string[]; failed: string[] };

/** The rights that a file or folder gives beyond its owner's own; 0 for what is missing. */
function excessRights(path: string): number {
  const info = lstatSync(path, { throwIfNoEntry: false });
  // A link's target may be meant for others: a log folder that is read by another program.
  if (!info || info.isSymbolicLink()) return 0;
  return info.mode & 0o777 & ~(info.isDirectory() ? FOLDER_RIGHTS : FILE_RIGHTS);
}

/** True when others than the owner have rights to a file or folder. */
export const isOpen = (path: string): boolean => excessRights(path) !== 0;

function close(path: string, report: RightsReport): void {
  if (!isOpen(path)) return;
  try {
    // By its path: closing a handle on a database would drop the locks that SQLite holds on it.
    chmodSync(path, lstatSync(path).isDirectory() ? FOLDER_RIGHTS : FILE_RIGHTS);
  } catch {
    // Told below: another owner's file, or a file system without rights.
  }
  (isOpen(path) ? report.failed : report.mended).push(path);
}

/**
 * Takes everybody's rights but the owner's from files and folders, in this order: a folder before what is in it, so that
 * nobody can put a link in a file's place meanwhile.
 *
 * @param paths missing ones and symbolic links are left out
 * @returns those that others had rights to
 */
export function keepPrivate(paths: readonly string[]): RightsReport {
  const report: RightsReport = { mended: [], failed: [] };
  for (const path of paths) close(path, report);
  return report;
}

/** A folder and the files in it; nothing when there is none. */
export function withFiles(folder: string): string[] {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return [folder, ...entries.filter((entry) => entry.isFile()).map(({ name }) => join(folder, name))];
}

/** Writes all of these bytes, where the system may take a part of them at a time. @param at from which place of the file on; without it where the handle stands */
export function writeAll(handle: number, bytes: Uint8Array, at?: number): void {
  for (let done = 0; done < bytes.byteLength; )
    done += writeSync(handle, bytes, done, bytes.byteLength - done, at === undefined ? undefined : at + done);
}

/** Makes what a file holds survive a power cut. */
export function syncFile(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Makes the names in a folder survive a power cut. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } catch (error) {
    // Some file systems (network shares, FAT) can't sync a folder; then there is nothing more to be done.
    if (!['EINVAL', 'ENOTSUP', 'EPERM'].includes(errorCode(error))) throw error;
  } finally {
    closeSync(handle);
  }
}

/**
 * Writes a file so that after a power cut it is there whole or as it was before, never in part.
 *
 * @param mode the file's rights
 */
export function writeDurably(path: string, text: string | Uint8Array, mode: number): void {
  const partial = `${path}.partial`;
  // What a kill left behind may have other rights.
  rmSync(partial, { force: true });
  const handle = openSync(partial, 'wx', mode);
  try {
    writeFileSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(partial, path);
  syncFolder(dirname(path));
}
