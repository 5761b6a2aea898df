import type { Stopwatch } from '../../lib/clock.ts';

/** After so long a slice ends with its present step, ms: with a step of up to 2 ms it stays well below 8 ms. */
const SLICE_MS = 4;

/** Work on stocks that goes on in slices, between which everything else has its turn. */
export type SlicedWork = {
  /** Queues a stock, unless it is queued already. */
  add(code: string): void;
  remove(code: string): void;
  clear(): void;
  /** Begins with the queue, unless it is being worked on already. */
  start(): void;
  /** Ends for good; what is queued is not done. */
  stop(): void;
  waiting(): number;
};

export type SlicedWorkDeps = {
  /** The work on one stock, in steps much shorter than a slice. */
  steps: (code: string) => Generator<undefined, void>;
  /** Called when a step throws; the work on that stock has ended then. */
  onError: (error: unknown) => void;
  stopwatch: Stopwatch;
  /** Runs a function after other work had its turn. */
  later: (run: () => void) => void;
};

export function createSlicedWork({ steps, onError, stopwatch, later }: SlicedWorkDeps): SlicedWork {
  const queue = new Set<string>();
  let isRunning = false;
  let isStopped = false;

  /** One slice. @param unfinished the work that the last slice left in its middle */
  function work(unfinished: Generator<undefined, void> | null): void {
    let current = unfinished;
    const started = stopwatch.monotonic();
    try {
      while (!isStopped && stopwatch.monotonic() - started < SLICE_MS) {
        if (current?.next().done === false) continue;
        const [code] = queue;
        if (code === undefined) {
          isRunning = false;
          return;
        }
        queue.delete(code);
        current = steps(code);
      }
    } catch (error) {
      onError(error);
      current = null;
    }
    if (!isStopped) later(() => work(current));
  }

  return {
    add: (code) => void queue.add(code),
    remove: (code) => void queue.delete(code),
    clear: () => queue.clear(),
    start() {
      if (isRunning || isStopped || queue.size === 0) return;
      isRunning = true;
      later(() => work(null));
    },
    stop() {
      isStopped = true;
    },
    waiting: () => queue.size,
  };
}
