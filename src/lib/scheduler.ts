/** Runs something later; calling what it returns cancels it. Tests pass one that they turn by hand. */
export type Scheduler = (ms: number, run: () => void) => () => void;

/** A timer's longest wait, 24.8 days: asked for more it would run at once. */
const MAX_WAIT_MS = 2 ** 31 - 1;

/** The real one. Its timers do not keep the process alive. */
export const timerScheduler: Scheduler = (ms, run) => {
  const timer = setTimeout(run, Math.min(ms, MAX_WAIT_MS));
  timer.unref();
  return () => clearTimeout(timer);
};
