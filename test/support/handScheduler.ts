import type { Scheduler } from '#lib/scheduler.ts';

export const atOnce: Scheduler = (_ms, run) => {
  run();
  return () => {};
};

/** A manual clock with timers, so no test waits for real time. */
export function createHandScheduler(start: number) {
  let now = start;
  let shift = 0;
  const timers = new Set<{ due: number; run: () => void }>();
  const inOrder = (): { due: number; run: () => void }[] => [...timers].sort((a, b) => a.due - b.due);
  return {
    now: () => now + shift,
    monotonic: () => now - start,
    schedule(ms: number, run: () => void): () => void {
      const timer = { due: now + ms, run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    /** Advances the clock and runs what falls due, in order. */
    advance(ms: number): void {
      const end = now + ms;
      for (let next = inOrder()[0]; next && next.due <= end; next = inOrder()[0]) {
        timers.delete(next);
        now = next.due;
        next.run();
      }
      now = end;
    },
    /** Sets the wall clock this much forward, or back; no time passes. */
    stepWall: (ms: number) => void (shift += ms),
    /** Waiting times of scheduled timers, soonest first. */
    planned: () => inOrder().map((timer) => timer.due - now),
  };
}

export type HandScheduler = ReturnType<typeof createHandScheduler>;
