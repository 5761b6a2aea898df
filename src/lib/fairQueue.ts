export class QueueFullError extends Error {
  override name = 'QueueFullError';
}

export type Caller = {
  address: string;
  name: string;
  /** 0 goes first, 2 last, but each rank gets its turn. */
  rank: 0 | 1 | 2;
};

type Job = { caller: Caller; run: () => Promise<void> };

type Limits = {
  slots: number;
  maxPerCaller: number;
  maxWaiting: number;
};

const TURNS = [
  [0, 1, 2],
  [0, 1, 2],
  [1, 0, 2],
  [2, 1, 0],
] as const;

/** Runs costly work a few jobs at a time. Addresses take turns; each address and name gets one slot. */
export class FairQueue {
  /** Waiting jobs by rank, in order of execution. `maxWaiting` bounds each list, so a search is cheap. */
  readonly #waiting: Record<Caller['rank'], Job[]> = [[], [], []];
  readonly #running = new Set<Caller>();
  #turn = 0;

  constructor(private readonly limits: Limits) {}

  /** Runs the work at the caller's turn. @throws QueueFullError if too much waits; any error of the work */
  async run<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
    const waiting = this.#waiting[caller.rank];
    const { maxPerCaller, maxWaiting } = this.limits;
    const sameAs = (key: 'address' | 'name') =>
      waiting.filter((job) => job.caller[key] === caller[key]).length;
    if (waiting.length >= maxWaiting || Math.max(sameAs('address'), sameAs('name')) >= maxPerCaller) {
      throw new QueueFullError('The queue is full.');
    }
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    // A copy, because the caller object may be used for several jobs.
    waiting.push({ caller: { ...caller }, run: () => Promise.try(work).then(resolve, reject) });
    this.#fill();
    return promise;
  }

  #fill(): void {
    while (this.#running.size < this.limits.slots) {
      const job = this.#next();
      if (!job) return;
      this.#turn = (this.#turn + 1) % TURNS.length;
      void this.#start(job);
    }
  }

  #next(): Job | undefined {
    for (const rank of TURNS[this.#turn] ?? TURNS[0]) {
      const waiting = this.#waiting[rank];
      const next = waiting.find(({ caller }) => this.#mayRun(caller));
      if (!next) continue;
      const rest = waiting.filter((job) => job !== next);
      const isOfNext = (job: Job): boolean => job.caller.address === next.caller.address;
      this.#waiting[rank] = [...rest.filter((job) => !isOfNext(job)), ...rest.filter(isOfNext)];
      return next;
    }
    return undefined;
  }

  #mayRun({ address, name }: Caller): boolean {
    for (const caller of this.#running) {
      if (caller.address === address || caller.name === name) return false;
    }
    return true;
  }

  async #start({ caller, run }: Job): Promise<void> {
    this.#running.add(caller);
    await run();
    this.#running.delete(caller);
    this.#fill();
  }
}
