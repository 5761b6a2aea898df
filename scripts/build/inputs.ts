import { join } from 'node:path';

/** Patterns of all inputs of the build. A brace before a slash would match nothing (Bun 1.4.5). */
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
 * A hash of the names and contents of all inputs, the compiler's version and the commit. Times are ignored, because
 * checkouts and copies change them.
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
 * The name of a build: the commit, or without git (in a downloaded archive) `source-` and the start of the hash of its
 * inputs.
 */
export async function currentCommit(root: string): Promise<string> {
  return (await gitCommit(root)) ?? `source-${(await hashInputs(root, '')).slice(0, 12)}`;
}

export async function currentBranch(root: string): Promise<string | null> {
  const name = await askGit(root, 'rev-parse', '--abbrev-ref', 'HEAD');
  return name === 'HEAD' ? null : name;
}

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
