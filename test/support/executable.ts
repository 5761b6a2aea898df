import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const executable = join(import.meta.dir, '..', '..', 'dist', 'bellbird');

export type RunOptions = {
  env?: Record<string, string>;
  /** Working folder; by default the data folder. */
  cwd?: string;
  stdin?: string;
  /** A program other than the built one, for example the sources under Bun. */
  command?: readonly string[];
};

/**
 * Servers in test mode start on a Wednesday morning of continuous trading in Sydney, whenever the tests run. All servers of a process use the same
 * time, because one that restarts must not go back in time. ms.
 */
const AHEAD_MS = Date.parse('2026-11-25T11:00+11:00') - Date.now();

/** Tests that run the executable call this first. @throws if there is none */
export async function needExecutable(): Promise<void> {
  if (!(await Bun.file(executable).exists())) throw new Error('dist/bellbird is missing: run bun run build.');
}

/** Sends JSON. @param token of a session; omitted for none */
export const post = (url: string, body: unknown, token?: string): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: token }) },
    body: JSON.stringify(body),
  });

/** None of the caller’s own settings may affect a run. */
function cleanEnvironment(env: Record<string, string> = {}): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? tmpdir(), ...env };
}

/** A new folder in the system’s temporary one; remove it with `rm(path, { recursive: true })`. */
export function temporaryFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'bellbird-test-'));
}

/** Below the ports that the system assigns automatically, on Linux and elsewhere, and to connections. */
const OWN_PORTS = { from: 20_000, to: 32_000 };

/**
 * A free port that the system does not assign automatically. An assigned one could be taken by the time a process listens on it, for example when
 * it starts again after a kill.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = OWN_PORTS.from + Math.floor(Math.random() * (OWN_PORTS.to - OWN_PORTS.from));
    try {
      await Bun.serve({ port, hostname: '127.0.0.1', fetch: () => new Response() }).stop(true);
      return port;
    } catch (error) {
      // In use; any other error would occur with every port.
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    }
  }
  throw new Error(`No port from ${OWN_PORTS.from} to ${OWN_PORTS.to} is free.`);
}

/** The process that answers the health check; null if none does. */
export async function healthyPid(url: string): Promise<number | null> {
  try {
    const response = await fetch(`${url}/healthz`);
    return response.ok ? ((await response.json()) as { pid: number }).pid : null;
  } catch {
    return null;
  }
}

/** Waits until a server other than that process answers. @returns its process */
export async function otherServer(url: string, pid: number): Promise<number> {
  for (const end = performance.now() + 60_000; performance.now() < end; await Bun.sleep(5)) {
    const now = await healthyPid(url);
    if (now !== null && now !== pid) return now;
  }
  throw new Error('No other server answered.');
}

/** A process’s processor time since its start, to 10 ms, and its memory. */
export async function usageOf(pid: number): Promise<{ cpuMs: number; residentMb: number }> {
  const stat = await Bun.file(`/proc/${pid}/stat`).text();
  const status = await Bun.file(`/proc/${pid}/status`).text();
  // After the name, which may contain spaces: the 12th and 13th are user and system time.
  const counts = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const resident = Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]);
  return { cpuMs: ((counts[11] ?? 0) + (counts[12] ?? 0)) * 10, residentMb: resident / 1024 };
}

export async function runBellbird(
  args: readonly string[],
  { env = {}, cwd = tmpdir(), stdin = '', command = [executable] }: RunOptions = {},
): Promise<{ code: number; stdout: string; stderr: string; all: string }> {
  const child = Bun.spawn([...command, ...args], {
    cwd,
    env: cleanEnvironment(env),
    stdin: new Blob([stdin]),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, stdout, stderr, all: stdout + stderr };
}

/** Of the accounts below. */
export const PASSWORD = 'a good password';

/** Adds the administrator "boss" to a data folder. */
export async function addBoss(dataDir: string, env: Record<string, string> = {}): Promise<void> {
  const options = { env: { ...env, BELLBIRD_DATA: dataDir }, stdin: PASSWORD };
  const { code, all } = await runBellbird(['user', 'add', 'boss', '--admin'], options);
  if (code !== 0) throw new Error(all);
}

/** @returns the token of a new session of "boss" */
export async function logInBoss(url: string): Promise<string> {
  const login = await post(`${url}/api/login`, { identifier: 'boss', password: PASSWORD });
  return ((await login.json()) as { accessToken: string }).accessToken;
}

/**
 * Starts `serve` on a free port with its own data folder and waits for `/healthz`.
 * @param options.dataDir an existing data folder; otherwise a temporary one, removed at the stop.
 * @param options.pollMs how often it checks whether the start is over. @throws with the printed log if it ends before it is healthy.
 */
export async function startBellbird(
  options: RunOptions & { dataDir?: string; port?: number; pollMs?: number } = {},
) {
  const dataDir = options.dataDir ?? (await temporaryFolder());
  const port = options.port ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  // Only test mode has a clock of its own.
  const aheadMs = options.env?.['BELLBIRD_TEST'] === '1' ? AHEAD_MS : 0;
  const child = Bun.spawn([...(options.command ?? [executable]), 'serve'], {
    cwd: options.cwd ?? dataDir,
    env: cleanEnvironment({
      BELLBIRD_HOST: '127.0.0.1',
      BELLBIRD_PORT: String(port),
      BELLBIRD_DATA: dataDir,
      // More simulated sessions would keep both cores busy while a test runs.
      BELLBIRD_HISTORY_SESSIONS: '1',
      ...(aheadMs === 0 ? {} : { BELLBIRD_TEST_CLOCK_SHIFT: String(aheadMs / 1000) }),
      // With a market that is not simulated these would request the real servers.
      ...(options.env?.['BELLBIRD_FEED'] ? { BELLBIRD_NEWS: 'off', BELLBIRD_CALENDAR: 'off' } : {}),
      ...options.env,
    }),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  let log = '';
  const collect = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) log += decoder.decode(chunk, { stream: true });
  };
  const collected = Promise.all([collect(child.stdout), collect(child.stderr)]);
  const ended = (): boolean => child.exitCode !== null || child.signalCode !== null;

  let serverPid: number | null = null;
  const killServer = (): void => {
    try {
      if (serverPid !== null) process.kill(serverPid, 'SIGKILL');
    } catch {
      // It has ended already.
    }
  };

  /**
   * Sends the signal, waits for the end and returns the exit code (null if the signal ended it). SIGKILL is sent to the server too, so both end at
   * the same moment.
   */
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    if (!ended()) child.kill(signal);
    if (signal === 'SIGKILL') killServer();
    await child.exited;
    await collected;
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    return child.exitCode;
  };
  const printed = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (let attempt = 0; attempt < 2400; attempt++) {
      const match = pattern.exec(log);
      if (match) return match;
      if (ended()) await collected;
      await Bun.sleep(25);
    }
    throw new Error(`It never printed ${pattern}. It printed:\n${log}`);
  };

  const pollMs = options.pollMs ?? 25;
  for (let attempt = 0; attempt * pollMs < 60_000; attempt++) {
    if (ended()) {
      const code = await stop();
      throw new Error(`bellbird ended with code ${code} before it was healthy:\n${log}`);
    }
    serverPid = await healthyPid(url);
    if (serverPid !== null) {
      return {
        /** `aheadMs`: how far its clock is ahead of this machine’s; `pid` of the server, `parentPid` of the started process. */
        url,
        port,
        dataDir,
        aheadMs,
        pid: serverPid,
        parentPid: child.pid,
        log: () => log,
        printed,
        stop,
      };
    }
    await Bun.sleep(pollMs);
  }
  await stop('SIGKILL');
  throw new Error(`bellbird did not become healthy:\n${log}`);
}

export type Running = Awaited<ReturnType<typeof startBellbird>>;
