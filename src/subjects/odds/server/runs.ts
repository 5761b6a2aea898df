import { MINUTE_MS } from '#lib/units.ts';
import type { Log } from '#lib/log.ts';
import { AppError } from '#platform/http/errors.ts';
import { startWorker } from '#lib/workers.ts';
import type { EntrySort } from '../rules/entryRows.ts';
import type { CollectedDay, EngineInput, EntryPages, JobOf, OddsJob, OddsMessage } from './job.ts';

const MAX_WORKERS = 2;
/** An idle worker serves the next edit faster, because its code is compiled. */
const IDLE_MS = 30_000;
/** Longest work of a run. Only every entry of a very wide scan on a busy machine needs a good part of it. */
const MAX_RUN_MS = 3 * MINUTE_MS;
const KEPT_MS = 10 * MINUTE_MS;
/** Limit of all kept entries; those of the oldest runs are dropped first. */
const MAX_KEPT_BYTES = 32_000_000;

const NO_ENTRIES: EntryPages = { total: 0, pages: [] };
const FAILED = 'Something went wrong while reading the history. Try again.';
const TOO_SLOW = 'This scan takes too long. Narrow it, or count only the first entry of a stock and day.';
const STOPPING = 'The server is stopping.';
const REPLACED = 'A newer request replaced this one.';
/** A user's runs that can be working or waiting, and those whose entries are kept. */
const MAX_OF_USER = { working: 2, kept: 4 };
const TOO_MANY =
  'These odds were stopped, because you started others in two more tabs. Change a setting or reload the page to run them again.';

/** The part of a state that a worker would send. */
const stateJson = (of: number, refused: string | null): string =>
  JSON.stringify({ isDone: refused !== null, sessions: { done: 0, of }, result: null, refused, luck: null });

/** One run of a user. `json` is its newest state, as the worker sent it. */
export class Run {
  json: string;
  entries = NO_ENTRIES;
  isOver = false;
  /** The entries in the last requested order. */
  sorted: { key: string; task: Task; entries: Promise<EntryPages>; bytes: number } | null = null;
  #version = 0;
  #sent = 0;
  readonly #changed = new Set<() => void>();

  constructor(
    readonly userId: number,
    /** The tab that asked. Its next run replaces this one. */
    readonly tab: string,
    readonly job: JobOf<'run'>,
    /** Members of the state that the worker does not know. */
    readonly head: object,
  ) {
    this.json = stateJson(job.input.dates.length, null);
  }

  put(json: string): void {
    this.json = json;
    this.#version += 1;
    for (const listener of this.#changed) listener();
  }

  refuse(sentence: string): void {
    if (this.isOver) return;
    this.isOver = true;
    this.put(stateJson(this.job.input.dates.length, sentence));
  }

  /** Waits for a newer state than the last one that was sent, at most for a time, ms. */
  async changed(ms: number, signal: AbortSignal): Promise<void> {
    if (this.#version !== this.#sent || this.isOver || signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    this.#changed.add(resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
    await promise;
    clearTimeout(timer);
    this.#changed.delete(resolve);
  }

  /** @param waiting number of runs before this one */
  state(waiting: number): string {
    this.#sent = this.#version;
    return `${JSON.stringify({ ...this.head, id: this.job.id, waiting }).slice(0, -1)},${this.json.slice(1)}`;
  }
}

type Task = {
  job: OddsJob;
  /** Set if only one task of this user may run at a time. */
  userId?: number;
  /** `short` tasks come first, and `shared` work waits for all users. */
  order: 'short' | 'usual' | 'shared';
  receive(message: OddsMessage): void;
  fail(sentence: string): void;
};

const RANKS = { short: 0, usual: 1, shared: 2 } as const;

type Working = { worker: Worker; task: Task; timer: ReturnType<typeof setTimeout> };

/** Runs tasks in at most two workers, in the order of their arrival, but one user’s one after the other. */
class Workers {
  readonly #waiting: Task[] = [];
  readonly #working = new Set<Working>();
  readonly #idle = new Map<Worker, ReturnType<typeof setTimeout>>();

  constructor(private readonly log: Log) {}

  run(task: Task): void {
    const at = this.#waiting.findIndex(({ order }) => RANKS[order] > RANKS[task.order]);
    this.#waiting.splice(at === -1 ? this.#waiting.length : at, 0, task);
    this.#advance();
  }

  /** Ends a task immediately, even in the middle of a loop. */
  cancel(task: Task): void {
    const at = this.#waiting.indexOf(task);
    if (at !== -1) this.#waiting.splice(at, 1);
    for (const working of this.#working) if (working.task === task) this.#end(working);
  }

  /** Place in the line, from 1; 0 if it is not waiting. */
  before(task: Task): number {
    return this.#waiting.indexOf(task) + 1;
  }

  figures() {
    return { working: this.#working.size, idle: this.#idle.size, waiting: this.#waiting.length };
  }

  stop(): void {
    for (const task of this.#waiting.splice(0)) task.fail(STOPPING);
    for (const working of this.#working) this.#fail(working, STOPPING);
    for (const worker of this.#idle.keys()) this.#dismiss(worker);
  }

  #advance(): void {
    while (this.#working.size < MAX_WORKERS) {
      const busy = new Set([...this.#working].map(({ task }) => task.userId));
      busy.delete(undefined);
      const at = this.#waiting.findIndex(({ userId }) => !busy.has(userId));
      const [task] = at === -1 ? [] : this.#waiting.splice(at, 1);
      if (!task) return;
      this.#begin(task);
    }
  }

  #begin(task: Task): void {
    const worker = this.#takeIdle() ?? startWorker('subjects/odds/server/worker');
    const working: Working = {
      worker,
      task,
      timer: setTimeout(() => this.#fail(working, TOO_SLOW), MAX_RUN_MS),
    };
    this.#working.add(working);
    worker.onmessage = ({ data }: MessageEvent<OddsMessage>) => this.#received(working, data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.log.error('A worker of the odds failed', { error: event.message });
      this.#fail(working, FAILED);
    };
    worker.postMessage(task.job);
  }

  #received(working: Working, message: OddsMessage): void {
    if (!this.#working.has(working) || message.id !== working.task.job.id) return;
    if (message.kind === 'failed') {
      this.log.error('Could not compute odds', { error: message.message });
      return this.#fail(working, FAILED);
    }
    if (message.kind !== 'state') this.#rest(working);
    working.task.receive(message);
    if (message.kind !== 'state') this.#advance();
  }

  #takeIdle(): Worker | undefined {
    for (const [worker, timer] of this.#idle) {
      clearTimeout(timer);
      this.#idle.delete(worker);
      return worker;
    }
    return undefined;
  }

  #rest(working: Working): void {
    clearTimeout(working.timer);
    this.#working.delete(working);
    const { worker } = working;
    this.#idle.set(
      worker,
      setTimeout(() => this.#dismiss(worker), IDLE_MS),
    );
  }

  #dismiss(worker: Worker): void {
    clearTimeout(this.#idle.get(worker));
    this.#idle.delete(worker);
    worker.terminate();
  }

  #end(working: Working): void {
    clearTimeout(working.timer);
    this.#working.delete(working);
    working.worker.terminate();
    this.#advance();
  }

  #fail(working: Working, sentence: string): void {
    if (!this.#working.has(working)) return;
    this.#end(working);
    working.task.fail(sentence);
  }
}

const bytesOf = ({ pages }: EntryPages): number => pages.reduce((sum, { length }) => sum + length, 0);

type Kept = { run: Run; task: Task; forget: ReturnType<typeof setTimeout> };

/** The runs of all users: each tab has one, and its next one cancels it. */
export class OddsRuns {
  readonly #workers: Workers;
  /** By id, oldest first. */
  readonly #kept = new Map<string, Kept>();

  constructor(log: Log) {
    this.#workers = new Workers(log);
  }

  start(run: Run): void {
    this.#makeRoom(run);
    const task: Task = {
      job: run.job,
      userId: run.userId,
      order: 'usual',
      receive: (message) => {
        if (message.kind !== 'state' && message.kind !== 'done') return;
        if (message.kind === 'done') {
          run.isOver = true;
          run.entries = message.entries;
        }
        run.put(message.json);
        if (message.kind === 'done') this.#dropOldEntries();
      },
      fail: (sentence) => run.refuse(sentence),
    };
    const forget = setTimeout(() => this.remove(run), KEPT_MS);
    forget.unref();
    this.#kept.set(run.job.id, { run, task, forget });
    this.#workers.run(task);
  }

  /** A user's own run; null for any other. */
  get(userId: number, id: string): Run | null {
    const run = this.#kept.get(id)?.run;
    return run?.userId === userId ? run : null;
  }

  stateOf(run: Run): string {
    const kept = this.#kept.get(run.job.id);
    return run.state(kept ? this.#workers.before(kept.task) : 0);
  }

  remove(run: Run): void {
    const kept = this.#kept.get(run.job.id);
    if (!kept) return;
    clearTimeout(kept.forget);
    this.#kept.delete(run.job.id);
    this.#workers.cancel(kept.task);
    run.refuse(REPLACED);
    this.#dropSorted(run);
  }

  cancelOf(userId: number): void {
    for (const { run } of [...this.#kept.values()]) if (run.userId === userId) this.remove(run);
  }

  /** The entries in an order, which is kept until the next request for another. @throws AppError 503 if it failed */
  async sorted(run: Run, sort: EntrySort, names: EngineInput['names']): Promise<EntryPages> {
    const key = `${sort.by} ${sort.isDescending}`;
    if (run.sorted?.key === key) return run.sorted.entries;
    this.#dropSorted(run);
    const { promise: entries, resolve, reject } = Promise.withResolvers<EntryPages>();
    const job: OddsJob = { id: `${run.job.id} ${key}`, kind: 'sort', pages: run.entries.pages, sort, names };
    const task: Task = {
      job,
      order: 'usual',
      userId: run.userId,
      receive: (message) => {
        if (message.kind !== 'sorted') return;
        if (run.sorted?.task === task) run.sorted.bytes = bytesOf(message.entries);
        resolve(message.entries);
        this.#dropOldEntries();
      },
      fail: (sentence) => {
        if (run.sorted?.task === task) run.sorted = null;
        reject(new AppError(503, sentence));
      },
    };
    run.sorted = { key, task, entries, bytes: 0 };
    this.#workers.run(task);
    return entries;
  }

  /** Collects the entries of saved odds, after all users. @throws Error if it failed */
  async collect(job: JobOf<'collect'>): Promise<readonly CollectedDay[]> {
    const message = await this.#ask(job, 'shared');
    return message.kind === 'collected' ? message.days : [];
  }

  /** @returns JSON; null if there is nothing. @throws AppError 503 if it failed */
  async read(job: JobOf<'sum' | 'day'>): Promise<string | null> {
    const message = await this.#ask(job, 'short');
    return message.kind === 'answered' ? message.json : null;
  }

  #ask(job: OddsJob, order: Task['order']): Promise<OddsMessage> {
    return new Promise((resolve, reject) => {
      const fail = (sentence: string): void => reject(new AppError(503, sentence));
      this.#workers.run({ job, order, receive: resolve, fail });
    });
  }

  figures() {
    return { runs: this.#kept.size, ...this.#workers.figures() };
  }

  stop(): void {
    this.#workers.stop();
    for (const { run } of [...this.#kept.values()]) this.remove(run);
  }

  /** Removes the run of the same tab, and stops or removes the user's oldest ones if there are too many. */
  #makeRoom({ userId, tab }: Run): void {
    const own = [...this.#kept.values()].filter(({ run }) => run.userId === userId);
    for (const { run } of own) if (run.tab === tab) this.remove(run);
    const others = own.filter(({ run }) => run.tab !== tab);
    for (const { run } of others.slice(0, Math.max(0, others.length + 1 - MAX_OF_USER.kept)))
      this.remove(run);
    const working = others.filter(({ run }) => !run.isOver);
    for (const { run, task } of working.slice(0, Math.max(0, working.length + 1 - MAX_OF_USER.working))) {
      this.#workers.cancel(task);
      run.refuse(TOO_MANY);
    }
  }

  #dropSorted(run: Run): void {
    const { sorted } = run;
    run.sorted = null;
    if (!sorted) return;
    this.#workers.cancel(sorted.task);
    sorted.task.fail(REPLACED);
  }

  #dropOldEntries(): void {
    let bytes = 0;
    for (const { run } of [...this.#kept.values()].toReversed()) {
      bytes += bytesOf(run.entries) + (run.sorted?.bytes ?? 0);
      if (bytes > MAX_KEPT_BYTES) this.remove(run);
    }
  }
}
