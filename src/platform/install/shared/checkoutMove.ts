import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import type { UpdateState } from './updateState.ts';

type Checkout = NonNullable<UpdateState['checkout']>;

const GIT_OPTIONS = [
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'submodule.recurse=false',
];

/** @returns what git printed, null when it failed; `problem` is its last line */
function git(path: string, folder: string, args: readonly string[]): { out: string | null; problem: string } {
  const options = { cwd: folder, stdin: 'ignore', timeout: 60_000 } as const;
  const run = Bun.spawnSync([path, ...GIT_OPTIONS, ...args], { ...options, stdout: 'pipe', stderr: 'pipe' });
  const problem = run.stderr.toString().trim().split('\n').at(-1)?.slice(0, 300) ?? '';
  return { out: run.exitCode === 0 ? run.stdout.toString().trim() : null, problem };
}

/**
 * Moves a checkout's branch and files from one commit to another, and only from that one: wherever else it stands,
 * somebody has worked in it, and it is left alone. What was changed in it and not committed is never lost: then it does
 * not move.
 *
 * @param gitPath the program
 * @param isTorn a move was cut off by a power failure, so that files may be of both commits; the tree had been looked
 *   at just before and was clean
 * @returns null when it is where it should be, else why it is not, in a sentence
 */
export function moveCheckout(
  gitPath: string | null,
  { folder, from, to }: Checkout,
  { isTorn = false } = {},
): string | null {
  if (from === to) return null;
  if (gitPath === null) return `The checkout ${folder} was not moved, as git was not found.`;
  const head = git(gitPath, folder, ['rev-parse', '--verify', 'HEAD^{commit}']);
  if (head.out === to && !isTorn) return null;
  if (head.out !== from && head.out !== to) {
    return `The checkout ${folder} stands at another commit than it did (${head.out ?? head.problem}), so it was left alone.`;
  }
  // Of the move that was cut off; nobody else can have it.
  if (isTorn) {
    const lock = git(gitPath, folder, ['rev-parse', '--git-path', 'index.lock']).out;
    if (lock !== null) rmSync(resolve(folder, lock), { force: true });
  }
  // Files that were only chowned or copied would count as changed. Where this fails, the move says why.
  git(gitPath, folder, ['update-index', '-q', '--refresh']);
  const moved = git(gitPath, folder, ['reset', '--quiet', isTorn ? '--hard' : '--keep', to]);
  return moved.out === null ? `The checkout ${folder} could not be moved: ${moved.problem}` : null;
}
