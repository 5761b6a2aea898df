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
  /** How many of one address may wait, and how many of one name. */
  maxPerCaller: number;
  /** How many of each rank may wait in all. */
  maxWaiting: number;
};

/** Jobs by address, the address whose turn is next first. */
function createLanes({ maxPerCaller, maxWaiting }: Limits) {
  const lanes = new Map<string, Job[]>();
  const byName = new Map<string, number>();
  let size = 0;
  function countName(name: string, change: number): void {
    const count = (byName.get(name) ?? 0) + change;
    if (count > 0) byName.set(name, count);
    else byName.delete(name);
  }
  return {
    /** @throws QueueFullError */
    add(job: Job): void {
      const { address, name } = job.caller;
      const lane = lanes.get(address) ?? [];
      const ofCaller = Math.max(lane.length, byName.get(name) ?? 0);
      if (ofCaller >= maxPerCaller || size >= maxWaiting) throw new QueueFullError('Too much waits.');
      lane.push(job);
      lanes.set(address, lane);
      countName(name, 1);
      size += 1;
    },
    /** Takes the first job that may run out; its address is the last in the row then. */
    take(mayRun: (caller: Caller) => boolean): Job | undefined {
      for (const [address, lane] of lanes) {
        const index = lane.findIndex(({ caller }) => mayRun(caller));
        const job = lane[index];
        if (!job) continue;
        lane.splice(index, 1);
        lanes.delete(address);
        if (lane.length > 0) lanes.set(address, lane);
        countName(job.caller.name, -1);
        size -= 1;
        return job;
      }
      return undefined;
    },
  };
}

type Lanes = ReturnType<typeof createLanes>;

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
  readonly #slots: number;
  readonly #byRank: Record<Caller['rank'], Lanes>;
  readonly #running = new Set<Caller>();
  #turn = 0;

  /** @param slots how many run at once */
  constructor({ slots, ...limits }: { slots: number } & Limits) {
    this.#slots = slots;
    this.#byRank = [createLanes(limits), createLanes(limits), createLanes(limits)];
  }

  /**
   * Does the work when it is the caller's turn.
   *
   * @returns what the work gives
   * @throws QueueFullError when too much waits; what the work throws
   */
  run<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      // A copy: the same caller may be given for several pieces of work.
      const job = { caller: { ...caller }, run: () => attempt(work).then(resolve, reject) };
      this.#byRank[caller.rank].add(job);
      this.#fill();
    });
  }

  #fill(): void {
    while (this.#running.size < this.#slots) {
      const job = this.#next();
      if (!job) return;
      this.#turn = (this.#turn + 1) % TURNS.length;
      void this.#start(job);
    }
  }

  #next(): Job | undefined {
    for (const rank of TURNS[this.#turn] ?? TURNS[0]) {
      const job = this.#byRank[rank].take((caller) => this.#mayRun(caller));
      if (job) return job;
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

/** The work as a promise, also when it fails before it gives one. */
const attempt = async <T>(work: () => Promise<T>): Promise<T> => work();
