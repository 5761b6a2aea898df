import type { Log } from './log.ts';

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

type RepetitionOptions = {
  schedule: Scheduler;
  everyMs: number;
  work(): void;
  log: Log;
  /** What is logged when the work fails; it goes on all the same. */
  failure: string;
};

/** Work that is done every so often, from its start to its stop. */
export class Repetition {
  private cancel: (() => void) | null = null;

  constructor(private readonly options: RepetitionOptions) {}

  get isOn(): boolean {
    return this.cancel !== null;
  }

  start(): void {
    this.cancel ??= this.next();
  }

  stop(): void {
    this.cancel?.();
    this.cancel = null;
  }

  /** A fault, as of the database, must not end it. */
  safely(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.options.log.error(this.options.failure, { error });
    }
  }

  private next(): () => void {
    const { schedule, everyMs, work } = this.options;
    return schedule(everyMs, () => {
      this.safely(work);
      this.cancel = this.next();
    });
  }
}
