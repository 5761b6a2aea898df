import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { preciseNow } from './pinned.ts';

export type Probed = {
  longestMs: number;
  highestMb: number;
};

export type LoopProbe = {
  reset(): void;
  read(): Probed;
  stop(): void;
};

const MEMORY_EVERY_MS = 10;

/** Options that start a server with the probe. @param folder gets a file per process */
export const probedBy = (folder: string): Record<string, string> => ({
  BUN_OPTIONS: `--preload ${join(import.meta.dir, 'loopInside.ts')}`,
  BENCH_LOOP_FOLDER: folder,
});

export function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s{1,20}(\d{1,12}) kB/.exec(status)?.[1]) / 1024;
}

export function startLoopProbe({ folder, pid }: { folder: string; pid: number }): LoopProbe {
  let since = preciseNow();
  let highestMb = 0;
  const sample = (): void => void (highestMb = Math.max(highestMb, residentMb(pid)));
  const timer = setInterval(() => {
    try {
      sample();
    } catch {
      // The process has ended, which `read` reports.
      clearInterval(timer);
    }
  }, MEMORY_EVERY_MS);
  return {
    reset() {
      highestMb = 0;
      since = preciseNow();
    },
    read() {
      sample();
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
