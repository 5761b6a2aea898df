import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { preciseNow } from './pinned.ts';

/** What was seen since the last reset. */
export type Probed = {
  /** The longest time that the event loop was held, ms for which the scheduler ran its thread; what is below 5 is 0. */
  longestMs: number;
  /** The most memory that was resident, MB. */
  highestMb: number;
};

export type LoopProbe = {
  /** Forgets what was seen. */
  reset(): void;
  read(): Probed;
  stop(): void;
};

const MEMORY_EVERY_MS = 10;

/** What a server is started with so that it can be looked into. @param folder a file of each process is made there */
export const probedBy = (folder: string): Record<string, string> => ({
  BUN_OPTIONS: `--preload ${join(import.meta.dir, 'loopInside.ts')}`,
  BENCH_LOOP_FOLDER: folder,
});

/** @throws when the process is gone */
export function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s{1,20}(\d{1,12}) kB/.exec(status)?.[1]) / 1024;
}

/** @param target a server that was started with `probedBy` */
export function startLoopProbe({ folder, pid }: { folder: string; pid: number }): LoopProbe {
  let since = preciseNow();
  let highestMb = 0;
  const look = (): void => void (highestMb = Math.max(highestMb, residentMb(pid)));
  const timer = setInterval(() => {
    try {
      look();
    } catch {
      // Gone: `read` says so.
      clearInterval(timer);
    }
  }, MEMORY_EVERY_MS);
  return {
    reset() {
      highestMb = 0;
      since = preciseNow();
    },
    read() {
      look();
      let longestMs = 0;
      for (const line of readFileSync(join(folder, String(pid)), 'utf8').split('\n')) {
        const [at = 0, held = 0] = line.split(' ').map(Number);
        if (at >= since) longestMs = Math.max(longestMs, held);
      }
      return { longestMs, highestMb };
    },
    stop: () => clearInterval(timer),
  };
}
