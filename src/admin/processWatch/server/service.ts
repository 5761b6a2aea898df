import type { Stopwatch } from '../../../lib/clock.ts';
import type { LoopLag } from './loopLag.ts';

export type ProcessFigures = {
  uptimeSec: number;
  /** Bytes. */
  memory: { resident: number; heap: number; external: number };
  /** Seconds of one processor since the start. */
  cpuSec: { user: number; system: number };
  loopLag: LoopLag;
};

const seconds = (microseconds: number): number => Math.round(microseconds / 1e4) / 100;

/** What the process uses. @param loopLag how long its event loop was held */
export function createProcessService(clock: Stopwatch, loopLag: () => LoopLag) {
  const started = clock.monotonic();
  return {
    figures(): ProcessFigures {
      const { rss, heapUsed, external } = process.memoryUsage();
      const { user, system } = process.cpuUsage();
      return {
        uptimeSec: Math.round((clock.monotonic() - started) / 1000),
        memory: { resident: rss, heap: heapUsed, external },
        cpuSec: { user: seconds(user), system: seconds(system) },
        loopLag: loopLag(),
      };
    },
  };
}
