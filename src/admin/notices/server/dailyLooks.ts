import type { SystemClock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import type { Scheduler } from '#lib/scheduler.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Something that another machine is asked once a day. */
type Daily<T> = {
  /** What is looked at, for the log: 'The certificate'. */
  what: string;
  /** So long after the start it is asked first. */
  firstMs: number;
  ask(): Promise<T>;
};

export type DailyLooksDeps = { clock: Pick<SystemClock, 'monotonic'>; log: Log; schedule: Scheduler };

/** Asks once a day, after a failure each hour, and keeps the last answer. */
export class DailyLook<T> {
  #answer: T | null = null;
  #due = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | null = null;
  #isStopped = false;

  /** @param daily null where there is nothing to ask */
  constructor(
    private readonly deps: DailyLooksDeps,
    private readonly daily: Daily<T> | null,
  ) {}

  /** Whether there is anything to ask. */
  get isAsked(): boolean {
    return this.daily !== null;
  }

  /** The last answer of this run; null before the first. */
  readonly answer = (): T | null => this.#answer;

  start(): void {
    if (this.daily === null) return;
    this.#isStopped = false;
    this.#cancel ??= this.deps.schedule(this.daily.firstMs, () => void this.#again());
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
    this.#cancel = null;
  }

  async #again(): Promise<void> {
    if (this.deps.clock.monotonic() >= this.#due) await this.#ask();
    if (!this.#isStopped) this.#cancel = this.deps.schedule(HOUR_MS, () => void this.#again());
  }

  async #ask(): Promise<void> {
    const { clock, log } = this.deps;
    if (this.daily === null) return;
    try {
      this.#answer = await this.daily.ask();
      // An hourly timer that is a little early must not put it off by an hour.
      this.#due = clock.monotonic() + DAY_MS - HOUR_MS / 2;
    } catch (error) {
      log.warn(`${this.daily.what} could not be looked at; trying again in an hour`, { error });
    }
  }
}
