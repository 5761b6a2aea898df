import type { Stopwatch } from '../../lib/clock.ts';
import { waitText } from '../../lib/rateLimit.ts';
import { AppError, refusedFor } from './errors.ts';
import { createExpectations, createLanes, type Job } from './readLanes.ts';

/** Work in steps much shorter than a slice. */
export type Steps<T> = Generator<undefined, T>;

/** Does all of some work, where a single caller is not asked to wait. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Long reads of all callers, one slice after the other; between two of them everything else has its turn. */
export type ReadQueue = {
  /**
   * Does the work; a short one at once where nobody waits. Callers take turns of a slice.
   * @param caller whose turn it is, as `callerKey` tells
   * @param kind names what is read; how long that takes is learnt from those before
   * @throws AppError 429 when too much work of the caller waits, 503 when too much waits in all; what the work throws
   */
  run<T>(caller: string, kind: string, steps: Steps<T>): T | Promise<T>;
  /** Ends what is running; it is answered 503. */
  stop(): void;
  /** Reads that wait, whose, and how much work they are expected to be, ms. */
  figures(): { waiting: number; callers: number; expectedMs: number };
};

export type ReadQueueDeps = {
  stopwatch: Stopwatch;
  /** Runs a function after other work had its turn. */
  later?: ((run: () => void) => void) | undefined;
};

/** What takes no longer is not worth waiting for its turn; all that is done at once in one turn of the loop takes no longer. */
const AT_ONCE_MS = 3;
/** After so long a slice ends with its present step. */
const SLICE_MS = 4;
/** Expected work that may wait: of one caller (who sees all charts of a desk load anew after a restart), and of all. */
const MAX_CALLER_MS = 5000;
const MAX_ALL_MS = 20_000;

const stopping = (): AppError => new AppError(503, 'The server is stopping.');

/** The queue of all long reads. */
export function createReadQueue({ stopwatch, later = setImmediate }: ReadQueueDeps): ReadQueue {
  const expectations = createExpectations();
  const lanes = createLanes();
  let isRunning = false;
  let isStopped = false;
  /** What was done at once in this turn of the loop, ms. */
  let doneAtOnce = 0;
  let isTurnCounted = false;

  /** From its first read on, what is done at once in a turn of the loop is counted together. */
  function countTurn(): void {
    if (isTurnCounted) return;
    isTurnCounted = true;
    later(() => {
      isTurnCounted = false;
      doneAtOnce = 0;
    });
  }

  /** Goes on with a job until it is done or the time is over. @returns whether it is done */
  function advance(job: Job, started: number, until: number): boolean {
    const before = job.spent;
    try {
      for (;;) {
        const isDone = job.advance();
        const now = stopwatch.monotonic();
        job.spent = before + now - started;
        if (isDone || now >= until) return isDone;
      }
    } catch (error) {
      job.refuse(error);
      return true;
    }
  }

  function slice(): void {
    let now = stopwatch.monotonic();
    const until = now + SLICE_MS;
    while (!isStopped && now < until) {
      const turn = lanes.next();
      if (!turn) {
        isRunning = false;
        return;
      }
      const { caller, job } = turn;
      if (advance(job, now, until)) {
        lanes.remove(caller);
        expectations.learn(job.kind, job.spent);
      } else {
        lanes.expectMore(caller);
      }
      now = stopwatch.monotonic();
    }
    if (!isStopped) later(slice);
  }

  /** @throws AppError */
  function admit(caller: string, expected: number): void {
    if (isStopped) throw stopping();
    const own = lanes.expectedOf(caller);
    // A single read is never too much.
    if (own > 0 && own + expected > MAX_CALLER_MS) {
      const seconds = Math.ceil((own * lanes.callers()) / 1000);
      const message = `You are asking for too much at once. Try again in ${waitText(seconds)}.`;
      throw refusedFor(seconds, 429, message);
    }
    if (lanes.expectedOfAll() + expected > MAX_ALL_MS) {
      throw refusedFor(2, 503, 'The server is busy. Try again shortly.');
    }
  }

  function enqueue<T>(caller: string, kind: string, steps: Steps<T>, spent: number): Promise<T> {
    const expected = expectations.of(kind);
    admit(caller, expected);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    lanes.add(caller, {
      ...{ kind, expected, spent },
      advance() {
        const step = steps.next();
        if (step.done === true) resolve(step.value);
        return step.done === true;
      },
      refuse: reject,
    });
    if (!isRunning) {
      isRunning = true;
      later(slice);
    }
    return promise;
  }

  return {
    run(caller, kind, steps) {
      countTurn();
      const before = doneAtOnce;
      const started = stopwatch.monotonic();
      // Who comes while others wait waits as well.
      while (!isStopped && lanes.callers() === 0 && doneAtOnce < AT_ONCE_MS) {
        const step = steps.next();
        doneAtOnce = before + stopwatch.monotonic() - started;
        if (step.done !== true) continue;
        expectations.learn(kind, doneAtOnce - before);
        return step.value;
      }
      return enqueue(caller, kind, steps, doneAtOnce - before);
    },
    stop() {
      isStopped = true;
      for (const job of lanes.clear()) job.refuse(stopping());
    },
    figures: () => ({
      waiting: lanes.waiting(),
      callers: lanes.callers(),
      expectedMs: Math.round(lanes.expectedOfAll()),
    }),
  };
}
