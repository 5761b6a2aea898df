import { refusedFor, AppError } from '../../http/errors.ts';
import type { Stopwatch } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { createSlicedWork } from '../../market/indicators/slicedWork.ts';

/** Work for callers, one after the other in slices, between which everything else has its turn. */
export type ReadQueue = {
  /**
   * Does the work; a short one at once.
   * @throws AppError 503 when too many are waiting
   */
  run<T>(steps: Generator<undefined, T>): T | Promise<T>;
  /** Ends what is running; it is answered 503. */
  stop(): void;
  waiting(): number;
};

export type ReadQueueDeps = { stopwatch: Stopwatch; log: Log; later?: (run: () => void) => void };

/** What takes no longer is not worth waiting for its turn. */
const AT_ONCE_MS = 3;
const MAX_WAITING = 200;

type Job = { advance(): boolean; refuse(error: unknown): void };

export function createReadQueue({ stopwatch, log, later = setImmediate }: ReadQueueDeps): ReadQueue {
  const jobs = new Map<string, Job>();
  let count = 0;

  function* stepsOf(id: string): Generator<undefined, void> {
    const job = jobs.get(id);
    try {
      while (job && jobs.has(id) && !job.advance()) yield;
    } catch (error) {
      job?.refuse(error);
    } finally {
      jobs.delete(id);
    }
  }

  const work = createSlicedWork({
    steps: stepsOf,
    onError: (error) => log.error('Bars could not be read', { error }),
    stopwatch,
    later,
  });

  function enqueue<T>(steps: Generator<undefined, T>): Promise<T> {
    if (jobs.size >= MAX_WAITING) throw refusedFor(2, 503, 'The server is busy. Try again shortly.');
    count += 1;
    const id = String(count);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    jobs.set(id, {
      advance() {
        const step = steps.next();
        if (step.done === true) resolve(step.value);
        return step.done === true;
      },
      refuse: reject,
    });
    work.add(id);
    work.start();
    return promise;
  }

  return {
    run(steps) {
      const started = stopwatch.monotonic();
      // Who comes while others wait waits as well.
      while (jobs.size === 0 && stopwatch.monotonic() - started < AT_ONCE_MS) {
        const step = steps.next();
        if (step.done === true) return step.value;
      }
      return enqueue(steps);
    },
    stop() {
      work.stop();
      for (const job of jobs.values()) job.refuse(new AppError(503, 'The server is stopping.'));
      jobs.clear();
    },
    waiting: () => jobs.size,
  };
}
