import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NAMES = ['valkey-server', 'redis-server'];
const MINUTE = 60_000;

/** Lock file: if several processes need the engine, one installs it and the others wait. */
const LOCK = join(tmpdir(), 'bellbird-redis.lock');
const WAIT_S = '600';

const find = (): string | null => NAMES.map((name) => Bun.which(name)).find((path) => path !== null) ?? null;

async function run(command: string[], output: 'ignore' | 'inherit'): Promise<boolean> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options = { stdin: 'ignore', stdout: output, stderr: output, timeout: 15 * MINUTE, env } as const;
  return (await Bun.spawn(command, options).exited) === 0;
}

async function asRoot(): Promise<string[] | null> {
  if (process.getuid?.() === 0) return [];
  if (!Bun.which('sudo')) return null;
  return (await run(['sudo', '-n', 'true'], 'ignore')) ? ['sudo', '-n'] : null;
}

/** Runs while holding the lock, unless another process has just installed it. */
const INSTALL = `command -v redis-server >/dev/null || {
  apt-get -qq -o DPkg::Lock::Timeout=300 update
  apt-get -qq -o DPkg::Lock::Timeout=300 install -y --no-install-recommends redis-server
}`;

async function install(): Promise<void> {
  const root = Bun.which('apt-get') && Bun.which('flock') ? await asRoot() : null;
  if (root === null) return;
  console.log("Redis is not installed here yet: installing Debian's package redis-server.");
  await run([...root, 'flock', '-w', WAIT_S, LOCK, 'sh', '-c', INSTALL], 'inherit');
}

/**
 * Returns the Redis server. If there is none, installs Debian's package, provided that this needs no password.
 * @throws Error that says what to install
 */
export async function redisProgram(): Promise<string> {
  const here = find();
  if (here !== null) return here;
  await install();
  const installed = find();
  if (installed !== null) return installed;
  throw new Error(
    'There is neither valkey-server nor redis-server on this machine, and it could not be installed: install one (on Debian: apt-get install redis-server) and run this again.',
  );
}

if (import.meta.main) {
  try {
    console.log(`Redis is ${await redisProgram()}.`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
