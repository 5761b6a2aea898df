import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from './errorCode.ts';

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
