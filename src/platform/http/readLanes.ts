/** A read that waits for its turn, or is in the middle of it. */
export type Job = {
  kind: string;
  /** How much work it is expected to be, and was so far, ms. */
  expected: number;
  spent: number;
  /** Does a step. @returns whether it was the last; throws what the work throws */
  advance(): boolean;
  refuse(error: unknown): void;
};

/** A read counts as so much at least, ms: memory is bounded by it. */
const MIN_EXPECTED_MS = 5;
/** What the first of a kind is expected to take, ms. */
const UNKNOWN_MS = 20;
/** How much of what is expected comes from the last one of its kind. */
const NEWEST_SHARE = 0.2;

/** What reads of a kind take, ms, learnt from those that were done. */
export class Expectations {
  readonly #byKind = new Map<string, number>();

  of(kind: string): number {
    return Math.max(MIN_EXPECTED_MS, this.#byKind.get(kind) ?? UNKNOWN_MS);
  }

  learn(kind: string, took: number): void {
    const before = this.#byKind.get(kind) ?? took;
    this.#byKind.set(kind, before + (took - before) * NEWEST_SHARE);
  }
}

/** Jobs by caller, the caller whose turn is next first, and the work that they are expected to be. */
export class Lanes {
  readonly #lanes = new Map<string, { jobs: Job[]; expected: number }>();
  #total = 0;

  /** How many callers wait. */
  callers(): number {
    return this.#lanes.size;
  }

  /** How many jobs wait. */
  waiting(): number {
    return [...this.#lanes.values()].reduce((sum, { jobs }) => sum + jobs.length, 0);
  }

  /** Expected work of a caller, ms. */
  expectedOf(caller: string): number {
    return this.#lanes.get(caller)?.expected ?? 0;
  }

  /** Expected work of all, ms. */
  expectedOfAll(): number {
    return this.#total;
  }

  add(caller: string, job: Job): void {
    const lane = this.#lanes.get(caller) ?? { jobs: [], expected: 0 };
    lane.jobs.push(job);
    lane.expected += job.expected;
    this.#total += job.expected;
    this.#lanes.set(caller, lane);
  }

  /** The first job of the caller whose turn it is, who is the last in the row then. */
  next(): { caller: string; job: Job } | null {
    const [first] = this.#lanes;
    const job = first?.[1].jobs[0];
    if (!first || !job) return null;
    const [caller, lane] = first;
    this.#lanes.delete(caller);
    this.#lanes.set(caller, lane);
    return { caller, job };
  }

  /** The first job of a caller, which is not done, turned out to be more than was expected. */
  expectMore(caller: string): void {
    const lane = this.#lanes.get(caller);
    const job = lane?.jobs[0];
    if (!lane || !job || job.spent <= job.expected) return;
    lane.expected += job.spent - job.expected;
    this.#total += job.spent - job.expected;
    job.expected = job.spent;
  }

  /** Takes the first job of a caller out. */
  remove(caller: string): void {
    const lane = this.#lanes.get(caller);
    const job = lane?.jobs.shift();
    if (!lane || !job) return;
    lane.expected -= job.expected;
    this.#total -= job.expected;
    if (lane.jobs.length === 0) this.#lanes.delete(caller);
  }

  /** Takes all out. */
  clear(): Job[] {
    const jobs = [...this.#lanes.values()].flatMap((lane) => lane.jobs);
    this.#lanes.clear();
    this.#total = 0;
    return jobs;
  }
}
