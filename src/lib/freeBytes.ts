import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from './errorCode.ts';

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
