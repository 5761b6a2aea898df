import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readSources } from '../test/support/sourceGraph.ts';
import { testsThatReach, thatFit } from './check/reached.ts';
import { CHECK_TYPES, tool } from './check/tool.ts';
import { SHORT_TESTS } from './check/shortRun.ts';
import { bunTest, byKind, isDrill } from './check/testRuns.ts';
import { keptTimes } from './check/testTimes.ts';

const root = dirname(import.meta.dir);

/** Time limit of the tests, s. Type checking takes about as long in parallel. */
const TESTS_SECONDS = 12;
const MAX_LINES = 60;

/** @property files the files to check; without any the check is skipped */
type Check = { name: string; files: readonly string[]; command: string[] };

async function git(...args: string[]): Promise<string[]> {
  const child = Bun.spawn(['git', ...args], { cwd: root, stdout: 'pipe', stderr: 'pipe' });
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0)
    throw new Error(`git ${args[0]}: ${await new Response(child.stderr).text()}`);
  return text.split('\n').filter(Boolean);
}

async function changedSince(ref: string | undefined): Promise<string[]> {
  const since = async (commit: string): Promise<string[]> => [
    ...(await git('diff', '--name-only', commit)),
    ...(await git('ls-files', '--others', '--exclude-standard')),
  ];
  const changed = await since(ref ?? 'HEAD');
  return changed.length > 0 || ref !== undefined ? changed : since('HEAD~1');
}

async function plan(changed: readonly string[]): Promise<{ checks: Check[]; leftOut: string[] }> {
  const there = changed.filter((path) => existsSync(join(root, path)));
  const code = there.filter((path) => /\.tsx?$/.test(path));
  const formatted = there.filter((path) => /\.(tsx?|css|json)$/.test(path));
  const reached = testsThatReach(await readSources(root, ['src', 'web', 'scripts', 'test']), changed);
  const chosen = thatFit(reached, await keptTimes(root), TESTS_SECONDS);
  const { web, others } = byKind(chosen.filter((path) => !isDrill(path)));
  const checks: Check[] = [
    {
      name: 'format',
      files: formatted,
      command: tool('biome', 'format', '--no-errors-on-unmatched', ...formatted),
    },
    { name: 'lint', files: code, command: tool('oxlint', '--type-aware', ...code) },
    { name: 'types', files: code, command: tool('tsc', ...CHECK_TYPES) },
    { name: 'tests', files: others, command: bunTest('others', others) },
    { name: 'component tests', files: web, command: bunTest('web', web) },
  ];
  const leftOut = reached
    .map(({ path }) => path)
    .filter((path) => !web.includes(path) && !others.includes(path));
  return { checks: checks.filter(({ files }) => files.length > 0), leftOut };
}

async function run({ name, command }: Check): Promise<boolean> {
  const began = performance.now();
  const child = Bun.spawn(command, {
    cwd: root,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...process.env, ...SHORT_TESTS },
  });
  const texts = await Promise.all([child.stdout, child.stderr].map((stream) => new Response(stream).text()));
  const isDone = (await child.exited) === 0;
  if (!isDone) console.log(texts.join('').trim().split('\n').slice(-MAX_LINES).join('\n'));
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${isDone ? 'ok' : 'FAILED'}`.padEnd(8), name.padEnd(16), `${seconds.padStart(5)} s`);
  return isDone;
}

/**
 * Checks the changed files and the code that they affect, in about 20 s.
 * @param ref since this commit; see `changedSince`
 */
async function main([ref]: readonly string[]): Promise<number> {
  const changed = await changedSince(ref);
  const { checks, leftOut } = await plan(changed);
  const results = await Promise.all(checks.map(run));
  if (leftOut.length > 0)
    console.log(
      `Also affected, but left to \`bun run verify\` and its fault tests: ${leftOut.length} test files.`,
    );
  return results.every(Boolean) ? 0 : 1;
}

process.exit(await main(process.argv.slice(2)));
