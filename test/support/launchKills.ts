import { readdirSync, readFileSync } from 'node:fs';
import { executable, freePort, healthyPid, startBellbird, usageOf } from './executable.ts';

/** The target and time of a kill: ms after the start of the supervisor, or of its server. */
export type LaunchKill = { whom: 'launcher' | 'server' | 'both'; after: 'launcher' | 'server'; ms: number };

/** Time by which no killed process may remain, or another server has to answer, ms. */
const OVER_WITHIN_MS = 5000;

/** All processes of a data folder, except those that have ended and wait for their parent to collect them. */
function processesOf(folder: string): number[] {
  const setting = `BELLBIRD_DATA=${folder}`;
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(setting);
      } catch {
        return false;
      }
    });
}

function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended on its own.
    }
  }
}

/** @returns whether it became so in time */
async function within(limitMs: number, isSo: () => boolean | Promise<boolean>): Promise<boolean> {
  for (const endAt = performance.now() + limitMs; performance.now() < endAt; ) {
    if (await isSo()) return true;
    await Bun.sleep(10);
  }
  return false;
}

function firstChildOf(pid: number): number | null {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return Number.parseInt(children, 10) || null;
  } catch {
    return null;
  }
}

/** A server that ends needs some tenths of a second of processor time, and one that spins takes all it gets. */
const MOST_CPU_MS = 1500;
/** On a busy machine those tenths may take longer. */
const LATE_WITHIN_MS = 30_000;

/** @returns the problem with the remaining processes; null if they ended after some processor time */
async function leftFault(dataDir: string): Promise<string | null> {
  const left = processesOf(dataDir);
  const usages = await Promise.all(left.map((pid) => usageOf(pid).catch(() => null)));
  const cpuMs = Math.max(0, ...usages.map((usage) => usage?.cpuMs ?? 0));
  const endsLate = await within(LATE_WITHIN_MS, () => processesOf(dataDir).length === 0);
  if (endsLate && cpuMs < MOST_CPU_MS) return null;
  const end = endsLate ? 'they ended later' : 'they stay';
  return `${left.length} processes are left, with ${cpuMs} ms of processor time; ${end}.`;
}

/**
 * Starts `serve`, kills the given process, and checks what remains and the next start.
 * @returns the problem as a sentence; null if there is none
 */
export async function killLaunch(dataDir: string, kill: LaunchKill): Promise<string | null> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const launcher = Bun.spawn([executable, 'serve'], {
    cwd: dataDir,
    env: {
      PATH: process.env.PATH ?? '',
      BELLBIRD_HOST: '127.0.0.1',
      BELLBIRD_DATA: dataDir,
      BELLBIRD_PORT: String(port),
    },
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  let server: number | null = null;
  if (kill.whom === 'server' || kill.after === 'server') {
    while (server === null && launcher.exitCode === null) {
      await Bun.sleep(0);
      server = firstChildOf(launcher.pid);
    }
  }
  await Bun.sleep(kill.ms);
  server ??= firstChildOf(launcher.pid);
  if (kill.whom !== 'server') killAll([launcher.pid]);
  if (kill.whom !== 'launcher' && server !== null) killAll([server]);

  const isGone = (): boolean => processesOf(dataDir).length === 0;
  const isServedAgain = async (): Promise<boolean> => {
    const pid = kill.whom === 'server' ? await healthyPid(url) : null;
    return pid !== null && pid !== server;
  };
  const isOver = await within(OVER_WITHIN_MS, async () => isGone() || (await isServedAgain()));
  if (!isOver) {
    const fault = await leftFault(dataDir);
    killAll(processesOf(dataDir));
    if (fault !== null) return `After ${OVER_WITHIN_MS} ms ${fault}`;
  }
  launcher.kill('SIGTERM');
  if (!(await within(LATE_WITHIN_MS, isGone))) {
    killAll(processesOf(dataDir));
    return `Told to end, it had not after ${LATE_WITHIN_MS} ms.`;
  }
  try {
    const next = await startBellbird({ dataDir });
    const code = await next.stop();
    return code === 0 ? null : `The next start ended with code ${code}.`;
  } catch (error) {
    killAll(processesOf(dataDir));
    return `The next start failed: ${String(error)}`;
  }
}

/** Kills at random moments, more of them in the first hundredths of a second after the server’s start. @param random from 0 to below 1 */
export function someLaunchKill(random: () => number): LaunchKill {
  const whom = (['launcher', 'server', 'both'] as const)[Math.floor(random() * 3)] ?? 'both';
  const after = random() < 0.6 ? 'server' : 'launcher';
  const longest = random() < 0.5 ? 40 : 1200;
  return { whom, after, ms: Math.floor(random() * longest) };
}
