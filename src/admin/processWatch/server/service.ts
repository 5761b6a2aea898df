import { MINUTE_MS } from '#lib/units.ts';
import type { Stopwatch } from '#lib/clock.ts';
import type { Scheduler } from '#lib/scheduler.ts';

/** Delay of a timer, ms. */
type LoopLag = {
  lastMs: number;
  worstMs: number;
};

const CHECK_EVERY_MS = 500;

const tenths = (ms: number): number => Math.round(ms * 10) / 10;

/** Measures how long the event loop is blocked, by the delay of a timer. */
export function createLoopLag(clock: Stopwatch, schedule: Scheduler) {
  let cancel: (() => void) | null = null;
  let last = 0;
  const worst = { before: 0, now: 0, since: clock.monotonic() };

  function check(planned: number): void {
    const now = clock.monotonic();
    last = Math.max(0, now - planned);
    if (now - worst.since >= MINUTE_MS) {
      // After a long sleep of the machine, earlier values are not relevant.
      worst.before = now - worst.since < 2 * MINUTE_MS ? worst.now : 0;
      worst.now = 0;
      worst.since = now;
    }
    worst.now = Math.max(worst.now, last);
    plan();
  }

  function plan(): void {
    const due = clock.monotonic() + CHECK_EVERY_MS;
    cancel = schedule(CHECK_EVERY_MS, () => check(due));
  }

  return {
    start(): void {
      if (cancel === null) plan();
    },
    stop(): void {
      cancel?.();
      cancel = null;
    },
    figures: (): LoopLag => ({
      lastMs: tenths(last),
      worstMs: tenths(Math.max(worst.before, worst.now)),
    }),
  };
}

export type ProcessFigures = {
  uptimeSec: number;
  memory: { resident: number; heap: number; external: number };
  /** Processor time since the start, seconds. */
  cpuSec: { user: number; system: number };
  loopLag: LoopLag;
};

const seconds = (microseconds: number): number => Math.round(microseconds / 1e4) / 100;

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
