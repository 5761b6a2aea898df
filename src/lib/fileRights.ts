import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

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
