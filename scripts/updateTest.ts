/**
 * Updates of real executables, interrupted at each moment; too long for every test run. Usage: bun
 * scripts/updateTest.ts [word of a case's name ...]. It needs a build, git and strace.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readUpdateState } from '../src/platform/install/shared/updateState.ts';
import {
  executable,
  needExecutable,
  post,
  type Running,
  runBellbird,
  startBellbird,
  temporaryFolder,
} from '../test/support/executable.ts';
import { type Behaviour, createCheckout, git } from '../test/support/updateFixture.ts';

const PASSWORD = 'a good password';
const SERVES_WITHIN_MS = 120_000;

type Case = {
  name: string;
  behaviour: Behaviour;
  /** The calls that strace counts, and the one at which the process is killed; omitted for no interruption. */
  cut?: { calls: string; at: number; who: 'server' | 'parent' };
  trialSeconds: number;
  /** True if a loop restarts it, like a supervisor. */
  isSupervised?: boolean;
  ends: 'old' | 'new' | 'either';
};

const RENAMES = 'rename,renameat,renameat2,link,linkat';
const DAMAGES = `'${process.execPath}' -e 'const { Database } = require("bun:sqlite");
new Database(process.env.BELLBIRD_DATA + "/bellbird.db").run("DELETE FROM users")'; echo 'the migration failed' >&2; exit 1`;

const cuts = (who: 'server' | 'parent', name: string, behaviour: Behaviour, count: number): Case[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `cut ${who} ${name} call ${index + 1}`,
    behaviour,
    trialSeconds: 2,
    cut: { calls: RENAMES, at: index + 1, who },
    ends: 'either' as const,
  }));

const CASES: Case[] = [
  { name: 'real good', behaviour: { migrations: 1 }, trialSeconds: 60, ends: 'new' },
  {
    name: 'real dies after 20 s',
    trialSeconds: 60,
    ends: 'old',
    behaviour: { migrations: 1, asServer: '(sleep 20; kill -9 $$) & true' },
  },
  {
    name: 'real never answers',
    trialSeconds: 60,
    ends: 'old',
    behaviour: { migrations: 1, asServer: 'exec sleep 1000' },
  },
  { name: 'real supervised good', behaviour: {}, trialSeconds: 60, isSupervised: true, ends: 'new' },
  {
    name: 'real supervised dies after 20 s',
    trialSeconds: 60,
    isSupervised: true,
    ends: 'old',
    behaviour: { migrations: 1, asServer: '(sleep 20; kill -9 $$) & true' },
  },
  { name: 'migration fails', behaviour: { migrations: 1, asServer: DAMAGES }, trialSeconds: 2, ends: 'old' },
  ...cuts('server', 'good', {}, 24),
  ...cuts('parent', 'good', { migrations: 1 }, 6),
  ...cuts('parent', 'bad', { migrations: 1, asServer: DAMAGES }, 10),
];

const commitOf = async (url: string): Promise<string | null> => {
  const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(5000) }).catch(() => null);
  return response?.ok ? ((await response.json()) as { commit: string }).commit : null;
};

async function within(limitMs: number, isSo: () => boolean | Promise<boolean>): Promise<number | null> {
  const beganAt = performance.now();
  while (performance.now() - beganAt < limitMs) {
    if (await isSo()) return performance.now() - beganAt;
    await Bun.sleep(20);
  }
  return null;
}

const isAlive = (pid: number): boolean => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {}
}

function pidsOf(base: string): number[] {
  const found = Bun.spawnSync(['pgrep', '-f', `${base}/`])
    .stdout.toString()
    .split('\n');
  return found.map(Number).filter((pid) => pid > 0 && pid !== process.pid);
}

function keepWriting(url: string, stamp: string) {
  const kept: string[] = [];
  let isOn = true;
  const writing = (async () => {
    for (let count = 0; isOn; count += 1) {
      const username = `w${stamp}x${count}`;
      const answer = await post(`${url}/api/register`, { username, password: PASSWORD, email: '' }).catch(
        () => null,
      );
      if (answer?.ok) kept.push(username);
      await Bun.sleep(400);
    }
  })();
  return {
    stop: async () => {
      isOn = false;
      await writing;
      return kept;
    },
  };
}

const built = /\((\S+)\)/.exec((await runBellbird(['version'])).stdout)?.[1] ?? '';

async function run({ name, behaviour, cut, trialSeconds, isSupervised, ends }: Case): Promise<string | null> {
  const base = await temporaryFolder();
  const data = join(base, 'the data');
  mkdirSync(data);
  const checkout = createCheckout(base);
  copyFileSync(executable, checkout.executable);
  const env = {
    HOME: base,
    BELLBIRD_FEED: 'ingest',
    BELLBIRD_INGEST_KEY: 'a key that only tests use',
    BELLBIRD_TRIAL_SECONDS: String(trialSeconds),
    BELLBIRD_SUPERVISED: isSupervised ? 'yes' : 'no',
  };
  await runBellbird(['user', 'add', 'boss', '--admin'], {
    env: { ...env, BELLBIRD_DATA: data },
    stdin: PASSWORD,
  });
  const loop = [
    '/bin/sh',
    '-c',
    `while :; do '${checkout.executable}' serve; [ $? = 0 ] && exit 0; sleep 1; done`,
  ];
  const start = (port?: number): Promise<Running> =>
    startBellbird({
      command: isSupervised ? loop : [checkout.executable],
      dataDir: data,
      env,
      cwd: base,
      ...(port && { port }),
    });
  let running = await start();
  const { url, port } = running;
  const login = await post(`${url}/api/login`, { identifier: 'boss', password: PASSWORD });
  const { accessToken } = (await login.json()) as { accessToken: string };
  const to = checkout.publish('The next', { ...behaviour, copyOf: { path: executable, commit: built } });
  const writer = keepWriting(url, performance.now().toFixed(0));
  await Bun.sleep(900);
  let strace: Bun.Subprocess | null = null;
  const victim = cut?.who === 'parent' ? running.parentPid : running.pid;
  if (cut) {
    const inject = `inject=${cut.calls}:signal=SIGKILL:when=${cut.at}`;
    strace = Bun.spawn([
      'strace',
      '-qq',
      '-o',
      join(base, 'strace'),
      '-e',
      `trace=${cut.calls}`,
      '-e',
      inject,
      '-p',
      String(victim),
    ]);
    await Bun.sleep(300);
  }
  await post(`${url}/api/admin/server/update-and-restart`, {}, accessToken).catch(() => null);
  const endings = ['healthy', 'rolledBack', 'failed'];
  const isOver = (): boolean => endings.includes(readUpdateState(data)?.phase ?? '');
  const wasCut = cut && (await within(30_000, () => !isAlive(victim) || isOver())) !== null && !isOver();
  let phase = '';
  if (wasCut) {
    for (const pid of pidsOf(base)) kill(pid);
    await running.stop('SIGKILL');
    phase = `${readUpdateState(data)?.phase} ${readUpdateState(data)?.steps.at(-1)?.name}`;
    strace?.kill('SIGKILL');
    running = await start(port).catch((error: unknown) => {
      throw new Error(`It did not start after ${phase}: ${String(error)}`);
    });
  }
  let silentMs = 0;
  let longest = 0;
  const over = await within(300_000, async () => {
    const asked = performance.now();
    const isServed = (await commitOf(url)) !== null;
    silentMs = isServed ? 0 : silentMs + performance.now() - asked + 20;
    longest = Math.max(longest, silentMs);
    // If it was interrupted before anything was stored, there is no update.
    return isOver() || (wasCut === true && readUpdateState(data) === null);
  });
  strace?.kill('SIGKILL');
  const served = await within(SERVES_WITHIN_MS, async () => (await commitOf(url)) !== null);
  const kept = await writer.stop();
  if (isSupervised) await within(20_000, async () => (await commitOf(url)) !== null);
  await Bun.sleep(isSupervised ? 4000 : 300);
  await within(20_000, async () => (await commitOf(url)) !== null);
  if (wasCut && behaviour.asServer !== undefined) {
    // A supervisor started by the script of a bad version only knows that version: start the installed one.
    await running.stop();
    running = await start(port);
  }
  const commit = await commitOf(url);
  const problems: string[] = [];
  if (over === null) problems.push(`it was not over: ${readUpdateState(data)?.phase}`);
  if (served === null) problems.push('no server answers');
  if (longest > SERVES_WITHIN_MS) problems.push(`no server answered for ${longest} ms`);
  const is = commit === to ? 'new' : commit === built ? 'old' : String(commit);
  if (ends !== 'either' ? is !== ends : is !== 'old' && is !== 'new') problems.push(`the ${is} one serves`);
  const head = git(checkout.folder, 'rev-parse', 'HEAD') === to ? 'new' : 'old';
  if (head !== is) problems.push(`the checkout is the ${head} one`);
  if (git(checkout.folder, 'status', '--porcelain', '--untracked-files=no') !== '')
    problems.push('the checkout has changes');
  for (const username of kept) {
    let answer = await post(`${url}/api/login`, { identifier: username, password: PASSWORD }).catch(
      () => null,
    );
    for (let again = 0; again < 40 && answer?.status !== 200 && answer?.status !== 401; again += 1) {
      await Bun.sleep(2000);
      answer = await post(`${url}/api/login`, { identifier: username, password: PASSWORD }).catch(() => null);
    }
    if (answer?.status !== 200) problems.push(`${username} is lost (${answer?.status})`);
  }
  const state = readUpdateState(data);
  const calls = existsSync(join(base, 'strace'))
    ? readFileSync(join(base, 'strace'), 'utf8').trim().split('\n').at(-2)
    : '';
  console.log(
    `${problems.length === 0 ? 'ok  ' : 'FAIL'} ${name}: ${wasCut ? `cut in ${phase} (${calls?.slice(0, 150)}); ` : cut ? 'was never cut; ' : ''}` +
      `${state?.phase}, ${is} serves, ${kept.length} writes kept, silent for ${Math.round(longest)} ms at most. ${state?.failure ?? ''}`,
  );
  for (const problem of problems) console.log(`     ${problem}`);
  const stopped = running.stop();
  for (const pid of pidsOf(base)) kill(pid);
  await stopped;
  if (problems.length === 0) rmSync(base, { recursive: true, force: true });
  else console.log(`     ${base}\n${running.log().split('\n').slice(-15).join('\n')}`);
  return problems.length === 0 ? null : name;
}

await needExecutable();
const words = process.argv.slice(2).join(' ');
const failed: string[] = [];
for (const one of CASES.filter(({ name }) => `${name} `.includes(words))) {
  try {
    const problem = await run(one);
    if (problem) failed.push(problem);
  } catch (error) {
    console.log(`FAIL ${one.name}: ${String(error)}`);
    failed.push(one.name);
  }
}
process.exit(failed.length === 0 ? 0 : 1);
