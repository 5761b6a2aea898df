/** Runs something later; calling what it returns cancels it. Tests pass one that they turn by hand. */
export type Scheduler = (ms: number, run: () => void) => () => void;

/** The real one. Its timers do not keep the process alive. */
export const timerScheduler: Scheduler = (ms, run) => {
  const timer = setTimeout(run, ms);
  timer.unref();
  return () => clearTimeout(timer);
};
