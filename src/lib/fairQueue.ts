/** Too much waits already; the work was not started and will not be. */
export class QueueFullError extends Error {
  override name = 'QueueFullError';
}

/** For whom work is done. Of all that shares an address or a name, one runs at a time. */
export type Caller = {
  address: string;
  name: string;
  /** 0 goes first, 2 last; by turns, so that nobody waits for ever. */
  rank: 0 | 1 | 2;
};

type Job = { caller: Caller; run: () => Promise<void> };

type Limits = {
  /** How many run at once. */
  slots: number;
  /** How many of one address may wait, and how many of one name. */
  maxPerCaller: number;
  /** How many of each rank may wait in all. */
  maxWaiting: number;
};

/** Whose turn it is, over and over: the ranks in the order in which they are asked. */
const TURNS = [
  [0, 1, 2],
  [0, 1, 2],
  [1, 0, 2],
  [2, 1, 0],
] as const;

/**
 * Does costly work a few at a time, by turns: addresses take turns, and neither an address nor a name holds more than
 * one place, so nobody can occupy all of them.
 */
export class FairQueue {
  /** By rank, the job whose turn is next first. Each holds at most `maxWaiting`, so a search is cheap. */
  readonly #waiting: Record<Caller['rank'], Job[]> = [[], [], []];
  readonly #running = new Set<Caller>();
  #turn = 0;

  constructor(private readonly limits: Limits) {}

  /**
   * Does the work when it is the caller's turn.
   *
   * @returns what the work gives
   * @throws QueueFullError when too much waits; what the work throws
   */
  async run<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
    const waiting = this.#waiting[caller.rank];
    const { maxPerCaller, maxWaiting } = this.limits;
    const sameAs = (key: 'address' | 'name') =>
      waiting.filter((job) => job.caller[key] === caller[key]).length;
    if (waiting.length >= maxWaiting || Math.max(sameAs('address'), sameAs('name')) >= maxPerCaller) {
      throw new QueueFullError('Too much waits.');
    }
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    // A copy: the same caller may be given for several pieces of work.
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

  /** Takes the first job that may run out; the others of its address go behind those that wait. */
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
