import { chmodSync, copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncFile, syncFolder } from '#lib/files.ts';

/** Where the new executable waits, beside the one that is in use: only there a rename can't fail half-way. */
export const nextPath = (executable: string): string => `${executable}.next`;

/** Where the old executable is kept. */
export const previousPath = (executable: string): string => `${executable}.previous`;

/** Copies an executable so that it is on the disk, whole, before anybody is told of it. */
export function copyExecutable(from: string, to: string): void {
  rmSync(to, { force: true });
  copyFileSync(from, to);
  chmodSync(to, 0o755);
  syncFile(to);
  syncFolder(dirname(to));
}

/** A second name for a file; a copy where the file system knows no second names. */
function duplicate(from: string, to: string): void {
  rmSync(to, { force: true });
  try {
    linkSync(from, to);
    syncFolder(dirname(to));
  } catch {
    copyExecutable(from, to);
  }
}

/**
 * Keeps the executable that is in use under a second name. Its own name goes on being there.
 * @returns the second name
 */
export function keepPrevious(executable: string): string {
  const previous = previousPath(executable);
  // Under the old name of the kept one only when it is complete.
  duplicate(executable, `${previous}.partial`);
  renameSync(`${previous}.partial`, previous);
  syncFolder(dirname(previous));
  return previous;
}

/** Puts the new executable in the place of the one that is in use; at no moment is there none. */
export function swapIn(executable: string): void {
  renameSync(nextPath(executable), executable);
  syncFolder(dirname(executable));
}

/**
 * Puts the kept executable back in its place. Doing it again changes nothing.
 * @returns false when it was never kept, so that nothing was replaced either
 */
export function swapBack(executable: string, previous: string): boolean {
  if (!existsSync(previous)) return false;
  // A rename of two names of one file does nothing, so the third name is made first and removed where it is left.
  const back = `${executable}.back`;
  duplicate(previous, back);
  renameSync(back, executable);
  rmSync(back, { force: true });
  syncFolder(dirname(executable));
  return true;
}
