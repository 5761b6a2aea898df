import type { Offer, OfferedCommit, UpdateSource, Workplace } from './offer.ts';
import { succeeded, TIME_LIMITS, type Tools } from './tools.ts';
import { type ProgramVersion, UpdateError } from '../shared/updateState.ts';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyExecutable } from '../shared/swap.ts';
import { BUILD_NEED } from '../shared/room.ts';
import { parseJson } from '#lib/json.ts';
import { readRecord, readText } from '#lib/read.ts';

export type CheckoutState = {
  branch: string;
  /** The upstream of the branch: `refs/remotes/origin/main`, or a local branch. */
  upstream: string;
  remote: string;
  head: string;
};

const NAMED_FILES = 3;
const MAX_COMMITS = 50;
const MAX_SUBJECT = 200;

export const withoutCredentials = (text: string): string => text.replace(/:\/\/[^/@\s]{1,500}@/g, '://');

function fileList(paths: readonly string[]): string {
  const named = paths.slice(0, NAMED_FILES).join(', ');
  const more = paths.length - NAMED_FILES;
  return more > 0 ? `${named} and ${more} more` : named;
}

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
  const text = succeeded(result, `git cannot read the checkout ${folder} (${reason}).`, TIME_LIMITS.local);
  const changed = text
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => entry.slice(3));
  if (changed.length === 0) return;
  throw new UpdateError(
    `The checkout has uncommitted changes: ${fileList(changed)}. Commit or undo them, then try again.`,
  );
}

/** Reads the state of a checkout, without network. @throws UpdateError if it can't be updated */
export async function readCheckout(tools: Tools, folder: string): Promise<CheckoutState> {
  await refuseDirty(tools, folder);
  const line = async (...args: string[]): Promise<string | null> => {
    const { code, stdout } = await tools.git(folder, args);
    return code === 0 && stdout.trim() !== '' ? stdout.trim() : null;
  };
  const branch = await line('symbolic-ref', '--quiet', '--short', 'HEAD');
  if (branch === null) {
    throw new UpdateError('The checkout is not on a branch. Check out a branch first.');
  }
  const head = await line('rev-parse', '--verify', 'HEAD^{commit}');
  if (head === null) throw new UpdateError(`The branch ${branch} has no commits yet.`);
  const upstream = await line('rev-parse', '--symbolic-full-name', '@{upstream}');
  const remote = await line('config', '--get', `branch.${branch}.remote`);
  if (upstream === null || remote === null) {
    throw new UpdateError(
      `The branch ${branch} has no upstream branch, so nothing can be fetched. ` +
        `Set one with: git branch --set-upstream-to=origin/${branch}`,
    );
  }
  return { branch, upstream, remote, head };
}

const SAFE_SCHEMES = ['https', 'ssh', 'git+ssh', 'ssh+git', 'file'];

/** Fetched code is run, so its sender must be verified. @throws UpdateError for an insecure address */
async function needSafeRemote(tools: Tools, folder: string, remote: string): Promise<void> {
  // Asks git, which applies the checkout's own rules for rewriting addresses.
  const asked = await tools.git(folder, ['ls-remote', '--get-url', '--end-of-options', remote]);
  const address = succeeded(asked, `git cannot read the address of ${remote}.`, TIME_LIMITS.local).trim();
  const scheme = /^([a-z][a-z\d+.-]{0,40})(?:::|:\/\/)/i.exec(address)?.[1]?.toLowerCase();
  if (scheme === undefined || SAFE_SCHEMES.includes(scheme)) return;
  const name = withoutCredentials(remote);
  throw new UpdateError(
    `The remote ${name} uses ${scheme}, which does not protect against tampering. Use https or ssh: ` +
      `git remote set-url ${name} https://…`,
  );
}

/**
 * Why git could not fetch. The first lines of git or ssh name the reason; the last are general advice.
 * @param tail the last printed lines
 */
const fetchProblem = (tail: readonly string[]): string =>
  tail.find((line) => !/^warning:/i.test(line)) ?? tail.at(-1) ?? 'git gave no reason';

/** Fetches the upstream of the branch. The checkout stays unchanged. @throws UpdateError */
export async function fetchUpstream(tools: Tools, folder: string, { remote }: CheckoutState): Promise<void> {
  await needSafeRemote(tools, folder, remote);
  const args = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--end-of-options', remote];
  const result = await tools.git(folder, args, TIME_LIMITS.fetch);
  const tail = result.tail.map(withoutCredentials);
  const reason = fetchProblem(tail);
  const sentence = `New commits could not be fetched from ${withoutCredentials(remote)}: ${reason}`;
  succeeded({ ...result, tail }, /[.!?]$/.test(sentence) ? sentence : `${sentence}.`, TIME_LIMITS.fetch);
}

/** The commit to fast-forward to. @throws UpdateError if the branches have diverged, or a file is in the way */
export async function forwardTo(tools: Tools, folder: string, state: CheckoutState): Promise<string> {
  const { branch, upstream, head } = state;
  const ask = async (...args: string[]): Promise<string> =>
    succeeded(
      await tools.git(folder, args),
      `git cannot compare ${branch} with ${upstream}.`,
      TIME_LIMITS.local,
    ).trim();
  const to = await ask('rev-parse', '--verify', `${upstream}^{commit}`);
  const counts = await ask('rev-list', '--left-right', '--count', `${head}...${to}`);
  const [ahead = 0, behind = 0] = counts.split(/\s/).map(Number);
  if (behind === 0) return head;
  if (ahead > 0) {
    const follows = upstream.replace(/^refs\/(?:remotes|heads)\//, '');
    throw new UpdateError(
      `The branch ${branch} and ${follows} have diverged: ${ahead} commits are only here, and ` +
        `${behind} only there. Merge them by hand; an update only fast-forwards.`,
    );
  }
  // After a chown or a copy git reports unchanged files as changed.
  await tools.git(folder, ['update-index', '-q', '--refresh']);
  const dryRun = await tools.git(folder, ['read-tree', '--dry-run', '-m', '-u', head, to]);
  succeeded(
    dryRun,
    `The checkout cannot move to the new commits: ${dryRun.tail.at(-1) ?? 'git gave no reason'}`,
    TIME_LIMITS.local,
  );
  return to;
}

/** Lists the commits from one to another. @returns the newest 50, newest first, and the total */
export async function commitsBetween(
  tools: Tools,
  folder: string,
  from: string,
  to: string,
): Promise<{ commits: OfferedCommit[]; count: number }> {
  const range = `${from}..${to}`;
  const sentence = 'git cannot list the new commits.';
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

/** Refuses sources that need another version of Bun. */
async function needSameBun(tools: Tools, folder: string): Promise<void> {
  const text = await Bun.file(join(folder, 'package.json'))
    .text()
    .catch(() => '{}');
  const parsed = parseJson(text);
  const wanted = readText(readRecord(readRecord(parsed.ok ? parsed.value : null).engines).bun);
  if (wanted === null) return;
  const result = await tools.bun(folder, ['--version'], TIME_LIMITS.local);
  const found = succeeded(result, 'Bun cannot be run.', TIME_LIMITS.local).trim();
  if (found === wanted || Bun.semver.satisfies(found, wanted)) return;
  throw new UpdateError(
    `The new version needs Bun ${wanted}, and this machine has ${found}. Install Bun ${wanted} first.`,
  );
}

async function copySources(tools: Tools, checkout: string, folder: string, offer: Offer): Promise<void> {
  const { to, branch: name } = offer;
  mkdirSync(folder, { recursive: true });
  const git = async (args: readonly string[]): Promise<string> =>
    succeeded(
      await tools.git(folder, args),
      'git cannot copy the new sources from the checkout.',
      TIME_LIMITS.local,
    );
  await git(['init', '--quiet', '--template=']);
  // Fetches by the branch's name, because servers refuse unadvertised commits.
  const upstream = await tools.git(checkout, ['rev-parse', '--symbolic-full-name', '@{upstream}']);
  for (const ref of ['HEAD', upstream.stdout.trim()]) {
    await git(['fetch', '--quiet', '--depth=1', '--no-tags', '--end-of-options', checkout, ref]);
    if ((await git(['rev-parse', '--verify', 'FETCH_HEAD^{commit}'])).trim() === to.commit) {
      // Uses a branch of the same name, which the build writes into the executable.
      await git(['checkout', '--quiet', '--force', '-B', name ?? 'main', 'FETCH_HEAD']);
      return;
    }
  }
  throw new UpdateError('The checkout moved while it was being read. Try again.');
}

const BUILT = join('dist', 'bellbird');
const STAMP = join('dist', 'stamp.json');
const MAX_STAMP = 4096;

/** New versions from the checkout of the executable, fetched and built in a folder of their own. */
export class CheckoutSource implements UpdateSource {
  readonly kind = 'checkout';
  readonly need = BUILD_NEED;
  #stamp: string | null = null;

  constructor(
    private readonly folder: string,
    private readonly deps: { tools: Tools; running: ProgramVersion },
  ) {}

  async findOffer(): Promise<Offer> {
    const { folder } = this;
    const { tools, running } = this.deps;
    tools.need('bun');
    const state = await readCheckout(tools, folder);
    await fetchUpstream(tools, folder, state);
    const to = await forwardTo(tools, folder, state);
    // The running program may be behind the checkout, after a pull without a build.
    const isKnown = await tools.git(folder, ['merge-base', '--is-ancestor', running.commit, to]);
    const from = isKnown.code === 0 ? running.commit : state.head;
    const offered = await commitsBetween(tools, folder, from, to);
    return {
      isNew: to !== running.commit,
      to: { version: null, commit: to },
      branch: state.branch,
      ...offered,
      notes: null,
    };
  }

  async make(offer: Offer, { folder: work, target, step }: Workplace): Promise<void> {
    const { tools } = this.deps;
    const sources = join(work, 'sources');
    await step('Take the sources', async () => {
      await copySources(tools, this.folder, sources, offer);
      await needSameBun(tools, sources);
    });
    await step('Install libraries', async () => {
      const result = await tools.bun(sources, ['install', '--frozen-lockfile'], TIME_LIMITS.install);
      succeeded(result, 'The libraries of the new version could not be installed.', TIME_LIMITS.install);
    });
    await step('Build', () => this.#build(sources, target));
  }

  async #build(sources: string, target: string): Promise<void> {
    const result = await this.deps.tools.bun(sources, [join('scripts', 'build.ts')], TIME_LIMITS.build);
    succeeded(result, 'The new version does not build.', TIME_LIMITS.build);
    const built = join(sources, BUILT);
    if (!existsSync(built))
      throw new UpdateError('The build succeeded but produced no executable.', result.tail);
    copyExecutable(built, target);
    const stamped = join(sources, STAMP);
    this.#stamp = existsSync(stamped) ? readFileSync(stamped, 'utf8').slice(0, MAX_STAMP) : null;
  }

  async checkout({ to }: Offer): Promise<{ folder: string; from: string; to: string }> {
    // Checks again, because minutes have passed.
    const { head } = await readCheckout(this.deps.tools, this.folder);
    return { folder: this.folder, from: head, to: to.commit };
  }

  /**
   * Writes the stamp, so that `bun start` does not build again. It is written last, because it must never be next
   * to an older executable.
   */
  settle(): void {
    try {
      if (this.#stamp !== null) writeFileSync(join(this.folder, STAMP), this.#stamp);
    } catch {
      // A missing stamp costs one more build.
    }
  }
}
