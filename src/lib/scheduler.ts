import type { Log } from './log.ts';

/** Runs something later; the returned function cancels it. Tests pass their own. */
export type Scheduler = (ms: number, run: () => void) => () => void;

/** The longest wait of a timer, 24.8 days; a longer one would run immediately. */
const MAX_WAIT_MS = 2 ** 31 - 1;

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
  failure: string;
};

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

  /** A fault, such as one of the database, must not end the repetition. */
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
