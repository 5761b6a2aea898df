import { join } from 'node:path';

/** Everything that decides what the build makes. A brace before a slash would match nothing (Bun 1.4.5). */
const PATTERNS = [
  'src/**/*',
  'web/**/*',
  'migrations/**/*',
  'deploy/systemd/*',
  'scripts/build/**/*',
  'scripts/build.ts',
  'scripts/*Plugin.ts',
  '{package.json,bun.lock,tsconfig.json,release-key.pub}',
];

/**
 * One hash over the names and contents of all inputs, the compiler's version and the commit.
 * Content rather than times: a checkout, a restored cache or a copied folder changes times at will.
 */
export async function hashInputs(root: string, commit: string): Promise<string> {
  const paths = new Set<string>();
  for (const pattern of PATTERNS) {
    for await (const path of new Bun.Glob(pattern).scan({ cwd: root, onlyFiles: true })) paths.add(path);
  }
  const hash = new Bun.CryptoHasher('sha256');
  hash.update(`${Bun.version} ${Bun.revision} ${process.platform} ${process.arch} ${commit}\n`);
  for (const path of [...paths].sort()) {
    const content = await Bun.file(join(root, path)).bytes();
    hash.update(`${path} ${content.byteLength}\n`);
    hash.update(content);
  }
  return hash.digest('hex');
}

/**
 * What a build is known by: the checked-out commit; without git, or outside a checkout (a downloaded archive builds as
 * well), `source-` and the start of the hash of its inputs, so that two different builds can still be told apart.
 */
export async function currentCommit(root: string): Promise<string> {
  return (await gitCommit(root)) ?? `source-${(await hashInputs(root, '')).slice(0, 12)}`;
}

/** The branch that is checked out; null outside a checkout, and where a commit is checked out by itself. */
export async function currentBranch(root: string): Promise<string | null> {
  const name = await askGit(root, 'rev-parse', '--abbrev-ref', 'HEAD');
  return name === 'HEAD' ? null : name;
}

/** When the checked-out commit was made; null without git. What is dated by it is the same in every build of it. */
export async function commitTime(root: string): Promise<Date | null> {
  const seconds = await askGit(root, 'log', '-1', '--format=%ct');
  return seconds === null ? null : new Date(Number(seconds) * 1000);
}

const gitCommit = (root: string): Promise<string | null> => askGit(root, 'rev-parse', 'HEAD');

async function askGit(root: string, ...words: readonly string[]): Promise<string | null> {
  const git = Bun.which('git');
  if (!git) return null;
  const run = Bun.spawn([git, ...words], { cwd: root, stdout: 'pipe', stderr: 'ignore' });
  const text = (await new Response(run.stdout).text()).trim();
  return (await run.exited) === 0 && text !== '' ? text : null;
}
