import type { KeptAnnouncement } from '#subjects/announcements/rules/keptAnnouncement.ts';

/** Somebody's wish for the summary of an announcement; others who wish it wait for the same. */
export type Run = {
  announcement: KeptAnnouncement;
  /** Who asked first. */
  userId: number;
};

/** Runs that may wait while one is under way. */
const MAX_WAITING = 2;

/**
 * Does runs one after the other: a model at home answers one question at a time, and a document takes memory.
 */
export class Runs {
  #running: Run | null = null;
  #turn: Promise<void> = Promise.resolve();
  readonly #waiting: Run[] = [];
  readonly #stopped = new AbortController();

  /** @param work does one run; it must not throw */
  constructor(private readonly work: (run: Run, signal: AbortSignal) => Promise<void>) {}

  get isFull(): boolean {
    return this.#running !== null && this.#waiting.length >= MAX_WAITING;
  }

  /** What has become of a run; null when there is none. */
  stateOf(announcementId: string): 'running' | 'queued' | null {
    if (this.#running?.announcement.id === announcementId) return 'running';
    return this.#waiting.some(({ announcement }) => announcement.id === announcementId) ? 'queued' : null;
  }

  /** How many of a user's are not over. */
  ofUser(userId: number): number {
    const all = this.#running ? [this.#running, ...this.#waiting] : this.#waiting;
    return all.filter((run) => run.userId === userId).length;
  }

  figures() {
    return { running: this.#running?.announcement.code ?? null, waiting: this.#waiting.length };
  }

  /** Begins a run, or lets it wait its turn; the caller has looked that there is room. */
  add(run: Run): 'running' | 'queued' {
    const isFree = this.#running === null;
    this.#waiting.push(run);
    if (!isFree) return 'queued';
    this.#turn = this.#workThrough();
    return 'running';
  }

  /** Breaks off the run under way and forgets those that wait; resolves when nothing runs any more. */
  async stop(): Promise<void> {
    this.#waiting.length = 0;
    this.#stopped.abort();
    await this.#turn;
  }

  async #workThrough(): Promise<void> {
    for (let run = this.#next(); run; run = this.#next()) await this.work(run, this.#stopped.signal);
  }

  #next(): Run | null {
    this.#running = this.#waiting.shift() ?? null;
    return this.#running;
  }
}
