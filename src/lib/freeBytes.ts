import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from './errorCode.ts';

/**
 * Bytes that this process may still write on the disk of a folder, or of the nearest one above it that exists.
 * @returns null when the system does not tell
 */
export function freeBytes(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch (error) {
    const above = dirname(folder);
    if (errorCode(error) !== 'ENOENT' || above === folder) return null;
    return freeBytes(above);
  }
}
