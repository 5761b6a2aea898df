import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { redisProgram } from '#scripts/redisProgram.ts';
import { freePort } from './executable.ts';

export type RedisOptions = {
  password?: string;
  /** Further settings: `{ maxmemory: '2mb' }`. */
  settings?: Readonly<Record<string, string>>;
};

const TRIES = 5;
const LIMIT_MS = 20_000;

/** @throws Redis’s error answer, or an error if it does not answer */
async function askOnce(url: string, command: string, args: string[]): Promise<unknown> {
  const client = new Bun.RedisClient(url, { autoReconnect: false, connectionTimeout: 2000 });
  try {
    return await client.send(command, args);
  } finally {
    client.close();
  }
}

type Child = ReturnType<typeof Bun.spawn>;

/** @returns false if it ended instead of answering, because the port is in use */
async function answers(child: Child, url: string): Promise<boolean> {
  const end = performance.now() + LIMIT_MS;
  while (child.exitCode === null && performance.now() < end) {
    try {
      await askOnce(url, 'PING', []);
      return true;
    } catch {
      // Not yet.
      await Bun.sleep(10);
    }
  }
  return false;
}

function spawn(program: string, folder: string, port: number, options: RedisOptions): Child {
  const given = { ...(options.password ? { requirepass: options.password } : {}), ...options.settings };
  const settings = {
    bind: '127.0.0.1',
    port: String(port),
    dir: folder,
    save: '',
    appendonly: 'no',
    ...given,
  };
  const words = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  return Bun.spawn([program, ...words], { stdin: 'ignore', stdout: 'ignore', stderr: 'inherit' });
}

async function end(child: Child): Promise<void> {
  child.kill('SIGKILL');
  await child.exited;
}

/** A running Redis that can be started again. */
async function begin(program: string, folder: string, options: RedisOptions) {
  const user = options.password ? `:${encodeURIComponent(options.password)}@` : '';
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const port = await freePort();
    const url = `redis://${user}127.0.0.1:${port}`;
    const child = spawn(program, folder, port, options);
    if (await answers(child, url)) return { port, url, child };
    await end(child);
  }
  throw new Error('The Redis of the test did not start.');
}

/** Starts a real Redis that stores nothing on disk and ends with the test process. */
export async function startRedis(options: RedisOptions = {}) {
  const program = await redisProgram();
  const folder = mkdtempSync(join(tmpdir(), 'bellbird-redis-'));
  const { port, url, child } = await begin(program, folder, options);
  let running = child;
  const endWithUs = (): void => running.kill('SIGKILL');
  process.on('exit', endWithUs);
  return {
    /** With the password, if it has one. */
    url,
    port,
    /** Stops it and removes its folder. */
    async stop(): Promise<void> {
      process.off('exit', endWithUs);
      await end(running);
      rmSync(folder, { recursive: true, force: true });
    },
    /** Stops it without saving its data. */
    kill: () => end(running),
    /** Starts it again on the same port, empty. */
    async restart(): Promise<void> {
      await end(running);
      running = spawn(program, folder, port, options);
      if (!(await answers(running, url))) throw new Error('Redis did not start again.');
    },
    /** It answers nothing and keeps its connections, until `resume`. */
    pause: () => running.kill('SIGSTOP'),
    resume: () => running.kill('SIGCONT'),
    /** Sends a command over a separate connection: `cli('GET', 'name')`. */
    cli: (command: string, ...args: string[]): Promise<unknown> => askOnce(url, command, args),
  };
}

export type RedisServer = Awaited<ReturnType<typeof startRedis>>;
