import type { OfferedCommit } from './offer.ts';
import { succeeded, TIME_LIMITS, type Tools } from './tools.ts';
import { UpdateError } from '../shared/updateError.ts';

/** Where a checkout stands, and what it follows. */
export type CheckoutState = {
  branch: string;
  /** What the branch follows: `refs/remotes/origin/main`, or a local branch. */
  upstream: string;
  /** The name of the remote; `.` for a local branch. */
  remote: string;
  head: string;
};

const NAMED_FILES = 3;
const MAX_COMMITS = 50;
const MAX_SUBJECT = 200;

/** Without a name and password, which an address may hold. */
export const withoutCredentials = (text: string): string => text.replace(/:\/\/[^/@\s]{1,500}@/g, '://');

function fileList(paths: readonly string[]): string {
  const named = paths.slice(0, NAMED_FILES).join(', ');
  const more = paths.length - NAMED_FILES;
  return more > 0 ? `${named} and ${more} more` : named;
}

/** @throws UpdateError naming the first files that were changed and not committed */
async function refuseDirty(tools: Tools, folder: string): Promise<void> {
  const args = [
    'status',
    '--porcelain=v1',
    '-z',
    '--no-renames',
    '--untracked-files=no',
    '--ignore-submodules=all',
  ];
  const result = await tools.git(folder, args);
  const reason = result.tail.at(-1) ?? 'it printed nothing';
  const text = succeeded(result, `git can't read the checkout ${folder} (${reason}).`, TIME_LIMITS.local);
  const changed = text
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => entry.slice(3));
  if (changed.length === 0) return;
  throw new UpdateError(
    `The checkout has changes that are not committed: ${fileList(changed)}. Commit or undo them, then try again.`,
  );
}

/**
 * Where a checkout stands. Nothing is asked of another machine.
 * @throws UpdateError with a sentence when it can't be updated as it is
 */
export async function readCheckout(tools: Tools, folder: string): Promise<CheckoutState> {
  await refuseDirty(tools, folder);
  const line = async (...args: string[]): Promise<string | null> => {
    const { code, stdout } = await tools.git(folder, args);
    return code === 0 && stdout.trim() !== '' ? stdout.trim() : null;
  };
  const branch = await line('symbolic-ref', '--quiet', '--short', 'HEAD');
  if (branch === null) {
    throw new UpdateError(
      'The checkout is on no branch, so there is nothing that it follows. Check out a branch first.',
    );
  }
  const head = await line('rev-parse', '--verify', 'HEAD^{commit}');
  if (head === null) throw new UpdateError(`The branch ${branch} has no commits yet.`);
  const upstream = await line('rev-parse', '--symbolic-full-name', '@{upstream}');
  const remote = await line('config', '--get', `branch.${branch}.remote`);
  if (upstream === null || remote === null) {
    throw new UpdateError(
      `The branch ${branch} follows no branch of a remote, so nothing can be fetched. ` +
        `Set one with: git branch --set-upstream-to=origin/${branch}`,
    );
  }
  return { branch, upstream, remote, head };
}

const SAFE_SCHEMES = ['https', 'ssh', 'git+ssh', 'ssh+git', 'file'];

/** What is fetched is built and run, so its sender must be known. @throws UpdateError when the remote's address leaves that open */
async function needSafeRemote(tools: Tools, folder: string, remote: string): Promise<void> {
  // With the rules by which the checkout's configuration rewrites addresses.
  const asked = await tools.git(folder, ['ls-remote', '--get-url', '--end-of-options', remote]);
  const address = succeeded(asked, `git can't read the address of ${remote}.`, TIME_LIMITS.local).trim();
  const scheme = /^([a-z][a-z\d+.-]{0,40})(?:::|:\/\/)/i.exec(address)?.[1]?.toLowerCase();
  if (scheme === undefined || SAFE_SCHEMES.includes(scheme)) return;
  const name = withoutCredentials(remote);
  throw new UpdateError(
    `The remote ${name} is reached by ${scheme}, which proves nothing about what it sends. Use https or ssh: ` +
      `git remote set-url ${name} https://…`,
  );
}

/**
 * Why git could not fetch: what it, or ssh, says first. The last lines are its advice, the same for every reason.
 * @param tail the last lines that it printed
 */
const fetchProblem = (tail: readonly string[]): string =>
  tail.find((line) => !/^warning:/i.test(line)) ?? tail.at(-1) ?? 'git gave no reason';

/** Brings what the branch follows up to date; the checkout itself stays as it is. @throws UpdateError */
export async function fetchUpstream(tools: Tools, folder: string, { remote }: CheckoutState): Promise<void> {
  await needSafeRemote(tools, folder, remote);
  const args = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--end-of-options', remote];
  const result = await tools.git(folder, args, TIME_LIMITS.fetch);
  const tail = result.tail.map(withoutCredentials);
  const reason = fetchProblem(tail);
  const sentence = `New commits could not be fetched from ${withoutCredentials(remote)}: ${reason}`;
  succeeded({ ...result, tail }, /[.!?]$/.test(sentence) ? sentence : `${sentence}.`, TIME_LIMITS.fetch);
}

/**
 * The commit to which the checkout can move by going forward only.
 * @throws UpdateError when the branches have gone different ways, or a file lies in the way
 */
export async function forwardTo(tools: Tools, folder: string, state: CheckoutState): Promise<string> {
  const { branch, upstream, head } = state;
  const ask = async (...args: string[]): Promise<string> =>
    succeeded(
      await tools.git(folder, args),
      `git can't compare ${branch} with ${upstream}.`,
      TIME_LIMITS.local,
    ).trim();
  const to = await ask('rev-parse', '--verify', `${upstream}^{commit}`);
  const counts = await ask('rev-list', '--left-right', '--count', `${head}...${to}`);
  const [ahead = 0, behind = 0] = counts.split(/\s/).map(Number);
  if (behind === 0) return head;
  if (ahead > 0) {
    const follows = upstream.replace(/^refs\/(?:remotes|heads)\//, '');
    throw new UpdateError(
      `The branch ${branch} and ${follows} have gone different ways: ${ahead} commits here are not there, and ` +
        `${behind} there are not here. Bring them together by hand; an update only goes forward.`,
    );
  }
  // After a chown or a copy of the files git takes each for one that it has not looked at. Where this fails, the next says why.
  await tools.git(folder, ['update-index', '-q', '--refresh']);
  const dryRun = await tools.git(folder, ['read-tree', '--dry-run', '-m', '-u', head, to]);
  succeeded(
    dryRun,
    `The checkout can't move to the new commits: ${dryRun.tail.at(-1) ?? 'git gave no reason'}`,
    TIME_LIMITS.local,
  );
  return to;
}

/**
 * The commits that come between two.
 * @returns the newest 50, newest first, and how many there are
 */
export async function commitsBetween(
  tools: Tools,
  folder: string,
  from: string,
  to: string,
): Promise<{ commits: OfferedCommit[]; count: number }> {
  const range = `${from}..${to}`;
  const sentence = "git can't list the new commits.";
  const listed = await tools.git(folder, [
    'log',
    `--max-count=${MAX_COMMITS}`,
    '--format=%H%x00%ct%x00%s',
    range,
  ]);
  const commits = succeeded(listed, sentence, TIME_LIMITS.local)
    .split('\n')
    .flatMap((line) => {
      const [commit = '', seconds = '', subject = ''] = line.split('\0');
      return commit === ''
        ? []
        : [{ commit, subject: subject.slice(0, MAX_SUBJECT), at: Number(seconds) * 1000 }];
    });
  const counted = await tools.git(folder, ['rev-list', '--count', range]);
  return { commits, count: Number(succeeded(counted, sentence, TIME_LIMITS.local)) };
}
