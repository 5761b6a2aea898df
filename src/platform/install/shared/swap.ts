import { chmodSync, copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { UpdateState } from './updateState.ts';
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

type Checkout = NonNullable<UpdateState['checkout']>;

const GIT_OPTIONS = [
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'submodule.recurse=false',
];

/** @returns the output of git, null if it failed; `problem` is its last line */
function git(path: string, folder: string, args: readonly string[]): { out: string | null; problem: string } {
  const options = { cwd: folder, stdin: 'ignore', timeout: 60_000 } as const;
  const run = Bun.spawnSync([path, ...GIT_OPTIONS, ...args], { ...options, stdout: 'pipe', stderr: 'pipe' });
  const problem = run.stderr.toString().trim().split('\n').at(-1)?.slice(0, 300) ?? '';
  return { out: run.exitCode === 0 ? run.stdout.toString().trim() : null, problem };
}

/**
 * Moves a checkout from one commit to another. Does nothing if it is at another commit or has uncommitted
 * changes, because a person works in it.
 * @param isTorn true after an interrupted move, when files may be of both commits; the tree was clean before
 * @returns null if it succeeded, otherwise the reason in a sentence
 */
export function moveCheckout(
  gitPath: string | null,
  { folder, from, to }: Checkout,
  { isTorn = false } = {},
): string | null {
  if (from === to) return null;
  if (gitPath === null) return `The checkout ${folder} was not moved because git was not found.`;
  const head = git(gitPath, folder, ['rev-parse', '--verify', 'HEAD^{commit}']);
  if (head.out === to && !isTorn) return null;
  if (head.out !== from && head.out !== to) {
    return `The checkout ${folder} is at another commit than expected (${head.out ?? head.problem}), so it was not changed.`;
  }
  // The interrupted move left git's lock.
  if (isTorn) {
    const lock = git(gitPath, folder, ['rev-parse', '--git-path', 'index.lock']).out;
    if (lock !== null) rmSync(resolve(folder, lock), { force: true });
  }
  // Otherwise files that were only chowned or copied count as changed. If this fails, the move reports it.
  git(gitPath, folder, ['update-index', '-q', '--refresh']);
  const moved = git(gitPath, folder, ['reset', '--quiet', isTorn ? '--hard' : '--keep', to]);
  return moved.out === null ? `The checkout ${folder} could not be moved: ${moved.problem}` : null;
}
