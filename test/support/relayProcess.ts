import { tmpdir } from 'node:os';
import { executable, freePort } from './executable.ts';

export const RELAY_SECRET = 'relays and primary of a test share this secret';

export type RelayOptions = {
  engineUrl: string;
  primaryUrl: string;
  name?: string;
  secret?: string;
  env?: Record<string, string>;
  /** A program other than the built one, for example one that is bound to a core. */
  command?: readonly string[];
  port?: number;
};

const LIMIT_MS = 30_000;

/** Whether a relay reports that it can serve. */
async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/healthz`)).ok;
  } catch {
    return false;
  }
}

/** A relay’s own report. */
async function healthOf(url: string): Promise<string> {
  try {
    return await (await fetch(`${url}/healthz`)).text();
  } catch {
    return 'nothing';
  }
}

/** The settings that a primary needs in addition to the usual ones. */
export const primaryEnv = (engineUrl: string, secret = RELAY_SECRET): Record<string, string> => ({
  BELLBIRD_ENGINE_URL: engineUrl,
  BELLBIRD_RELAY_SECRET: secret,
  BELLBIRD_SUPERVISED: 'yes',
});

function environment(options: RelayOptions, port: number): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? tmpdir(),
    ...primaryEnv(options.engineUrl, options.secret),
    BELLBIRD_PRIMARY_URL: options.primaryUrl,
    BELLBIRD_HOST: '127.0.0.1',
    BELLBIRD_PORT: String(port),
    ...(options.name !== undefined && { BELLBIRD_RELAY_NAME: options.name }),
    ...options.env,
  };
}

/** Starts `bellbird relay` and waits until it is healthy. @throws with its output if it ends before */
export async function startRelay(options: RelayOptions) {
  const port = options.port ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const child = Bun.spawn([...(options.command ?? [executable]), 'relay'], {
    cwd: tmpdir(),
    env: environment(options, port),
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
  /** Stops it with the signal and waits for its end. @returns the exit code, null if the signal ended it */
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    child.kill(signal);
    await child.exited;
    await collected;
    return child.exitCode;
  };
  const end = performance.now() + LIMIT_MS;
  while (!(await isHealthy(url))) {
    if (child.exitCode !== null || performance.now() > end) {
      const health = await healthOf(url);
      await stop('SIGKILL');
      throw new Error(`The relay did not become healthy: ${health}\n${log}`);
    }
    await Bun.sleep(10);
  }
  return { url, port, pid: child.pid, log: () => log, stop };
}

export type RelayProcess = Awaited<ReturnType<typeof startRelay>>;
