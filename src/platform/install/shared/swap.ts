import { chmodSync, copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncFile, syncFolder } from '#lib/files.ts';

/** The path of the new executable, next to the old one, because a rename within a folder is atomic. */
export const nextPath = (executable: string): string => `${executable}.next`;

export const previousPath = (executable: string): string => `${executable}.previous`;

export function copyExecutable(from: string, to: string): void {
  rmSync(to, { force: true });
  copyFileSync(from, to);
  chmodSync(to, 0o755);
  syncFile(to);
  syncFolder(dirname(to));
}

/** Hard-links a file, or copies it if the file system has no hard links. */
function duplicate(from: string, to: string): void {
  rmSync(to, { force: true });
  try {
    linkSync(from, to);
    syncFolder(dirname(to));
  } catch {
    copyExecutable(from, to);
  }
}

/** Keeps the current executable under a second name as well. */
export function keepPrevious(executable: string): string {
  const previous = previousPath(executable);
  // The copy gets its name when it is complete.
  duplicate(executable, `${previous}.partial`);
  renameSync(`${previous}.partial`, previous);
  syncFolder(dirname(previous));
  return previous;
}

/** Replaces the executable by the new one, atomically. */
export function swapIn(executable: string): void {
  renameSync(nextPath(executable), executable);
  syncFolder(dirname(executable));
}

/** Restores the kept executable. It can be repeated. @returns false if none was kept, so that nothing was replaced */
export function swapBack(executable: string, previous: string): boolean {
  if (!existsSync(previous)) return false;
  // Renaming one hard link to another does nothing, so a third name is needed.
  const back = `${executable}.back`;
  duplicate(previous, back);
  renameSync(back, executable);
  rmSync(back, { force: true });
  syncFolder(dirname(executable));
  return true;
}
