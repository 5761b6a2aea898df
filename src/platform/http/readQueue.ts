import type { Stopwatch } from '#lib/clock.ts';
import { waitText } from '#lib/rateLimit.ts';
import type { App, Part } from '#platform/app.ts';
import { AppError, refusedFor } from './errors.ts';

type Job = {
  kind: string;
  /** Expected and past work, ms. */
  expected: number;
  spent: number;
  advance(): boolean;
  refuse(error: unknown): void;
};

/** The minimum for a read, ms, which bounds the memory. */
const MIN_EXPECTED_MS = 5;
/** Expected time of the first read of a kind, ms. */
const UNKNOWN_MS = 20;
/** The weight of the newest read in the expectation of its kind. */
const NEWEST_SHARE = 0.2;

/** The expected time of each kind of read, ms, learnt from earlier reads. */
class Expectations {
  readonly #byKind = new Map<string, number>();

  of(kind: string): number {
    return Math.max(MIN_EXPECTED_MS, this.#byKind.get(kind) ?? UNKNOWN_MS);
  }

  learn(kind: string, took: number): void {
    const before = this.#byKind.get(kind) ?? took;
    this.#byKind.set(kind, before + (took - before) * NEWEST_SHARE);
  }
}

const expectedOf = (jobs: readonly Job[]): number => jobs.reduce((sum, { expected }) => sum + expected, 0);

export type Steps<T> = Generator<undefined, T>;

export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Reads of at most this time do not wait. It also limits the immediate reads in one turn of the loop. */
const AT_ONCE_MS = 3;
const SLICE_MS = 4;
/** Expected work that may wait: of one caller (such as a desk whose charts reload after a restart), and of all. */
const MAX_CALLER_MS = 5000;
const MAX_ALL_MS = 20_000;
/** A read counts at most this, so that a slow one blocks neither later reads of its kind nor other callers. */
const counted = (expected: number): number => Math.min(MAX_CALLER_MS, expected);
/** While callers wait, shared work gets one slice in this many. */
const SHARED_EVERY = 4;

const stopping = (): AppError => new AppError(503, 'The server is stopping.');

function jobOf<T>(job: Pick<Job, 'kind' | 'expected' | 'spent'>, steps: Steps<T>) {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const advance = (): boolean => {
    const step = steps.next();
    if (step.done === true) resolve(step.value);
    return step.done === true;
  };
  return { promise, job: { ...job, advance, refuse: reject } satisfies Job };
}

/** Runs the long reads of all callers in slices. Everything else runs in between. */
export class ReadQueue {
  readonly #expectations = new Expectations();
  readonly #lanes = new Map<string, Job[]>();
  readonly #shared: Job[] = [];
  #slices = 0;
  #isRunning = false;
  #isStopped = false;
  /** Time of immediate reads in this turn of the loop, ms. */
  #doneAtOnce = 0;
  #isTurnCounted = false;

  constructor(
    private readonly stopwatch: Stopwatch,
    private readonly later: (run: () => void) => void = setImmediate,
  ) {}

  /**
   * Runs a read, immediately if it is short and the queue is empty. Callers take turns.
   * @param caller from `callerKey`
   * @param kind of the read, for its expected time
   * @throws AppError 429 if the caller has too much work waiting, 503 if all have; any error of the work
   */
  run<T>(caller: string, kind: string, steps: Steps<T>): T | Promise<T> {
    this.#countTurn();
    const before = this.#doneAtOnce;
    const started = this.stopwatch.monotonic();
    // While others wait, new callers wait too.
    while (!this.#isStopped && this.#lanes.size === 0 && this.#doneAtOnce < AT_ONCE_MS) {
      const step = steps.next();
      this.#doneAtOnce = before + this.stopwatch.monotonic() - started;
      if (step.done !== true) continue;
      this.#expectations.learn(kind, this.#doneAtOnce - before);
      return step.value;
    }
    return this.#enqueue(caller, kind, steps, this.#doneAtOnce - before);
  }

  /**
   * Runs shared work in the time that callers leave. It counts towards no limit, so use it rarely.
   * @throws AppError 503 when the server stops; any error of the work
   */
  runShared<T>(steps: Steps<T>): Promise<T> {
    if (this.#isStopped) throw stopping();
    const { job, promise } = jobOf({ kind: 'shared', expected: 0, spent: 0 }, steps);
    this.#shared.push(job);
    this.#begin();
    return promise;
  }

  stop(): void {
    this.#isStopped = true;
    const jobs = [...this.#waiting(), ...this.#shared.splice(0)];
    this.#lanes.clear();
    for (const job of jobs) job.refuse(stopping());
  }

  figures(): { waiting: number; callers: number; expectedMs: number } {
    const waiting = this.#waiting();
    return {
      waiting: waiting.length + this.#shared.length,
      callers: this.#lanes.size,
      expectedMs: Math.round(expectedOf(waiting)),
    };
  }

  #waiting(): Job[] {
    return [...this.#lanes.values()].flat();
  }

  /** Starts counting the immediate reads of this turn together. */
  #countTurn(): void {
    if (this.#isTurnCounted) return;
    this.#isTurnCounted = true;
    this.later(() => {
      this.#isTurnCounted = false;
      this.#doneAtOnce = 0;
    });
  }

  #enqueue<T>(caller: string, kind: string, steps: Steps<T>, spent: number): Promise<T> {
    const expected = counted(this.#expectations.of(kind));
    const lane = this.#lanes.get(caller) ?? [];
    this.#admit(lane, expected);
    const { job, promise } = jobOf({ kind, expected, spent }, steps);
    lane.push(job);
    this.#lanes.set(caller, lane);
    this.#begin();
    return promise;
  }

  #begin(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.later(() => this.#slice());
  }

  #admit(lane: readonly Job[], expected: number): void {
    if (this.#isStopped) throw stopping();
    const own = expectedOf(lane);
    if (own > 0 && own + expected > MAX_CALLER_MS) {
      const seconds = Math.ceil((own * this.#lanes.size) / 1000);
      const message = `You sent too many requests at once. Try again in ${waitText(seconds)}.`;
      throw refusedFor(seconds, 429, message);
    }
    if (expectedOf(this.#waiting()) + expected > MAX_ALL_MS) {
      throw refusedFor(2, 503, 'The server is busy. Try again shortly.');
    }
  }

  #slice(): void {
    this.#slices += 1;
    const started = this.stopwatch.monotonic();
    const [shared] = this.#shared;
    const isWaitedFor = this.#lanes.size > 0;
    if (shared && (!isWaitedFor || this.#slices % SHARED_EVERY === 0)) {
      if (this.#advance(shared, started, started + SLICE_MS)) this.#shared.shift();
    } else this.#takeTurns(started);
    this.#isRunning = !this.#isStopped && this.#lanes.size + this.#shared.length > 0;
    if (this.#isRunning) this.later(() => this.#slice());
  }

  #takeTurns(started: number): void {
    let now = started;
    const until = started + SLICE_MS;
    while (!this.#isStopped && now < until) {
      const [first] = this.#lanes;
      const job = first?.[1][0];
      if (!first || !job) return;
      const [caller, lane] = first;
      this.#lanes.delete(caller);
      this.#lanes.set(caller, lane);
      if (this.#advance(job, now, until)) {
        lane.shift();
        if (lane.length === 0) this.#lanes.delete(caller);
        this.#expectations.learn(job.kind, job.spent);
      } else {
        job.expected = counted(Math.max(job.expected, job.spent));
      }
      now = this.stopwatch.monotonic();
    }
  }

  #advance(job: Job, started: number, until: number): boolean {
    const before = job.spent;
    try {
      for (;;) {
        const isDone = job.advance();
        const now = this.stopwatch.monotonic();
        job.spent = before + now - started;
        if (isDone || now >= until) return isDone;
      }
    } catch (error) {
      job.refuse(error);
      return true;
    }
  }
}

export function createLongReads({ clock }: App, later?: (run: () => void) => void) {
  const queue = new ReadQueue(clock, later);
  return {
    name: 'longReads',
    service: queue,
    stop: () => queue.stop(),
    inspect: () => ({
      label: 'Long reads',
      description: 'Answers waiting to be read, their callers, and the expected work.',
      summary: queue.figures(),
      data: () => queue.figures(),
    }),
  } satisfies Part;
}

declare module '#platform/app.ts' {
  interface App {
    reads: ReadQueue;
  }
}
