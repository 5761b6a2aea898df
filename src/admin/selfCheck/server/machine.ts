import { accessSync, constants, existsSync, lstatSync, readdirSync, readFileSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DataPaths } from '#src/config/dataPaths.ts';
import { errorCode } from '#lib/errors.ts';
import { isOpen, withFiles } from '#lib/files.ts';
import type { Finding } from '#lib/finding.ts';
import {
  diskFinding,
  type DiskState,
  memoryFinding,
  rightsFindings,
  type SeenFile,
} from '../rules/findings.ts';

const OWN_FILE = /^(?:bellbird\.|jwt-secret|played-recording)/;

/** What stands in the way of writing to a path: '' for nothing. */
function writeProblem(path: string): string {
  try {
    accessSync(path, constants.W_OK);
    return '';
  } catch (error) {
    return errorCode(error) || 'unknown';
  }
}

/** The folder, what of the data lies in it, and the folders of copies, logs and recordings with their files. */
function ownPaths(paths: DataPaths): string[] {
  if (!existsSync(paths.folder)) return [];
  try {
    const names = readdirSync(paths.folder).filter((name) => OWN_FILE.test(name));
    const folders = [paths.logs, paths.backups, paths.recordings].flatMap(withFiles);
    return [paths.folder, ...names.map((name) => join(paths.folder, name)), ...folders];
  } catch {
    // Another user's: the folder itself tells it.
    return [paths.folder];
  }
}

/** Gone meanwhile, as a side file of the database may be, is left out. */
function seen(path: string): SeenFile[] {
  const info = lstatSync(path, { throwIfNoEntry: false });
  if (!info) return [];
  return [{ path, uid: info.uid, isOpen: isOpen(path), isWritable: writeProblem(path) === '' }];
}

/** The disk of a folder, or of the nearest one above it that exists. */
function diskOf(folder: string): DiskState | null {
  try {
    const { bavail, bsize, ffree, files } = statfsSync(folder);
    const isReadOnly = writeProblem(folder) === 'EROFS';
    return { freeBytes: bavail * bsize, freeFiles: ffree, files, isReadOnly };
  } catch (error) {
    const above = dirname(folder);
    return errorCode(error) !== 'ENOENT' || above === folder ? null : diskOf(above);
  }
}

/** What programs may still take without swapping; what of it a container may is less. */
function availableMemory(): number | null {
  try {
    const kb = /^MemAvailable:\s{1,20}(\d{1,15}) kB/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1];
    if (kb !== undefined) return Math.min(Number(kb) * 1024, process.availableMemory());
  } catch {
    // No Linux: the runtime knows.
  }
  const available = process.availableMemory();
  return available > 0 ? available : null;
}

/** Rights of the data folder, its disk, and the machine's memory. Changes nothing. */
export function machineFindings(paths: DataPaths): Finding[] {
  const uid = process.getuid?.() ?? null;
  return [
    ...rightsFindings(ownPaths(paths).flatMap(seen), paths.folder, uid),
    diskFinding(diskOf(paths.folder), paths.folder),
    memoryFinding(availableMemory()),
  ];
}
